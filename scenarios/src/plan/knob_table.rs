//! Vocabulary of knobs for whoever turns them: what each does, and what it may be set to.

use std::fmt;
use std::ops::RangeInclusive;

use super::bounds;
use super::disk::{DiskProfile, DiskTear};
use super::knobs::TaskSchedule;

/// What a knob may be set to.
#[derive(Clone, Debug)]
pub(super) enum Values {
    /// A number of a range.
    Within(i128, i128),
    /// Zero, for never, or a number of a range.
    NeverOr(i128, i128),
    /// One of these words.
    Word(Vec<&'static str>),
    /// A share, from `0/1` to `1/1`.
    Ratio,
}

impl Values {
    fn words<T: Copy>(all: &[T], name: impl Fn(T) -> &'static str) -> Values {
        Values::Word(all.iter().map(|&word| name(word)).collect())
    }

    fn within<T: Copy + Into<i128>>(range: &RangeInclusive<T>) -> Values {
        Values::Within((*range.start()).into(), (*range.end()).into())
    }
}

impl fmt::Display for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Values::Within(first, last) => write!(f, "{first}..={last}"),
            Values::NeverOr(first, last) => write!(f, "0 or {first}..={last}"),
            Values::Word(words) => f.write_str(&words.join(", ")),
            Values::Ratio => f.write_str("a ratio from 0/1 to 1/1"),
        }
    }
}

/// A knob: its name, its values, and what it does.
pub(super) type Knob = (&'static str, Values, &'static str);

/// The database's.
pub(super) fn of_engine() -> Vec<Knob> {
    let millis = || Values::within(&bounds::COMMITLOG_MILLIS);
    let sstables = &bounds::COMPACTION_SSTABLES;
    vec![
        (
            "commitlog_mode",
            Values::Word(vec!["periodic", "batch", "group"]),
            "when writes become durable: after their acknowledgement, before it, before it in groups",
        ),
        (
            "commitlog_period_millis",
            millis(),
            "time between syncs in periodic mode",
        ),
        (
            "commitlog_window_millis",
            millis(),
            "time between syncs in group mode",
        ),
        (
            "segment_size_bytes",
            Values::within(&bounds::SEGMENT_SIZE),
            "size at which a commit log segment is full",
        ),
        (
            "memtable_size_bytes",
            Values::within(&bounds::MEMTABLE_SIZE),
            "size at which a memtable is flushed",
        ),
        (
            "block_size_bytes",
            Values::within(&bounds::BLOCK_SIZE),
            "size of a data block of an sstable",
        ),
        (
            "schema_flush_window_millis",
            Values::within(&bounds::FLUSH_WINDOW_MILLIS),
            "how long a schema change waits for its flush; 0 flushes in each change",
        ),
        (
            "compaction_sstables_min",
            Values::NeverOr((*sstables.start()).into(), (*sstables.end()).into()),
            "how many sstables of a table are compacted without being asked to; 0 for never",
        ),
    ]
}

/// The world's.
pub(super) fn of_world() -> Vec<Knob> {
    [of_disk(), of_tasks(), of_network_and_clocks()].concat()
}

fn of_disk() -> Vec<Knob> {
    let latency = || Values::within(&bounds::LATENCY_MICROS);
    vec![
        (
            "disk_profile",
            Values::words(DiskProfile::ALL, DiskProfile::name),
            "what a crash may leave of unsynced writes: nothing, all that POSIX allows, or what a file system does; \
             what a lying-drive loses, the database has lost: scenarios draw none",
        ),
        (
            "disk_tear",
            Values::words(DiskTear::ALL, DiskTear::name),
            "unit in which they tear, and what a power cut makes of one; unreadable, garbage-sector and \
             garbage-page spoil synced bytes beside it, too: scenarios draw none of them",
        ),
        (
            "disk_capacity_bytes",
            Values::Within(
                (*bounds::CAPACITY.start()).into(),
                (*bounds::CAPACITY.end()).into(),
            ),
            "what fits on the disk",
        ),
        (
            "disk_latency_micros_max",
            latency(),
            "time that a disk operation takes at most; a sync takes four times as long",
        ),
    ]
}

fn of_tasks() -> Vec<Knob> {
    vec![
        (
            "time_quantum_micros",
            Values::within(&bounds::QUANTUM_MICROS),
            "instants are rounded up to multiples of this",
        ),
        (
            "schedule",
            Values::words(TaskSchedule::ALL, TaskSchedule::name),
            "in which order tasks run that are ready at one time: at random, each by itself, all as likely, by \
             strict priorities (probabilistic concurrency testing), in a circle",
        ),
        (
            "schedule_changes_count",
            Values::within(&bounds::SCHEDULE_CHANGES),
            "how often the priorities of pct change",
        ),
        (
            "stall",
            Values::Ratio,
            "how often a task that became ready is late",
        ),
        (
            "stall_micros_max",
            Values::within(&bounds::STALL_MICROS),
            "by how much it is late at most",
        ),
    ]
}

fn of_network_and_clocks() -> Vec<Knob> {
    let rate = &bounds::LINK_BYTES_PER_SECOND;
    vec![
        (
            "network_delay_micros_max",
            Values::within(&bounds::DELAY_MICROS),
            "time that a packet takes at most",
        ),
        (
            "network_bytes_per_second",
            Values::NeverOr((*rate.start()).into(), (*rate.end()).into()),
            "how many bytes pass a link in a second, in each direction; 0 for no limit",
        ),
        ("network_loss", Values::Ratio, "how many packets are lost"),
        (
            "network_duplication",
            Values::Ratio,
            "how many packets arrive twice",
        ),
        (
            "clock_offset_millis",
            Values::within(&bounds::CLOCK_OFFSET_MILLIS),
            "how far the node's wall clock is ahead of true time",
        ),
        (
            "clock_drift_ppm",
            Values::within(&bounds::DRIFT_PPM),
            "how much faster than true time it runs, in millionths",
        ),
        (
            "client_timeout_millis",
            Values::within(&bounds::TIMEOUT_MILLIS),
            "how long a client waits for an answer",
        ),
    ]
}
