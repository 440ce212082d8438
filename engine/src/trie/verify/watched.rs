//! Vocabulary of watching by choice of the build: with the feature `verify` a wrapper, without it the walk itself.

use crate::trie::Cursor;
use crate::trie::deletion_aware::DeletionAware;
use crate::trie::range::RangeCursor;

/// A walk that is watched when the build asks for it.
#[cfg(feature = "verify")]
pub type Watched<C> = super::plain::Verified<C>;
/// A walk that is watched when the build asks for it.
#[cfg(not(feature = "verify"))]
pub type Watched<C> = C;

/// A walk over ranges that is watched when the build asks for it.
#[cfg(feature = "verify")]
pub type WatchedRange<R> = super::range::VerifiedRange<R>;
/// A walk over ranges that is watched when the build asks for it.
#[cfg(not(feature = "verify"))]
pub type WatchedRange<R> = R;

/// A deletion-aware walk that is watched when the build asks for it.
#[cfg(feature = "verify")]
pub type WatchedDeletionAware<C> = super::deletion_aware::VerifiedDeletionAware<C>;
/// A deletion-aware walk that is watched when the build asks for it.
#[cfg(not(feature = "verify"))]
pub type WatchedDeletionAware<C> = C;

/// Watches a walk that is at its root, if the build asks for it.
#[cfg(feature = "verify")]
pub fn watched<C: Cursor>(cursor: C) -> Watched<C> {
    super::plain::Verified::new(cursor)
}

/// Watches a walk that is at its root, if the build asks for it.
#[cfg(not(feature = "verify"))]
pub fn watched<C: Cursor>(cursor: C) -> Watched<C> {
    cursor
}

/// Watches a walk over ranges that is at its root, if the build asks for it.
#[cfg(feature = "verify")]
pub fn watched_range<R: RangeCursor>(cursor: R) -> WatchedRange<R> {
    super::range::VerifiedRange::new(cursor)
}

/// Watches a walk over ranges that is at its root, if the build asks for it.
#[cfg(not(feature = "verify"))]
pub fn watched_range<R: RangeCursor>(cursor: R) -> WatchedRange<R> {
    cursor
}

/// Watches a deletion-aware walk that is at its root, if the build asks for it.
#[cfg(feature = "verify")]
pub fn watched_deletion_aware<C: DeletionAware>(cursor: C) -> WatchedDeletionAware<C> {
    super::deletion_aware::VerifiedDeletionAware::new(cursor)
}

/// Watches a deletion-aware walk that is at its root, if the build asks for it.
#[cfg(not(feature = "verify"))]
pub fn watched_deletion_aware<C: DeletionAware>(cursor: C) -> WatchedDeletionAware<C> {
    cursor
}
