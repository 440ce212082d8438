//! Vocabulary of tables that a scenario creates: their shapes, each by bytes of its own.

use crate::plan::{
    ClusteringColumn, Draw, Order, Purge, ScalarType, Shape, TABLE_SIZE, TableNumber,
};

/// The type of every added column.
pub(super) const ADDED_TYPE: ScalarType = ScalarType::Text;

/// The shapes of all tables, each by bytes of its own.
pub(super) fn shapes(bytes: &[u8]) -> Vec<Shape> {
    bytes
        .as_chunks::<TABLE_SIZE>()
        .0
        .iter()
        .map(|own| shape(&mut Draw::new(own)))
        .collect()
}

fn shape(draw: &mut Draw<'_>) -> Shape {
    let types = [ScalarType::Text, ScalarType::BigInt, ScalarType::Blob];
    let clustering_types = [
        ClusteringColumn(ScalarType::Int, Order::Asc),
        ClusteringColumn(ScalarType::Int, Order::Desc),
        ClusteringColumn(ScalarType::Text, Order::Asc),
        ClusteringColumn(ScalarType::Text, Order::Desc),
        ClusteringColumn(ScalarType::BigInt, Order::Asc),
        ClusteringColumn(ScalarType::BigInt, Order::Desc),
    ];
    // One byte a decision: four bytes, so the last decision shares its byte.
    let clustering_count = draw.weighted(&[(5, 1), (4, 2), (1, 0)]);
    let mixed = draw.within(0, 255) as usize;
    let second = draw.below(6);
    let last = draw.within(0, 255) as usize;
    let both = [clustering_types[mixed % 6], clustering_types[second]];
    let statics_count = if clustering_count == 0 {
        0
    } else {
        mixed / 6 % 2
    };
    let regulars_count = 1 + mixed / 12 % 3;
    Shape {
        clustering: both[..clustering_count].to_vec(),
        statics: vec![types[last % 3]; statics_count],
        regulars: [
            types[last / 3 % 3],
            types[last / 9 % 3],
            types[last / 27 % 3],
        ][..regulars_count]
            .to_vec(),
        gc_grace_seconds: None,
        purge: Purge::default(),
    }
}

/// The table of this index.
pub(super) fn number(index: usize) -> TableNumber {
    TableNumber(u16::try_from(index).expect("at most 30 tables"))
}
