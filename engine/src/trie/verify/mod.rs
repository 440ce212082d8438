//! Contents of `verify`: walks that are watched, and fail where they break what is promised of them.
//!
//! `Verified` and its kin always watch: for tests. What runs in a simulation wraps its cursors by [`watched`],
//! [`watched_range`] and [`watched_deletion_aware`], which watch when the package is built with the feature `verify`, and are nothing at all
//! otherwise.

mod deletion_aware;
mod plain;
mod range;
mod trail;
mod watched;

pub use deletion_aware::VerifiedDeletionAware;
pub use plain::Verified;
pub use range::VerifiedRange;
pub use watched::{
    Watched, WatchedDeletionAware, WatchedRange, watched, watched_deletion_aware, watched_range,
};
