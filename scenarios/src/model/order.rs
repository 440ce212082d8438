//! Invariants of order: values compare by their bytes where writes tie, by their meaning where
//! rows are sorted; rows by their table's clustering order.

use std::cmp::Ordering;

use crate::plan::{Edge, Order, Scalar, Shape, Slice};

/// Which of two values of one column wins a tie: the one whose bytes are larger, unsigned; a
/// longer string beats its own beginning.
pub(super) fn by_bytes(left: &Scalar, right: &Scalar) -> Ordering {
    match (left, right) {
        // Eight bytes, big end first, as unsigned: negative numbers are the larger ones.
        (Scalar::Integer(left), Scalar::Integer(right)) => {
            left.to_be_bytes().cmp(&right.to_be_bytes())
        }
        (Scalar::Text(left), Scalar::Text(right)) => left.as_bytes().cmp(right.as_bytes()),
        (Scalar::Blob(left), Scalar::Blob(right)) => left.cmp(right),
        // Only in a column that no table has, whose writes are all refused.
        _ => left.cmp(right),
    }
}

/// How two rows of a table stand to each other in its clustering order.
pub(super) fn by_clustering(shape: &Shape, left: &[Scalar], right: &[Scalar]) -> Ordering {
    assert_eq!(
        left.len(),
        shape.clustering.len(),
        "a row has all clustering values"
    );
    assert_eq!(
        right.len(),
        shape.clustering.len(),
        "a row has all clustering values"
    );
    by_values(shape, left, right)
}

/// How as many values as both have stand to each other in the table's clustering order.
pub(super) fn by_values(shape: &Shape, left: &[Scalar], right: &[Scalar]) -> Ordering {
    for ((left, right), column) in left.iter().zip(right).zip(&shape.clustering) {
        let ordering = match column.1 {
            Order::Asc => left.cmp(right),
            Order::Desc => right.cmp(left),
        };
        if ordering.is_ne() {
            return ordering;
        }
    }
    Ordering::Equal
}

/// Whether a slice names the row.
pub(super) fn contains(slice: &Slice, row: &[Scalar]) -> bool {
    if row.len() < slice.prefix.len() || row[..slice.prefix.len()] != slice.prefix[..] {
        return false;
    }
    let Some(value) = row.get(slice.prefix.len()) else {
        return true;
    };
    let above = match &slice.from {
        Edge::Open => true,
        Edge::Inclusive(bound) => value >= bound,
        Edge::Exclusive(bound) => value > bound,
    };
    let below = match &slice.to {
        Edge::Open => true,
        Edge::Inclusive(bound) => value <= bound,
        Edge::Exclusive(bound) => value < bound,
    };
    above && below
}
