//! Steps to a run's character: each run draws which kinds of operation it has at all, how often,
//! and how small its pools are; so some runs are all deletes, some all flushes, some mixed.

use crate::plan::{Draw, Knobs, Sections, TABLE_SLOTS};

use cenotaph_sim::entropy::Ratio;

use super::knobs;
use super::maker::Pools;

/// Kinds of operation of a client that works on rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Insert,
    Update,
    DeleteCells,
    DeleteRow,
    DeleteRange,
    DeletePartition,
    Read,
    Flush,
    Describe,
    Pause,
    CreateAgain,
}

/// Kinds of what the schema's client does beside creating tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SchemaKind {
    Insert,
    CreateAgain,
    AddColumn,
    Recreate,
    Drop,
    Flush,
    Describe,
    Pause,
}

/// What holds for the whole of one run.
#[derive(Clone, Debug)]
pub(super) struct Swarm {
    pub(super) knobs: Knobs,
    /// No fault but crashes.
    pub(super) quiet: bool,
    pub(super) crashes_count: usize,
    pub(super) tables_count: usize,
    /// The first tables, which most operations choose.
    pub(super) hot_count: usize,
    /// Few tables are flushed all the time, by several clients at once.
    pub(super) storms: bool,
    /// Every table gets a row as soon as it is there.
    pub(super) writes_after_create: bool,
    /// Operations of each client, the schema's client first.
    pub(super) operations_count: Vec<usize>,
    pub(super) kinds: Vec<(u32, Kind)>,
    pub(super) schema_kinds: Vec<(u32, SchemaKind)>,
    pub(super) pools: Pools,
    /// Size of the pool of write times; 0 when they ascend with the operations.
    pub(super) timestamps_count: i64,
}

const KINDS: [(u32, Kind); 11] = [
    (8, Kind::Insert),
    (6, Kind::Update),
    (7, Kind::Read),
    (2, Kind::DeleteCells),
    (2, Kind::DeleteRow),
    (3, Kind::DeleteRange),
    (1, Kind::DeletePartition),
    (1, Kind::Flush),
    (1, Kind::Describe),
    (1, Kind::Pause),
    (1, Kind::CreateAgain),
];

/// Kinds that every run has, or there would be nothing to judge.
const KINDS_ALWAYS: usize = 3;

/// A CREATE may be lost with the incarnation that it was sent to, and a table may be dropped: so
/// creating again is always on, and mostly refused.
const SCHEMA_KINDS: [(u32, SchemaKind); 8] = [
    (4, SchemaKind::Insert),
    (5, SchemaKind::CreateAgain),
    (2, SchemaKind::Describe),
    (2, SchemaKind::AddColumn),
    (2, SchemaKind::Recreate),
    (1, SchemaKind::Drop),
    (1, SchemaKind::Flush),
    (1, SchemaKind::Pause),
];

/// Who writes rows in a storm, and how much they do at least.
const STORM_CLIENTS: usize = 3;
const STORM_OPERATIONS: usize = 90;

/// How frequent flushes are in a storm of them.
const STORM_FLUSHES: u32 = 8;

/// How late a disk is then at most, and a task.
const STORM_LATENCY_MICROS: u32 = 1_000;
const STORM_STALL_MICROS: u32 = 10_000;

/// Operations of the usual shape.
const USUAL_OPERATIONS: usize = 300;

/// As above, of the schema's client.
const SCHEMA_KINDS_ALWAYS: usize = 2;

/// By how much a run changes the weight of a kind, and how often: some are off, some far from their usual
/// place among the others.
const FACTORS: [(u32, u32); 4] = [(8, 1), (4, 0), (3, 3), (1, 12)];

/// Switches kinds off and makes others much more frequent; the first `always` stay on.
pub(super) fn subset<K: Copy>(
    draw: &mut Draw<'_>,
    kinds: &[(u32, K)],
    always: usize,
) -> Vec<(u32, K)> {
    let factors = kinds.iter().map(|_| draw.weighted(&FACTORS));
    let factors: Vec<u32> = factors.collect();
    (0..)
        .zip(kinds.iter().zip(factors))
        .map(|(index, ((weight, kind), factor))| {
            (
                weight
                    * if index < always {
                        factor.max(1)
                    } else {
                        factor
                    },
                *kind,
            )
        })
        .collect()
}

