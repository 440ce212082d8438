//! Invariants of places between rows: bounds stand before or after all rows that begin with their
//! values, in the table's clustering order.

use std::cmp::Ordering;

use super::order::by_values;
use crate::history::StoneEdge;
use crate::plan::{Edge, Order, Scalar, Shape, Slice};

/// How two bounds stand to each other.
pub(super) fn compare(shape: &Shape, left: &StoneEdge, right: &StoneEdge) -> Ordering {
    by_values(shape, &left.values, &right.values).then_with(|| {
        // The one with fewer values stands outside of all that begin with them.
        match left.values.len().cmp(&right.values.len()) {
            Ordering::Less if left.is_after => Ordering::Greater,
            Ordering::Less => Ordering::Less,
            Ordering::Greater if right.is_after => Ordering::Less,
            Ordering::Greater => Ordering::Greater,
            Ordering::Equal => left.is_after.cmp(&right.is_after),
        }
    })
}

/// The bounds of a row: just before it and just after.
pub(super) fn around(row: &[Scalar]) -> (StoneEdge, StoneEdge) {
    let edge = |is_after| StoneEdge {
        values: row.to_vec(),
        is_after,
    };
    (edge(false), edge(true))
}

/// The bounds of a slice in clustering order; the first may come after the second, for no rows.
pub(super) fn of_slice(shape: &Shape, slice: &Slice) -> (StoneEdge, StoneEdge) {
    let edge = |edge: &Edge, is_upper: bool| {
        let (bound, is_after) = match edge {
            Edge::Open => (None, is_upper),
            Edge::Inclusive(value) => (Some(value), is_upper),
            Edge::Exclusive(value) => (Some(value), !is_upper),
        };
        StoneEdge {
            values: slice.prefix.iter().chain(bound).cloned().collect(),
            is_after,
        }
    };
    let column = shape.clustering.get(slice.prefix.len());
    if column.is_some_and(|column| column.1 == Order::Desc) {
        (edge(&slice.to, false), edge(&slice.from, true))
    } else {
        (edge(&slice.from, false), edge(&slice.to, true))
    }
}

/// Whether the first range, from one bound to another, covers the second.
pub(super) fn covers(
    shape: &Shape,
    outer: (&StoneEdge, &StoneEdge),
    inner: (&StoneEdge, &StoneEdge),
) -> bool {
    compare(shape, outer.0, inner.0).is_le() && compare(shape, inner.1, outer.1).is_le()
}
