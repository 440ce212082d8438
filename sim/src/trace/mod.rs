//! Contents of `trace`: what happened, as a fingerprint, as marks, and as a timeline to read.

mod context;
mod event;
mod fingerprint;
mod marks;
mod recorder;
mod timeline;

pub use context::{At, here, set_here};
pub use event::Kind;
pub use fingerprint::{CHECKPOINT_EVENTS, Fingerprint};
pub use marks::Marks;
pub use recorder::{Difference, Event, Recorder, Trace, first_difference};
pub use timeline::{Line, Timeline, TimelineLayer, watch};
