//! Steps of `flush-coalescing`: bursts of schema changes with pauses below, at and above the window of
//! the schema's flush, which changes while a flush is due; drains, crashes and disk errors amid that.

use super::columns::{change_column, settle_types};
use super::faults::{self, Aim, Harm, Policy};
use super::knobs;
use super::maker::{Maker, Pools};
use super::places;
use super::swarm::subset;
use super::tables::{Collections, number, shapes};
use crate::plan::{Draw, Knobs, Operation, OperationRef, Plan, RecordBytes, Sections, Session};

pub(super) const NAME: &str = "flush-coalescing";
pub(super) const SUMMARY: &str =
    "schema changes come in bursts while their coalesced flush is due, reset, drained or crashed";

/// What is to happen in some run.
pub(super) const MARKS: &[&str] = &[
    "data.unknown-file-removed",
    "flush.failed",
    "flush.overlapped",
    "machine.crash.kill",
    "machine.crash.panic",
    "machine.crash.power",
    "machine.exit.clean",
    "machine.exit.error",
    "node.metadata-stopped",
    "replay.applied",
    "schema.applied",
    "schema.flush-armed",
    "schema.flush-begun",
    "schema.flush-ended",
    "schema.flush-failed",
    "schema.reconciled-ghost",
    "schema.reconciled-missing",
    "schema.window-set",
];

/// Kinds of fault that its plans may have.
pub(super) const FAULT_KINDS: &[&str] = &[
    "crash kill",
    "crash panic",
    "crash power",
    "disk error",
    "disk full",
    "failed sync",
    "partition",
    "one-way partition",
    "clog",
    "pause",
    "clock jump",
    "clock drift",
    "dropped packets",
    "evicted cache",
];

/// Kinds of operation that its plans may have.
pub(super) const OPERATION_KINDS: &[&str] = &[
    "create_table",
    "add_column",
    "drop_column",
    "drop_table",
    "insert",
    "read",
    "describe",
    "flush",
    "set_schema_flush_window",
    "system_schema",
    "drain",
    "pause",
];

const FAULTS: Policy = Policy {
    quiet: false,
    crashes_count: 0,
    aim: Aim::Any,
    millis_max: 3_000,
    places: &places::OF_SCHEMA,
    writes: &places::DATA_WRITES,
    syncs: &places::SYNCS,
    harms: &[
        (3, Harm::NoSpace),
        (2, Harm::DiskError),
        (2, Harm::ClockJump),
        (1, Harm::ClockDrift),
        (2, Harm::Pause),
        (1, Harm::Partition),
        (1, Harm::FailSync),
        (1, Harm::DropPackets),
    ],
    clock_ascends: false,
};

/// Windows, in milliseconds.
const WINDOWS: [u32; 5] = [100, 20, 1_000, 0, 60_000];

/// Tables of a run, at most.
const TABLES_MAX: usize = 8;

/// Pauses that a run of a long window can afford, in milliseconds.
const PAUSE_MILLIS_MAX: u32 = 2_500;

/// Kinds of operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Create,
    Recreate,
    DropTable,
    ChangeColumn,
    Pause,
    SystemSchema,
    Insert,
    Read,
    Describe,
    SetWindow,
    Flush,
    Drain,
}

const KINDS: [(u32, Kind); 12] = [
    (10, Kind::Create),
    (8, Kind::Pause),
    (4, Kind::SystemSchema),
    (6, Kind::ChangeColumn),
    (4, Kind::Insert),
    (3, Kind::DropTable),
    (3, Kind::Recreate),
    (2, Kind::Read),
    (1, Kind::Describe),
    (3, Kind::SetWindow),
    (1, Kind::Flush),
    (1, Kind::Drain),
];

/// Kinds that every run has.
const KINDS_ALWAYS: usize = 3;

/// What holds for the whole of one run.
struct Character {
    knobs: Knobs,
    policy: Policy,
    kinds: Vec<(u32, Kind)>,
    pools: Pools,
    tables_count: usize,
    /// Operations of each client.
    operations_count: Vec<usize>,
}