impl Swarm {
    /// The run's character by its bytes; the plan's tables are at most `tables_max`.
    pub(super) fn draw(sections: &Sections<'_>, tables_max: usize) -> Swarm {
        assert!(
            tables_max <= TABLE_SLOTS,
            "{tables_max} tables, of {TABLE_SLOTS}"
        );
        let bytes = sections.knobs();
        let mut draw = Draw::new(&bytes);
        let quiet = !draw.chance(1, 2);
        let knobs = knobs::draw(&mut draw, quiet);
        let crashes_count = draw.weighted(&[(3, 1), (2, 2), (1, 3)]);
        let all_tables = !draw.chance(1, 2);
        let few = 1 + draw.below(tables_max.min(8));
        let tables_count = if all_tables { tables_max } else { few };
        let hot_count = (1 + draw.below(3)).min(tables_count);
        let writes_after_create = !draw.chance(1, 4);
        let clients_count = draw.weighted(&[(2, 1), (2, 2), (1, 3)]);
        let size = draw.weighted(&[(3, 40), (2, 28), (2, 56)]);
        let mut operations_count = vec![size / 4 + draw.below(size / 2)];
        operations_count.extend((0..clients_count).map(|_| size + draw.below(size)));
        let kinds = subset(&mut draw, &KINDS, KINDS_ALWAYS);
        let schema_kinds = subset(&mut draw, &SCHEMA_KINDS, SCHEMA_KINDS_ALWAYS);
        let partitions_count = draw.pick(&[2, 1, 3]);
        let pool_count = draw.pick(&[4, 2, 6, 8]);
        let timestamps_count = draw.pick(&[0, 4, 10, 2]);
        let padding_max = draw.pick(&[0, 0, 60, 900]);
        let is_usual = draw.chance(2, 5);
        let adds_columns = schema_kinds
            .iter()
            .any(|(weight, kind)| *weight > 0 && *kind == SchemaKind::AddColumn);
        let swarm = Swarm {
            knobs,
            quiet,
            crashes_count,
            tables_count,
            hot_count,
            storms: false,
            writes_after_create,
            operations_count,
            kinds,
            schema_kinds,
            pools: Pools {
                partitions_count,
                pool_count,
                padding_max,
                adds_columns,
                ttl_quarters: 0,
            },
            timestamps_count,
        };
        match (is_usual, draw.chance(2, 3)) {
            (true, _) => swarm.usual(tables_max),
            (false, true) => swarm.storm(),
            (false, false) => swarm,
        }
    }

    /// The shape in which flushes of one table overlap and end in any order: clients write one table and flush it,
    /// each as often as it likes, on a machine that is often late.
    fn storm(mut self) -> Swarm {
        self.storms = true;
        self.hot_count = 1;
        let rows_count = self.operations_count[1..]
            .iter()
            .sum::<usize>()
            .max(STORM_OPERATIONS);
        self.operations_count.truncate(1);
        self.operations_count
            .extend([rows_count / STORM_CLIENTS; STORM_CLIENTS]);
        self.knobs.world.disk_latency_micros_max = STORM_LATENCY_MICROS;
        self.knobs.world.stall = Ratio::new(1, 10).expect("it is below one");
        self.knobs.world.stall_micros_max = STORM_STALL_MICROS;
        for (weight, kind) in &mut self.kinds {
            if *kind == Kind::Flush {
                *weight = STORM_FLUSHES;
            }
        }
        self
    }

    /// The shape in which this was first seen to go wrong: all tables, each written as soon as it is
    /// there, and some hundred operations on them before the crash.
    fn usual(mut self, tables_max: usize) -> Swarm {
        self.tables_count = tables_max;
        self.writes_after_create = true;
        let rows_clients = self.operations_count.len() - 1;
        let created_count = 2 * tables_max;
        let left_count = USUAL_OPERATIONS.saturating_sub(created_count + self.operations_count[0]);
        for count in &mut self.operations_count[1..] {
            *count = left_count / rows_clients;
        }
        self
    }
}
