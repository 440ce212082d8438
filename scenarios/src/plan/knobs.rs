//! Vocabulary of knobs: what a run may turn, in the engine and in the world around it.
//!
//! A plan's text names only the knobs that differ from their defaults.

use std::fmt;

use cenotaph_sim::entropy::Ratio;
use serde::{Deserialize, Serialize};

use super::disk::{DiskProfile, DiskTear};
use super::fault::named;
use super::ratio;

/// When the commit log makes writes durable.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum CommitlogMode {
    /// A sync every period; a write is acknowledged before it.
    Periodic,
    /// A write is acknowledged after a sync that covers it, asked for at once.
    #[default]
    Batch,
    /// As batch, but syncs run only every window.
    Group,
}

named! {
    /// In which order tasks run that are ready at one time.
    #[derive(Default)]
    TaskSchedule {
        /// Each time a task becomes ready it draws its place.
        #[default]
        Random = "random",
        /// Whenever one is to run, all that are ready are as likely.
        Walk = "walk",
        /// Tasks have strict random priorities, which change a few times.
        Pct = "pct",
        /// In a circle.
        RoundRobin = "round-robin",
    }
}

/// Knobs of the database.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EngineKnobs {
    /// When writes become durable.
    pub commitlog_mode: CommitlogMode,
    /// Time between syncs in periodic mode.
    pub commitlog_period_millis: u32,
    /// Time between syncs in group mode.
    pub commitlog_window_millis: u32,
    /// Size at which a commit log segment is full.
    pub segment_size_bytes: u32,
    /// Size at which a memtable is flushed.
    pub memtable_size_bytes: u32,
    /// Size of a data block of an sstable, before compression.
    pub block_size_bytes: u32,
    /// How long after a schema change the schema tables are flushed; 0 flushes in each change.
    pub schema_flush_window_millis: u32,
    /// How many sstables of a table are compacted without being asked to; 0 for never.
    pub compaction_sstables_min: u32,
}

impl Default for EngineKnobs {
    fn default() -> EngineKnobs {
        EngineKnobs {
            commitlog_mode: CommitlogMode::default(),
            commitlog_period_millis: 100,
            commitlog_window_millis: 10,
            segment_size_bytes: 64 << 10,
            memtable_size_bytes: 64 << 10,
            block_size_bytes: 4 << 10,
            schema_flush_window_millis: 1_000,
            compaction_sstables_min: 0,
        }
    }
}

/// Knobs of the simulated machines, disks and networks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WorldKnobs {
    /// What a crash may leave of unsynced writes.
    pub disk_profile: DiskProfile,
    /// How a crash tears them.
    pub disk_tear: DiskTear,
    /// Bytes that fit on the disk.
    pub disk_capacity_bytes: u64,
    /// Time that a disk operation takes at most.
    pub disk_latency_micros_max: u32,
    /// Instants are rounded up to multiples of this, so that several tasks are ready at once.
    pub time_quantum_micros: u32,
    /// In which order those run.
    pub schedule: TaskSchedule,
    /// How often priorities change, in the schedule that has some.
    pub schedule_changes_count: u32,
    /// How often a task that became ready is late, on any machine.
    #[serde(with = "ratio")]
    pub stall: Ratio,
    /// By how much it is late at most.
    pub stall_micros_max: u32,
    /// Time that a packet takes at most.
    pub network_delay_micros_max: u32,
    /// How many bytes pass a link in a second, in each direction; 0 for no limit.
    pub network_bytes_per_second: u32,
    /// How many packets are lost.
    #[serde(with = "ratio")]
    pub network_loss: Ratio,
    /// How many packets arrive twice.
    #[serde(with = "ratio")]
    pub network_duplication: Ratio,
    /// How far the node's wall clock is ahead of true time.
    pub clock_offset_millis: i64,
    /// How much faster than true time the node's clocks run, in parts per million.
    pub clock_drift_ppm: i32,
    /// How long a client waits for an answer.
    pub client_timeout_millis: u32,
}

impl Default for WorldKnobs {
    fn default() -> WorldKnobs {
        WorldKnobs {
            disk_profile: DiskProfile::default(),
            disk_tear: DiskTear::default(),
            disk_capacity_bytes: 1 << 30,
            disk_latency_micros_max: 200,
            time_quantum_micros: 100,
            schedule: TaskSchedule::default(),
            schedule_changes_count: 3,
            stall: Ratio::NEVER,
            stall_micros_max: 2_000,
            network_delay_micros_max: 500,
            network_bytes_per_second: 0,
            network_loss: Ratio::NEVER,
            network_duplication: Ratio::NEVER,
            clock_offset_millis: 0,
            clock_drift_ppm: 0,
            client_timeout_millis: 500,
        }
    }
}

/// All knobs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Knobs {
    /// The database's.
    pub engine: EngineKnobs,
    /// The world's.
    pub world: WorldKnobs,
}