impl Character {
    fn draw(sections: &Sections<'_>) -> Character {
        let bytes = sections.knobs();
        let mut draw = Draw::new(&bytes);
        let quiet = !draw.chance(1, 2);
        let mut knobs = knobs::draw(&mut draw, quiet);
        knobs.engine.schema_flush_window_millis = draw.pick(&WINDOWS);
        let crashes_count = draw.weighted(&[(2, 0), (3, 1), (2, 2), (1, 3)]);
        let tables_count = 1 + draw.below(TABLES_MAX);
        let clients_count = draw.weighted(&[(3, 1_usize), (3, 2), (1, 3)]);
        let operations = 24 + draw.below(57);
        Character {
            knobs,
            policy: Policy {
                quiet,
                crashes_count,
                ..FAULTS
            },
            kinds: subset(&mut draw, &KINDS, KINDS_ALWAYS),
            pools: Pools {
                partitions_count: 2,
                pool_count: 3,
                padding_max: draw.pick(&[0, 60]),
                adds_columns: true,
                ttl_quarters: 0,
            },
            tables_count,
            operations_count: vec![operations.div_ceil(clients_count); clients_count],
        }
    }

    /// The window in milliseconds, as far as a client knows that has done this.
    fn window(&self, session: &Session) -> u32 {
        let mut latest = session.iter().rev();
        let set = latest.find_map(|operation| match operation {
            Operation::SetSchemaFlushWindow { millis } => Some(*millis),
            _ => None,
        });
        set.unwrap_or(self.knobs.engine.schema_flush_window_millis)
    }
}

/// A pause below, at or above the window.
fn pause(draw: &mut Draw<'_>, window: u32) -> Operation {
    let (numerator, denominator) = draw.pick(&[(1, 1), (1, 4), (3, 4), (5, 4), (2, 1)]);
    let jitter = draw.within(0, 4);
    let whole = draw.chance(1, 12);
    let millis = window * numerator / denominator + jitter;
    let millis_max = match whole {
        true => 60_000,
        false => PAUSE_MILLIS_MAX,
    };
    Operation::Pause {
        millis: millis.clamp(1, millis_max),
    }
}

pub(super) fn build(sections: &Sections<'_>) -> Plan {
    let character = Character::draw(sections);
    let maker = Maker {
        pools: character.pools,
        shapes: shapes(&sections.tables(), Collections::None),
    };
    let clients_count = character.operations_count.len();
    let mut clients: Vec<Session> = (0..clients_count)
        .map(|client| {
            let count = character.operations_count[client];
            let records = sections.records(client, clients_count, count);
            session(&character, &maker, client, &records)
        })
        .collect();
    settle_types(&mut clients, &maker.shapes);
    let faults = faults::draw(&character.policy, sections, &clients);
    Plan {
        format: Plan::FORMAT,
        scenario: NAME.to_owned(),
        run_key: sections.run_key(),
        knobs: character.knobs,
        clients,
        faults,
        bug: None,
    }
}

fn session(
    character: &Character,
    maker: &Maker,
    client: usize,
    records: &[RecordBytes],
) -> Session {
    let mut session = Session::new();
    for record in records {
        let name = OperationRef {
            client: u16::try_from(client).expect("a handful of clients"),
            index: u32::try_from(session.len()).expect("some hundred operations"),
        };
        add(character, maker, &mut session, name, record);
    }
    session
}

/// Adds what a record means.
fn add(
    character: &Character,
    maker: &Maker,
    session: &mut Session,
    name: OperationRef,
    record: &RecordBytes,
) {
    let draw = &mut Draw::new(&record[1..]);
    let kind = draw.weighted(&character.kinds);
    let table = number(draw.below(character.tables_count));
    let partition = maker.partition(draw);
    let timestamp = 1 + i64::from(name.index);
    let operation = match kind {
        Kind::Create => maker.create(table),
        Kind::Recreate => {
            session.push(Operation::DropTable { table });
            maker.create(table)
        }
        Kind::DropTable => Operation::DropTable { table },
        Kind::ChangeColumn => change_column(draw, table, maker.shape(table), timestamp),
        Kind::Pause => pause(draw, character.window(session)),
        Kind::SystemSchema => Operation::SystemSchema,
        Kind::Insert => maker.insert(draw, name, table, partition, timestamp),
        Kind::Read => maker.read(draw, table, partition),
        Kind::Describe => Operation::Describe,
        Kind::SetWindow => Operation::SetSchemaFlushWindow {
            millis: draw.pick(&WINDOWS),
        },
        Kind::Flush => Operation::Flush { table },
        Kind::Drain => Operation::Drain,
    };
    session.push(operation);
}
