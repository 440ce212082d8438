//! Contents of `states`: what a crash may leave, listed: as hashes, as images, as recoveries that read them.

mod odometer;
mod outcomes;
mod shares;
mod parts;
mod flat;
mod names;
mod images;
mod allowed;
mod seen;
mod search;
mod tape;
mod steps;

pub use images::Image;
pub(super) use names::NamePlan;
pub use odometer::Bounds;
pub(super) use parts::PageParts;
pub use search::{Progress, Search};
pub use seen::Seen;
pub use steps::{STEPS, Step, after, sequences};
pub use tape::{Point, Tape};
