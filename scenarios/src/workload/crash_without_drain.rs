//! Steps of `crash-without-drain`: one client creates tables (30 in most of the seeds) and writes
//! to each, others write, delete, flush and read some of them; the node is crashed at any point, also
//! while it boots, and restarted.

use super::faults::{self, Aim, Harm, Policy};
use super::maker::Maker;
use super::operations::operation;
use super::places;
use super::swarm::{SchemaKind, Swarm};
use super::tables::{Collections, added_type, number, shapes};
use crate::plan::{
    Draw, FaultKind, Operation, OperationRef, Plan, RecordBytes, Sections, Session, TABLE_SLOTS,
};

pub(super) const NAME: &str = "crash-without-drain";
pub(super) const SUMMARY: &str =
    "up to 30 tables are created and written; the node is crashed at any point and restarted";

/// The schema's own rows are not in files when the node goes down.
const SCHEMA_FLUSH_WINDOW_MILLIS: u32 = 60_000;

/// Kinds of fault that its plans may have.
pub(super) const FAULT_KINDS: &[&str] = FaultKind::NAMES;

/// Kinds of operation that its plans may have.
pub(super) const OPERATION_KINDS: &[&str] = &[
    "create_table",
    "add_column",
    "drop_table",
    "insert",
    "update",
    "delete_cells",
    "delete_row",
    "delete_range",
    "delete_partition",
    "read",
    "describe",
    "flush",
    "pause",
];

const FAULTS: Policy = Policy {
    quiet: false,
    crashes_count: 1,
    aim: Aim::Any,
    millis_max: 400,
    places: &places::ALL,
    writes: &places::WRITES,
    syncs: &places::SYNCS,
    harms: &[
        (1, Harm::DiskError),
        (2, Harm::NoSpace),
        (2, Harm::FailSync),
        (2, Harm::Partition),
        (1, Harm::Swizzle),
        (2, Harm::Pause),
        (1, Harm::ClockJump),
        (1, Harm::ClockDrift),
        (1, Harm::DropPackets),
        (1, Harm::EvictCache),
        (2, Harm::FailSync),
    ],
    clock_ascends: false,
};

/// What is to happen in some run: everything that engine and world mark, but panics.
pub(super) const MARKS: &[&str] = &[
    "commitlog.segment-finished",
    "commitlog.segment-outgrown",
    "commitlog.sync-failed",
    "commitlog.torn-tail",
    "data.file-left",
    "data.unknown-file-removed",
    "disk.failed-write-left",
    "flush.empty",
    "flush.failed",
    "flush.out-of-order",
    "flush.overlapped",
    "flush.segment-left",
    "machine.crash.kill",
    "machine.crash.panic",
    "machine.crash.power",
    "machine.exit.error",
    "manifest.torn-tail",
    "metadata.rewritten",
    "metadata.torn-tail",
    "metadata.write-failed",
    "network.doubled",
    "network.dropped",
    "network.lost",
    "network.partitioned",
    "network.unheard",
    "node.commitlog-stopped",
    "node.metadata-stopped",
    "node.packet-ignored",
    "node.packet-refused",
    "node.reply-lost",
    "node.segment-left",
    "replay.applied",
    "replay.flushed-on-the-way",
];

pub(super) fn build(sections: &Sections<'_>) -> Plan {
    let mut swarm = Swarm::draw(sections, TABLE_SLOTS);
    swarm.knobs.engine.schema_flush_window_millis = SCHEMA_FLUSH_WINDOW_MILLIS;
    let maker = Maker {
        pools: swarm.pools,
        shapes: shapes(&sections.tables(), Collections::Few),
    };
    let clients_count = swarm.operations_count.len();
    let records =
        |client: usize| sections.records(client, clients_count, swarm.operations_count[client]);
    let mut clients = vec![schema_session(&maker, &swarm, &records(0))];
    for client in 1..clients_count {
        clients.push(session(&maker, &swarm, client, &records(client)));
    }
    let policy = Policy {
        quiet: swarm.quiet,
        crashes_count: swarm.crashes_count,
        ..FAULTS
    };
    let policy = match swarm.storms {
        true => Policy {
            aim: Aim::Places,
            places: &places::OF_FLUSHES,
            ..policy
        },
        false => policy,
    };
    let faults = faults::draw(&policy, sections, &clients);
    Plan {
        format: Plan::FORMAT,
        scenario: NAME.to_owned(),
        run_key: sections.run_key(),
        knobs: swarm.knobs.clone(),
        clients,
        faults,
        bug: None,
    }
}

fn next(client: usize, session: &Session) -> OperationRef {
    OperationRef {
        client: u16::try_from(client).expect("a handful of clients"),
        index: u32::try_from(session.len()).expect("some hundred operations"),
    }
}

/// Works on rows. It creates the hot tables itself, in a race with the others, so that they are
/// there when it comes to write.
fn session(maker: &Maker, swarm: &Swarm, client: usize, records: &[RecordBytes]) -> Session {
    let mut session: Session = (0..swarm.hot_count)
        .map(|hot| maker.create(number(hot)))
        .collect();
    for record in records {
        let name = next(client, &session);
        session.push(operation(maker, swarm, name, record));
    }
    session
}

/// Creates the tables in order, with what the records say between them.
fn schema_session(maker: &Maker, swarm: &Swarm, records: &[RecordBytes]) -> Session {
    let tables_count = swarm.tables_count;
    let mut session = Session::new();
    for step in 0..tables_count.max(records.len()) {
        if step < tables_count {
            let table = number(step);
            session.push(maker.create(table));
            if swarm.writes_after_create {
                let name = next(0, &session);
                let timestamp = 1 + i64::from(name.index);
                session.push(maker.insert(&mut Draw::new(&[]), name, table, 0, timestamp));
            }
        }
        if let Some(record) = records.get(step) {
            extra(
                maker,
                swarm,
                &mut session,
                step.min(tables_count - 1),
                record,
            );
        }
    }
    session
}

/// What one record adds, on one of the tables up to `newest`.
fn extra(maker: &Maker, swarm: &Swarm, session: &mut Session, newest: usize, record: &RecordBytes) {
    let draw = &mut Draw::new(&record[1..]);
    let kind = draw.weighted(&swarm.schema_kinds);
    let is_hot = draw.chance(1, 2);
    let choices_count = if is_hot {
        swarm.hot_count.min(newest + 1)
    } else {
        newest + 1
    };
    let table = number(draw.within(0, 255) as usize % choices_count);
    let shape = maker.shape(table);
    match kind {
        SchemaKind::Insert => {
            let name = next(0, session);
            session.push(maker.insert(draw, name, table, 0, 1 + i64::from(name.index)));
        }
        SchemaKind::CreateAgain => {
            session.push(maker.create(table));
        }
        SchemaKind::AddColumn => {
            let column = maker
                .added_column(shape)
                .expect("the kind is drawn, so it is on");
            session.push(Operation::AddColumn {
                table,
                column,
                column_type: added_type(shape),
            });
        }
        SchemaKind::Recreate => {
            session.push(Operation::DropTable { table });
            session.push(maker.create(table));
        }
        SchemaKind::Drop => session.push(Operation::DropTable { table }),
        SchemaKind::Flush => session.push(Operation::Flush { table }),
        SchemaKind::Describe => session.push(Operation::Describe),
        SchemaKind::Pause => session.push(Operation::Pause {
            millis: draw.within(1, 40),
        }),
    }
}
