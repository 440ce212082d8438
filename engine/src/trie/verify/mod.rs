//! Contents of `verify`: walks that are watched, and fail where they break what is promised of them.
//!
//! `Verified` and its kin always watch: for tests. Whoever makes cursors that run in a simulation wraps each where
//! it is made, a source and what is merged of sources alike, by [`watched`], [`watched_range`] or
//! [`watched_deletion_aware`], and names its type by [`Watched`] and its kin. With the feature `verify` these
//! watch; without it they are the walk itself, and cost nothing.

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
