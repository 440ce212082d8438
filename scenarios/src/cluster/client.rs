//! Steps of a client: for each operation of its session, have a connection, say that it begins, send
//! it until an answer or the timeout comes, say how it ended.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use cenotaph_engine::message::Request;
use cenotaph_sim::host::Host;
use cenotaph_sim::world::Controls;

use super::connection::{Connection, Performed};
use super::faults::signal_of;
use super::patience::Patience;
use super::recorder::Recorder;
use super::system::read_system_schema;
use super::types::Shapes;
use crate::history::{Answer, Event, Outcome};
use crate::plan::{Operation, OperationRef};

/// A client and its session.
#[derive(Debug)]
pub(super) struct Client {
    pub(super) index: u16,
    pub(super) operations: Vec<Arc<Operation>>,
    pub(super) shapes: Rc<Shapes>,
    pub(super) patience: Patience,
    pub(super) controls: Controls,
    pub(super) recorder: Recorder,
    /// How many clients of this phase are not done; the last one ends the phase.
    pub(super) busy_count: Rc<Cell<usize>>,
}

/// How long a patient client waits before it asks again for what was refused for now.
const REPEAT_AFTER: Duration = Duration::from_millis(100);

/// How often it asks for a drain within the time that it repeats.
const DRAINS_COUNT: u32 = 4;

/// Runs a session to its end.
pub(super) async fn run_session(host: Host, client: &Client) {
    let mut connection = Connection::new(&host, u64::from(client.index), client.patience);
    for (index, operation) in client.operations.iter().enumerate() {
        let index = u32::try_from(index).expect("a session has fewer than 2^32 operations");
        let name = OperationRef {
            client: client.index,
            index,
        };
        if !matches!(**operation, Operation::Pause { .. }) && !connection.connect().await {
            tracing::warn!("gives up: no connection");
            break;
        }
        tracing::info!("{name} {operation}");
        client.recorder.push(Event::Invoked {
            at: client.recorder.now(),
            operation: name,
            what: Arc::clone(operation),
        });
        client.controls.signal(signal_of(name));
        let Performed {
            incarnation,
            now_seconds,
            outcome,
            blame,
            ..
        } = perform(&host, &mut connection, client, operation).await;
        if let (Some(incarnation), Some((blame, why))) = (incarnation, blame) {
            let (at, operation) = (client.recorder.now(), name);
            client.recorder.push(Event::Blamed {
                at,
                operation,
                incarnation,
                blame,
                why,
            });
        }
        tracing::info!("{name} {}", brief(&outcome));
        client.recorder.push(Event::Answered {
            at: client.recorder.now(),
            operation: name,
            incarnation,
            now_seconds,
            outcome,
        });
    }
    client.busy_count.set(client.busy_count.get() - 1);
    if client.busy_count.get() == 0 {
        client.controls.finish();
    }
    // The machine stays up, as a client that has nothing to do.
    std::future::pending::<()>().await;
}

/// Has the node do one operation. A patient client asks again while the node does nothing for anybody,
/// and when the node that it asked is gone: it drains, and the next one boots. A drain that failed
/// leaves a node that refuses all but another drain; so that is asked for when it takes long.
async fn perform(
    host: &Host,
    connection: &mut Connection,
    client: &Client,
    operation: &Operation,
) -> Performed {
    let (now, patience) = (|| client.recorder.now(), client.patience.repeats_for);
    let until = now().after(patience);
    let mut drain_at = now().after(patience / DRAINS_COUNT);
    loop {
        let performed = perform_once(host, connection, &client.shapes, operation).await;
        if !performed.is_not_now() || now() >= until {
            return performed;
        }
        // One that is only busy is let be.
        if performed.is_draining && now() >= drain_at {
            drain_at = now().after(patience / DRAINS_COUNT);
            tracing::info!("drains the node that refuses");
            // How that ends, the next answer tells.
            let _ended = connection.ask(Request::Drain).await;
        }
        host.clock().sleep(REPEAT_AFTER).await;
        if !connection.connect().await {
            return performed;
        }
    }
}

async fn perform_once(
    host: &Host,
    connection: &mut Connection,
    shapes: &Shapes,
    operation: &Operation,
) -> Performed {
    if *operation == Operation::SystemSchema {
        return read_system_schema(connection).await;
    }
    let Some(request) = shapes.request(operation) else {
        return pause(host, operation).await;
    };
    let type_of = |column| shapes.column_type(operation.table()?, column);
    connection.perform(request, &type_of).await
}

async fn pause(host: &Host, operation: &Operation) -> Performed {
    if let Operation::Pause { millis } = operation {
        host.clock()
            .sleep(Duration::from_millis(u64::from(*millis)))
            .await;
    }
    Performed::alone(Outcome::Ok(Answer::Done))
}

/// An outcome in a few words, for timelines.
fn brief(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Ok(Answer::Done) => "is done".to_owned(),
        Outcome::Ok(Answer::Rows(seen)) => format!("shows {} rows", seen.rows.len()),
        Outcome::Ok(Answer::Compacted(seen)) => format!("forgot {} deletions", seen.purged_count),
        Outcome::Ok(Answer::Stones(seen)) => format!("shows {} deletions", seen.count()),
        Outcome::Ok(Answer::SystemSchema(seen)) => format!("shows {} rows", seen.rows.len()),
        Outcome::Ok(Answer::Tables(tables)) => format!("shows {} tables", tables.len()),
        Outcome::Refused(refusal) => format!("is refused: {refusal:?}"),
        Outcome::Unknown { why } => format!("is unknown: {why}"),
    }
}
