//! Steps of serving: take a packet; let its session decide; execute the request in a task of its own; remember
//! the answer and send it.

use std::rc::Rc;

use cenotaph_sim::host::{Address, Host, Packet};
use cenotaph_sim::sync::timeout;

use super::boot::boot;
use super::config::Config;
use super::inspector::Inspector;
use super::running::Node;
use crate::commitlog::CommitLogError;
use crate::error::Error;
use crate::message::{Admission, Answer, Envelope, FailureCode, Reply, Request};
use crate::metadata::MetadataError;
use crate::metrics::Metrics;

/// A node that has started: all that was acknowledged before is there, and what was replayed is durable.
#[derive(Debug)]
#[must_use = "a node that is not run serves nobody"]
pub struct Started {
    node: Rc<Node>,
}

/// Starts a node.
///
/// # Errors
/// Why it could not.
pub async fn start(host: Host, config: Config) -> Result<Started, Error> {
    let booted = boot(&host, &config).await?;
    Ok(Started {
        node: Node::new(&host, &config, booted),
    })
}

impl Started {
    /// What the node counts, to be read when it has ended, too.
    #[must_use]
    pub fn metrics(&self) -> Rc<Metrics> {
        Rc::clone(&self.node.metrics)
    }

    /// A look into the node, as long as it runs.
    #[must_use]
    pub fn inspector(&self) -> Inspector {
        Inspector {
            node: Rc::downgrade(&self.node),
        }
    }

    /// Serves until the node has drained, or until its commit log or its metadata log fails.
    ///
    /// # Errors
    /// Why it had to stop.
    pub async fn run(self) -> Result<(), Error> {
        let node = self.node;
        node.flusher.start();
        let schema_flush = Rc::clone(&node.schema_flush);
        node.host.spawn("schema-flush", schema_flush.run());
        let shared = Rc::clone(&node);
        let compactor = Rc::clone(&node.compactor);
        node.host
            .spawn("compactor", compactor.run(move || shared.schema()));
        watch_logs(&node);
        // Whichever of the two ends first ends the node; serving never does.
        let _ended = timeout(node.ended(), serve(&node)).await;
        node.take_end()
    }
}

/// Runs a node from its start to its end.
///
/// # Errors
/// Why it could not start, or had to stop.
pub async fn run(host: Host, config: Config) -> Result<(), Error> {
    start(host, config).await?.run().await
}

/// Ends the node when one of its logs stops.
fn watch_logs(node: &Rc<Node>) {
    let watched = Rc::clone(node);
    node.host.spawn("watch-commitlog", async move {
        let error = watched.log.stopped().await;
        // A drain closes its logs, and then says itself how the node ends.
        if error != CommitLogError::Closed {
            watched.host.mark("node.commitlog-stopped");
            watched.finish(Err(error.into()));
        }
    });
    let watched = Rc::clone(node);
    node.host.spawn("watch-metadata", async move {
        let error = watched.metadata.stopped().await;
        if error != MetadataError::Closed {
            watched.host.mark("node.metadata-stopped");
            watched.finish(Err(error.into()));
        }
    });
}

async fn serve(node: &Rc<Node>) {
    let network = node.host.network();
    loop {
        let packet = network.recv().await;
        receive(node, &packet);
    }
}

fn receive(node: &Rc<Node>, packet: &Packet) {
    let envelope = match Envelope::decode(&packet.bytes) {
        Ok(envelope) => envelope,
        Err(error) => {
            node.host.mark("node.packet-refused");
            tracing::debug!(from = packet.from.0, %error, "packet refused");
            return;
        }
    };
    let admission = node.sessions.borrow_mut().admit(&envelope);
    match admission {
        Admission::Execute => {
            let (node, client) = (Rc::clone(node), packet.from);
            let host = node.host.clone();
            host.spawn(task_name(&envelope.body), execute(node, client, envelope));
        }
        Admission::Send(reply) => send(node, packet.from, &reply),
        Admission::Ignore => node.host.mark("node.packet-ignored"),
    }
}

fn task_name(request: &Request) -> &'static str {
    match request {
        Request::Hello { .. } => "hello",
        Request::Change(_) => "change",
        Request::Write(_) => "write",
        Request::Read(_) => "read",
        Request::Describe => "describe",
        Request::Flush { .. } => "flush",
        Request::Compact { .. } => "compact",
        Request::Truncate { .. } => "truncate",
        Request::MarkRepaired { .. } => "mark-repaired",
        Request::Stones { .. } => "stones",
        Request::SetSchemaFlushWindow { .. } => "set-window",
        Request::Drain => "drain",
    }
}

async fn execute(node: Rc<Node>, client: Address, envelope: Envelope) {
    let Envelope {
        session,
        sequence,
        body,
    } = envelope;
    let is_drain = body == Request::Drain;
    let now_seconds = node.now_seconds();
    let answer = match node.answer(body, now_seconds).await {
        Ok(answer) => answer,
        Err(error) => {
            node.metrics.node.requests_failed.increment();
            Answer::of_error(&error)
        }
    };
    let is_end = is_drain && answer == Answer::Drained;
    let reply = node
        .sessions
        .borrow_mut()
        .finish(session, sequence, now_seconds, answer);
    send(&node, client, &reply);
    if is_end {
        node.finish(Ok(()));
    }
}

/// Sends a reply; one that no packet can hold becomes an error that fits.
fn send(node: &Node, client: Address, reply: &Reply) {
    let encoded = reply.encode().or_else(|error| {
        let body = Answer::Failed {
            code: FailureCode::Storage,
            message: error.to_string(),
        };
        Reply {
            session: reply.session,
            sequence: reply.sequence,
            now_seconds: reply.now_seconds,
            body,
        }
        .encode()
    });
    let sent = encoded.map(|bytes| node.host.network().send(client, bytes));
    if !matches!(sent, Ok(Ok(()))) {
        node.host.mark("node.reply-lost");
        tracing::warn!(client = client.0, ?sent, "reply not sent");
    }
}
