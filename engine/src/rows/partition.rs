//! Invariants of a partition: range tombstones ascend, are disjoint and not empty; nothing is held
//! that a deletion of the same partition shadows.

use std::collections::BTreeMap;

use super::deletion::{DeletionTime, RangeTombstone};
use super::row::Row;
use crate::keys::Clustering;

/// One version of a partition; also the change that a write makes to one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Partition {
    /// The partition deletion, when there is one.
    pub deletion: Option<DeletionTime>,
    /// Static columns; empty when there are none.
    pub static_row: Row,
    /// Rows in clustering order.
    pub rows: BTreeMap<Clustering, Row>,
    /// Range tombstones in bound order.
    pub ranges: Vec<RangeTombstone>,
}
