//! Steps of `tombstone-merge`: a few tables are written, deleted at every level, flushed, merged and
//! read in both orders, while graces and times to live end; some runs are crashed amid that.

use std::collections::BTreeMap;

use super::columns::{change_column, settle_types};
use super::faults::{self, Aim, Harm, Policy};
use super::knobs;
use super::maker::{Maker, Pools};
use super::places;
use super::swarm::subset;
use super::tables::{Collections, number, shapes};
use crate::plan::{
    Draw, Knobs, Operation, OperationRef, Order, Overlapping, Plan, Purge, RecordBytes, Sections,
    Session, Shape, TableNumber,
};

pub(super) const NAME: &str = "tombstone-merge";
pub(super) const SUMMARY: &str = "rows are deleted at every level, flushed, compacted and read while graces and times to live end";

/// What is to happen in some run.
pub(super) const MARKS: &[&str] = &[
    "compaction.done",
    "compaction.failed",
    "compaction.kept-by-repair",
    "compaction.shaded",
    "compaction.unread",
    "data.unknown-file-removed",
    "machine.crash.kill",
    "machine.crash.panic",
    "machine.crash.power",
    "repaired.marked",
    "replay.applied",
    "truncate.done",
];

/// Kinds of fault that its plans may have.
pub(super) const FAULT_KINDS: &[&str] = &[
    "crash kill",
    "crash panic",
    "crash power",
    "disk error",
    "disk full",
    "failed sync",
    "swizzled clogs",
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
    "insert",
    "update",
    "delete_cells",
    "delete_row",
    "delete_range",
    "delete_partition",
    "read",
    "flush",
    "compact",
    "truncate",
    "mark_repaired",
    "stones",
    "pause",
];

const FAULTS: Policy = Policy {
    quiet: false,
    crashes_count: 0,
    aim: Aim::Merges,
    millis_max: 4_000,
    places: &places::OF_MERGES,
    writes: &places::WRITES,
    syncs: &places::SYNCS,
    harms: &[
        (3, Harm::ClockJump),
        (3, Harm::ClockDrift),
        (2, Harm::Pause),
        (1, Harm::Swizzle),
        (2, Harm::DiskError),
        (3, Harm::NoSpace),
        (2, Harm::FailSync),
        (1, Harm::EvictCache),
        (1, Harm::DropPackets),
    ],
    clock_ascends: true,
};

/// Tables of a run, at most.
const TABLES_MAX: usize = 3;

/// Graces of tables, in seconds; none is the database's own, which no run outlives.
const GRACES: [(u32, Option<u32>); 5] = [
    (4, Some(0)),
    (4, Some(1)),
    (2, Some(2)),
    (1, Some(5)),
    (2, None),
];

/// What compactions of a table may drop.
const PURGES: [(u32, Purge); 4] = [
    (10, purge(false, Overlapping::None)),
    (2, purge(true, Overlapping::Row)),
    (1, purge(true, Overlapping::None)),
    (2, purge(true, Overlapping::Cell)),
];

const fn purge(only_repaired: bool, overlapping: Overlapping) -> Purge {
    Purge {
        only_repaired,
        overlapping,
    }
}

/// Kinds of operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Insert,
    Update,
    Read,
    /// One slice in both orders, one after the other.
    ReadBothWays,
    Compact,
    /// Cells are deleted, written below the deletion and then above it, and all is merged.
    Late,
    Flush,
    DeleteCells,
    DeleteRow,
    DeleteRange,
    DeletePartition,
    Stones,
    Pause,
    Truncate,
    MarkRepaired,
    ChangeColumn,
    CreateAgain,
}

const KINDS: [(u32, Kind); 17] = [
    (14, Kind::Insert),
    (10, Kind::Update),
    (8, Kind::Read),
    (8, Kind::Compact),
    (8, Kind::Flush),
    (6, Kind::Pause),
    (6, Kind::ReadBothWays),
    (6, Kind::DeleteCells),
    (6, Kind::DeleteRow),
    (9, Kind::DeleteRange),
    (3, Kind::DeletePartition),
    (4, Kind::Stones),
    (1, Kind::Truncate),
    (2, Kind::MarkRepaired),
    (4, Kind::Late),
    (2, Kind::ChangeColumn),
    (1, Kind::CreateAgain),
];

