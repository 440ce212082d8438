//! Vocabulary of the commit log's knobs.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::error::CommitLogError;
use crate::error::Error;
use crate::limits::{
    SEGMENT_SIZE_DEFAULT, SEGMENT_SIZE_MAX, SEGMENT_SIZE_MIN, SYNC_INTERVAL_MILLIS_MAX,
    mutation_size_max,
};

/// When a write is acknowledged, and when the log is synced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SyncMode {
    /// Acknowledged after a sync that covers it; syncs follow one another as fast as they can.
    Batch,
    /// As `Batch`, but a sync waits for company.
    Group {
        /// How long after the first unsynced write a sync begins, in milliseconds.
        window_millis: u64,
    },
    /// Acknowledged once written. Of what was acknowledged, a power cut loses at most what was within
    /// the longer of `period` and the longest sync, and one longest sync more, before it.
    Periodic {
        /// How long after the first unsynced write a sync begins, in milliseconds.
        period_millis: u64,
    },
}

impl SyncMode {
    /// How long after the first unsynced write a sync begins, at the latest when the one before it ends.
    pub(super) const fn delay(self) -> Duration {
        match self {
            SyncMode::Batch => Duration::ZERO,
            SyncMode::Group {
                window_millis: millis,
            }
            | SyncMode::Periodic {
                period_millis: millis,
            } => Duration::from_millis(millis),
        }
    }
}

impl fmt::Display for SyncMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SyncMode::Batch => f.write_str("batch"),
            SyncMode::Group { window_millis } => write!(f, "group({window_millis} ms)"),
            SyncMode::Periodic { period_millis } => write!(f, "periodic({period_millis} ms)"),
        }
    }
}

/// The commit log's knobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CommitLogOptions {
    /// When a write is acknowledged.
    pub mode: SyncMode,
    /// At this size in bytes a segment is followed by the next.
    pub segment_size: u64,
}

impl Default for CommitLogOptions {
    fn default() -> CommitLogOptions {
        let mode = SyncMode::Periodic {
            period_millis: 10_000,
        };
        CommitLogOptions {
            mode,
            segment_size: SEGMENT_SIZE_DEFAULT,
        }
    }
}

impl CommitLogOptions {
    /// Size in bytes of the largest mutation.
    #[must_use]
    pub const fn mutation_size_max(&self) -> usize {
        mutation_size_max(self.segment_size)
    }

    /// Refuses knobs outside their bounds.
    pub(super) fn check(&self) -> Result<(), CommitLogError> {
        let within = |knob, value: u64, min, max| {
            if (min..=max).contains(&value) {
                return Ok(());
            }
            Err(CommitLogError::Knob {
                knob,
                value,
                min,
                max,
            })
        };
        within(
            "segment_size",
            self.segment_size,
            SEGMENT_SIZE_MIN,
            SEGMENT_SIZE_MAX,
        )?;
        match self.mode {
            SyncMode::Batch => Ok(()),
            SyncMode::Group { window_millis } => {
                within("window_millis", window_millis, 0, SYNC_INTERVAL_MILLIS_MAX)
            }
            SyncMode::Periodic { period_millis } => {
                within("period_millis", period_millis, 1, SYNC_INTERVAL_MILLIS_MAX)
            }
        }
    }
}

/// Where segment ids come from: each is larger than all before it in the node's whole life, which must
/// be durable before it is given out.
pub type SegmentIds = Rc<dyn Fn() -> Pin<Box<dyn Future<Output = Result<u64, Error>>>>>;

/// Makes a source of segment ids of an async function.
#[must_use]
pub fn segment_ids<F, R>(next: F) -> SegmentIds
where
    F: Fn() -> R + 'static,
    R: Future<Output = Result<u64, Error>> + 'static,
{
    Rc::new(move || Box::pin(next()))
}
