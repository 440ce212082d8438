//! Invariants of pools: few values, drawn again and again, so that keys, bounds and timestamps
//! meet; neighbours, negatives, empty and prefix-sharing texts among them.

use crate::plan::{Draw, Edge, Scalar, ScalarType, Shape, Slice};

const INTEGERS: [i64; 8] = [1, 2, 3, 0, -1, 4, 300, -70_000];
const TEXTS: [&str; 8] = ["a", "ab", "b", "", "aa", "c", "\u{e9}", "a b"];

/// A clustering value of this type, one of the first `count` of its pool.
pub(super) fn clustering_value(
    draw: &mut Draw<'_>,
    scalar_type: ScalarType,
    count: usize,
) -> Scalar {
    match scalar_type {
        ScalarType::Int | ScalarType::BigInt => Scalar::Integer(draw.pick(&INTEGERS[..count])),
        ScalarType::Text => Scalar::Text(draw.pick(&TEXTS[..count]).to_owned()),
        ScalarType::Blob => unreachable!("no clustering column is a blob"),
    }
}

/// The values of all clustering columns.
pub(super) fn row(draw: &mut Draw<'_>, shape: &Shape, count: usize) -> Vec<Scalar> {
    shape
        .clustering
        .iter()
        .map(|column| clustering_value(draw, column.0, count))
        .collect()
}

/// A slice that leaves at least one column to its bounds; none for a table without such columns.
pub(super) fn range(draw: &mut Draw<'_>, shape: &Shape, count: usize) -> Option<Slice> {
    let columns = &shape.clustering;
    let prefix_count = if columns.len() > 1 {
        draw.below(columns.len())
    } else {
        0
    };
    let column = columns.get(prefix_count)?;
    let prefix: Vec<Scalar> = columns[..prefix_count]
        .iter()
        .map(|column| clustering_value(draw, column.0, count))
        .collect();
    let from = edge(draw, column.0, count);
    let to = edge(draw, column.0, count);
    let slice = Slice { prefix, from, to };
    if !slice.is_whole() {
        return Some(slice);
    }
    let from = Edge::Inclusive(clustering_value(draw, column.0, count));
    Some(Slice { from, ..slice })
}

fn edge(draw: &mut Draw<'_>, scalar_type: ScalarType, count: usize) -> Edge {
    let kind = draw.below(5);
    let value = clustering_value(draw, scalar_type, count);
    match kind {
        0 => Edge::Open,
        1 | 2 => Edge::Inclusive(value),
        _ => Edge::Exclusive(value),
    }
}