/// Kinds that every run has: without them nothing is there to die, to be merged, or to be judged.
const KINDS_ALWAYS: usize = 5;

/// What holds for the whole of one run.
struct Character {
    knobs: Knobs,
    policy: Policy,
    kinds: Vec<(u32, Kind)>,
    pools: Pools,
    graces: Vec<Option<u32>>,
    purges: Vec<Purge>,
    /// Operations of each client.
    operations_count: Vec<usize>,
    /// Size of the pool of write times; 0 when they ascend with the operations.
    timestamps_count: i64,
    /// The longest pause.
    pause_millis_max: u32,
}

impl Character {
    fn draw(sections: &Sections<'_>) -> Character {
        let bytes = sections.knobs();
        let mut draw = Draw::new(&bytes);
        let quiet = !draw.chance(1, 2);
        let mut knobs = knobs::draw(&mut draw, quiet);
        knobs.engine.compaction_sstables_min = draw.weighted(&[(3, 0), (2, 2), (1, 4)]);
        let crashes_count = draw.weighted(&[(3, 0), (3, 1), (2, 2), (1, 3)]);
        let tables_count = draw.weighted(&[(3, 1), (2, 2), (1, TABLES_MAX)]);
        let clients_count = draw.weighted(&[(3, 1_usize), (3, 2), (1, 3)]);
        let operations = 40 + draw.below(81);
        let graces = (0..tables_count).map(|_| draw.weighted(&GRACES)).collect();
        let kinds = subset(&mut draw, &KINDS, KINDS_ALWAYS);
        let adds_columns = kinds
            .iter()
            .any(|(weight, kind)| *weight > 0 && *kind == Kind::ChangeColumn);
        Character {
            knobs,
            policy: Policy {
                quiet,
                crashes_count,
                ..FAULTS
            },
            kinds,
            pools: Pools {
                partitions_count: draw.pick(&[1, 2, 1, 3]),
                pool_count: draw.pick(&[3, 2, 4, 6]),
                padding_max: draw.pick(&[0, 0, 0, 60]),
                adds_columns,
                ttl_quarters: draw.pick(&[1, 0, 2, 1]),
            },
            graces,
            operations_count: vec![operations.div_ceil(clients_count); clients_count],
            timestamps_count: draw.pick(&[4, 0, 2, 8, 10]),
            pause_millis_max: draw.pick(&[1_500, 700, 1_500]),
            purges: (0..tables_count).map(|_| draw.weighted(&PURGES)).collect(),
        }
    }

    /// Ties and extremes are the point of this scenario; the largest of all is rare, since nothing
    /// that is written afterwards shows.
    fn timestamp(&self, draw: &mut Draw<'_>, name: OperationRef) -> i64 {
        let extreme = draw.within(0, 127);
        let pool = i64::from(draw.within(0, 255));
        match (extreme, self.timestamps_count) {
            (127, _) => i64::MAX,
            (124..=126, _) => i64::MIN + 1,
            (121..=123, _) => -1 - pool % 3,
            (118..=120, _) => 0,
            (_, 0) => 1_000 + i64::from(name.index) * 10 + i64::from(name.client),
            (_, count) => 1 + pool % count,
        }
    }
}

pub(super) fn build(sections: &Sections<'_>) -> Plan {
    let character = Character::draw(sections);
    let mut shapes = shapes(&sections.tables(), Collections::Many);
    shapes.truncate(character.graces.len());
    let options = character.graces.iter().zip(&character.purges);
    for (shape, (grace, purge)) in shapes.iter_mut().zip(options) {
        (shape.gc_grace_seconds, shape.purge) = (*grace, *purge);
    }
    let pools = character.pools;
    let maker = Maker { pools, shapes };
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
    let tables = 0..maker.shapes.len();
    let mut session: Session = tables.map(|table| maker.create(number(table))).collect();
    for record in records {
        let name = OperationRef {
            client: u16::try_from(client).expect("a handful of clients"),
            index: u32::try_from(session.len()).expect("some hundred operations"),
        };
        session.extend(operations(character, maker, name, record));
    }
    session
}

