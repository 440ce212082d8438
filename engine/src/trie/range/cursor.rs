//! Invariants of walks over ranges: what a marker leaves in force is in force up to the next one; nothing is in
//! force before the root and after the end.

use super::marker::{Covering, Marker};
use crate::trie::Cursor;

/// A walk over boundaries, which knows at each position what is in force there.
pub trait RangeCursor: Cursor<Content = Marker<Self::Covering>> {
    /// What covers a range.
    type Covering: Covering;

    /// What is in force just before this position, in the order of the walk; nothing at the end.
    fn preceding(&self) -> Option<Self::Covering>;

    /// The marker here, or what covers the place.
    fn state(&self) -> Marker<Self::Covering> {
        if self.position().is_exhausted() {
            return Marker::covering(None);
        }
        self.content()
            .unwrap_or_else(|| Marker::covering(self.preceding()))
    }

    /// What applies to data that has its place at this node's key, and is met here.
    ///
    /// A descending walk meets a node before what has its place below it, and data at the node comes before all
    /// that: what is in force there is what the branch closes with.
    fn applicable(&self) -> Option<Self::Covering>
    where
        Self: Sized,
    {
        let (position, state) = (self.position(), self.state());
        let is_early = position.direction().is_reverse() && !position.is_return();
        if !is_early || position.is_exhausted() || state.point.is_some() {
            return state.applicable(position);
        }
        let mut branch = self.tail(position.direction());
        branch.skip_to(branch.position().on_return());
        branch.preceding()
    }
}
