//! Contents of `commitlog`: what every write is put into first, and what a start reads again.
//!
//! `FORMAT.md` describes the bytes.

mod append;
mod discard;
mod error;
mod interval;
mod log;
mod options;
mod position;
mod replay;
mod segment;
mod state;
mod sync;

pub use error::CommitLogError;
pub use interval::{Interval, IntervalSet};
pub use log::{CommitLog, Reservation};
pub use options::{CommitLogOptions, SegmentIds, SyncMode, segment_ids};
pub use position::Position;
pub use replay::{Bounds, Fate, Replay, ReplayFilter, Replayed};