/// What a record means: one operation, or a read in both orders.
fn operations(
    character: &Character,
    maker: &Maker,
    name: OperationRef,
    record: &RecordBytes,
) -> Vec<Operation> {
    let draw = &mut Draw::new(&record[1..]);
    let kind = draw.weighted(&character.kinds);
    let table = number(draw.below(maker.shapes.len()));
    let partition = maker.partition(draw);
    let timestamp = character.timestamp(draw, name);
    vec![match kind {
        Kind::Insert => maker.insert(draw, name, table, partition, timestamp),
        Kind::Update => maker.update(draw, name, table, partition, timestamp),
        Kind::DeleteCells => maker.delete_cells(draw, table, partition, timestamp),
        Kind::DeleteRow => maker.delete_row(draw, table, partition, timestamp),
        Kind::DeleteRange => maker.delete_range(draw, table, partition, timestamp),
        Kind::DeletePartition => Operation::DeletePartition {
            table,
            partition,
            timestamp,
        },
        Kind::Read => maker.read(draw, table, partition),
        Kind::ReadBothWays => {
            let read = maker.read(draw, table, partition);
            return both_ways(read, maker.shape(table));
        }
        Kind::Late => {
            let above = timestamp.saturating_add(1 + i64::from(draw.within(0, 7)));
            let below = timestamp.saturating_sub(i64::from(draw.within(0, 3)));
            let timestamps = [timestamp, below.max(i64::MIN + 1), above];
            let longest = character.pause_millis_max;
            let millis = draw.within(longest / 2, longest);
            let bytes = &record[LATE_OFFSET..];
            return late(maker, name, (table, partition), timestamps, millis, bytes);
        }
        Kind::Flush => Operation::Flush { table },
        Kind::Compact => Operation::Compact { table },
        Kind::Stones => Operation::Stones { table, partition },
        Kind::Truncate => Operation::Truncate { table },
        Kind::MarkRepaired => Operation::MarkRepaired { table },
        Kind::ChangeColumn => change_column(draw, table, maker.shape(table), timestamp),
        Kind::CreateAgain => maker.create(table),
        Kind::Pause => Operation::Pause {
            millis: draw.within(100, character.pause_millis_max),
        },
    }]
}

/// Where the bytes of what is written late begin in a record.
const LATE_OFFSET: usize = 12;

/// Cells are deleted, written below their deletion, and a while later above it; then all is merged. The deletion is
/// in a file, the two writes are in a memtable.
fn late(
    maker: &Maker,
    name: OperationRef,
    (table, partition): (TableNumber, i32),
    timestamps: [i64; 3],
    millis: u32,
    bytes: &[u8],
) -> Vec<Operation> {
    let write = |index: u32, timestamp: i64| {
        let name = OperationRef {
            index: name.index + index,
            ..name
        };
        // Of the same bytes: so of the same cells.
        maker.update(&mut Draw::new(bytes), name, table, partition, timestamp)
    };
    let [deleted, below, above] = timestamps;
    let (below, above) = (write(2, below), write(4, above));
    let mut operations = vec![
        Operation::Flush { table },
        below.clone(),
        Operation::Pause { millis },
        above,
        Operation::Compact { table },
    ];
    if let Operation::Update {
        row,
        cells,
        elements,
        ..
    } = below
    {
        let deletion = Operation::DeleteCells {
            table,
            partition,
            row,
            columns: cells.into_keys().chain(elements.into_keys()).collect(),
            elements: BTreeMap::new(),
            timestamp: deleted,
        };
        operations.insert(0, deletion);
    }
    operations
}

/// The read in an order by name, and in the other one; in a table without an order, the read.
fn both_ways(read: Operation, shape: &Shape) -> Vec<Operation> {
    if shape.clustering.is_empty() {
        return vec![read];
    }
    let (mut first, mut second) = (read.clone(), read);
    if let (Operation::Read { order, .. }, Operation::Read { order: other, .. }) =
        (&mut first, &mut second)
    {
        let named = order.unwrap_or(Order::Asc);
        (*order, *other) = (Some(named), Some(named.reversed()));
    }
    vec![first, second]
}
