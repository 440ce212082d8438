//! Invariants of plans, as numbers: every bound on a plan stands here and nowhere else.

use std::ops::RangeInclusive;

use cenotaph_engine::limits::{
    ELEMENT_PATH_SIZE_MAX, SCHEMA_FLUSH_WINDOW_MILLIS_MAX, TTL_SECONDS_MAX,
};

/// Clients of a plan.
pub(crate) const CLIENTS: RangeInclusive<usize> = 1..=16;
/// Operations of one client.
pub(crate) const OPERATIONS_MAX: usize = 8192;
/// Faults of a plan.
pub(crate) const FAULTS_MAX: usize = 64;
/// Bytes of a plan's text.
pub(crate) const TEXT_SIZE_MAX: usize = 16 << 20;
/// Bytes of a scenario's or a planted bug's name.
pub(crate) const NAME_SIZE: RangeInclusive<usize> = 1..=64;

/// Numbers of tables.
pub(crate) const TABLE_NUMBER: RangeInclusive<u16> = 0..=19_999;
/// Clustering columns of a table.
pub(crate) const CLUSTERING_COUNT: RangeInclusive<usize> = 0..=2;
/// Static columns of a table.
pub(crate) const STATICS_COUNT: RangeInclusive<usize> = 0..=1;
/// Regular columns of a table as created.
pub(crate) const REGULARS_COUNT: RangeInclusive<usize> = 1..=3;
/// Index of a regular column, added ones too.
pub(crate) const REGULAR_INDEX: RangeInclusive<u8> = 0..=15;

/// Bytes of a value.
pub(crate) const VALUE_SIZE_MAX: usize = 16 << 10;
/// Scalars in one collection, or in one change of it: keys and values.
pub(crate) const ELEMENTS_MAX: usize = 64;
/// Bytes of a key of an element.
pub(crate) const ELEMENT_KEY_SIZE_MAX: usize = 1 << 10;
/// Write times. The smallest number of all means "never" to the database, which refuses it.
pub(crate) const TIMESTAMP: RangeInclusive<i64> = i64::MIN + 1..=i64::MAX;
/// How long what is written lives.
pub(crate) const TTL_SECONDS: RangeInclusive<u32> = 1..=TTL_SECONDS_MAX;
/// How long tombstones are kept at least.
pub(crate) const GC_GRACE_SECONDS: RangeInclusive<u32> = 0..=TTL_SECONDS_MAX;
/// `LIMIT`.
pub(crate) const LIMIT: RangeInclusive<u32> = 1..=1_000_000;
/// How long a client pauses.
pub(crate) const PAUSE_MILLIS: RangeInclusive<u32> = 0..=60_000;

/// When a fault strikes.
pub(crate) const ANCHOR_MILLIS: RangeInclusive<u32> = 0..=3_600_000;
/// Which machine it strikes.
pub(crate) const MACHINE: RangeInclusive<u16> = 1..=1;
/// Which incarnation of the machine it strikes.
pub(crate) const INCARNATION: RangeInclusive<u32> = 1..=64;
/// Which of the anchor's disk operations it strikes.
pub(crate) const ORDINAL: RangeInclusive<u32> = 0..=1_000_000;
/// How long a machine stays down.
pub(crate) const DOWN_MILLIS: RangeInclusive<u32> = 0..=60_000;
/// How long a client is cut off, links are clogged, the node is paused, or its clock drifts.
pub(crate) const FAULT_MILLIS: RangeInclusive<u32> = 1..=60_000;
/// How far a clock jumps.
pub(crate) const CLOCK_MILLIS: RangeInclusive<i32> = -86_400_000..=86_400_000;
/// How far a clock is off: up to the last second that 32 bits tell.
pub(crate) const CLOCK_OFFSET_MILLIS: RangeInclusive<i64> = -86_400_000..=2_594_967_295_000;
/// How much a clock gains for a while, in millionths. With what it always gains, it never goes back.
pub(crate) const CLOCK_DRIFT_PPM: RangeInclusive<i32> = -900_000..=10_000_000;
/// How many packets are dropped.
pub(crate) const DROPPED_COUNT: RangeInclusive<u16> = 1..=1_000;

/// Time between syncs of the commit log, or a group's window.
pub(crate) const COMMITLOG_MILLIS: RangeInclusive<u32> = 1..=60_000;
/// Size of a commit log segment.
pub(crate) const SEGMENT_SIZE: RangeInclusive<u32> = 1 << 10..=64 << 20;
/// Size of a full memtable.
pub(crate) const MEMTABLE_SIZE: RangeInclusive<u32> = 1 << 8..=256 << 20;
/// Size of a data block.
pub(crate) const BLOCK_SIZE: RangeInclusive<u32> = 64..=1 << 20;
/// How long a schema change waits for its flush; 0 does not wait.
pub(crate) const FLUSH_WINDOW_MILLIS: RangeInclusive<u32> = 0..=3_600_000;
/// Sstables of a table that are compacted by themselves; 0 for never.
pub(crate) const COMPACTION_SSTABLES: RangeInclusive<u32> = 2..=64;
/// Size of the disk.
pub(crate) const CAPACITY: RangeInclusive<u64> = 1 << 20..=1 << 40;
/// The longest time of one disk operation.
pub(crate) const LATENCY_MICROS: RangeInclusive<u32> = 0..=20_000;
/// Of a packet. Not 0: what a client does after an answer comes after it, in time too.
pub(crate) const DELAY_MICROS: RangeInclusive<u32> = 1..=20_000;
/// Time of a scheduler's step.
pub(crate) const QUANTUM_MICROS: RangeInclusive<u32> = 1..=5_000;
/// Changes of priorities.
pub(crate) const SCHEDULE_CHANGES: RangeInclusive<u32> = 0..=64;
/// How late a ready task may be.
pub(crate) const STALL_MICROS: RangeInclusive<u32> = 0..=10_000;
/// Bytes a second that pass a link; 0 for no limit.
pub(crate) const LINK_BYTES_PER_SECOND: RangeInclusive<u32> = 10_000..=1_000_000_000;
/// How much faster a clock runs.
pub(crate) const DRIFT_PPM: RangeInclusive<i32> = -100_000..=100_000;
/// How long a client waits.
pub(crate) const TIMEOUT_MILLIS: RangeInclusive<u32> = 1..=10_000;

const _: () = assert!(*REGULARS_COUNT.end() <= *REGULAR_INDEX.end() as usize + 1);
const _: () = assert!(*FLUSH_WINDOW_MILLIS.end() as u64 <= SCHEMA_FLUSH_WINDOW_MILLIS_MAX);
const _: () = assert!(*BLOCK_SIZE.start() <= *MEMTABLE_SIZE.start());
const _: () = assert!(*CLOCK_DRIFT_PPM.start() + *DRIFT_PPM.start() >= -1_000_000);
const _: () = assert!(VALUE_SIZE_MAX < *SEGMENT_SIZE.end() as usize);
// A key may grow to twice its size when it becomes a path.
const _: () = assert!(2 * ELEMENT_KEY_SIZE_MAX + 2 <= ELEMENT_PATH_SIZE_MAX);
