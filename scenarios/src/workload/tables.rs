//! Vocabulary of tables that a scenario creates: their shapes, each by bytes of its own.

use crate::plan::{
    ClusteringColumn, CollectionType, ColumnType, Draw, Order, Purge, ScalarType, Shape,
    TABLE_SIZE, TableNumber,
};

/// How many tables have columns of collections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Collections {
    /// No table.
    None,
    /// One of twenty.
    Few,
    /// One of three.
    Many,
}

/// Types of collections, each as likely. What may be written one by one is most of them.
const COLLECTION_TYPES: [ColumnType; 8] = [
    ColumnType::Many(CollectionType::Map(ScalarType::Text, ScalarType::Text)),
    ColumnType::Many(CollectionType::Set(ScalarType::Int)),
    ColumnType::Many(CollectionType::List(ScalarType::Text)),
    ColumnType::Many(CollectionType::Struct(ScalarType::Text, ScalarType::BigInt)),
    ColumnType::Many(CollectionType::Map(ScalarType::Int, ScalarType::BigInt)),
    ColumnType::Many(CollectionType::Set(ScalarType::Text)),
    ColumnType::Frozen(CollectionType::Map(ScalarType::Int, ScalarType::Text)),
    ColumnType::Many(CollectionType::Map(ScalarType::BigInt, ScalarType::Blob)),
];

/// The type of the column that is added to a table: that of a collection which it has, or text.
pub(super) fn added_type(shape: &Shape) -> ColumnType {
    let mut types = shape.columns().map(|(_, column_type)| column_type);
    let of_many = types.find(|column_type| column_type.many().is_some());
    of_many.unwrap_or(ColumnType::Scalar(ScalarType::Text))
}

/// The shapes of all tables, each by bytes of its own.
pub(super) fn shapes(bytes: &[u8], collections: Collections) -> Vec<Shape> {
    bytes
        .as_chunks::<TABLE_SIZE>()
        .0
        .iter()
        .map(|own| shape(&mut Draw::new(own), collections))
        .collect()
}

fn shape(draw: &mut Draw<'_>, collections: Collections) -> Shape {
    let types = [ScalarType::Text, ScalarType::BigInt, ScalarType::Blob].map(ColumnType::Scalar);
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
    let mut shape = Shape {
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
    };
    // What is left of the last byte: 3 is rare, for it is of 256 what 81 leave.
    let has_collections = match collections {
        Collections::None => false,
        Collections::Few => last / 81 == 3,
        Collections::Many => last / 81 == 1,
    };
    if has_collections {
        let kind = mixed / 6 + last;
        let own = |index: usize| COLLECTION_TYPES[(kind + index) % COLLECTION_TYPES.len()];
        // The last column, and in half of the tables the static one.
        shape.regulars[regulars_count - 1] = own(0);
        if last.is_multiple_of(2) {
            shape.statics.fill(own(1));
        }
    }
    shape
}

/// The table of this index.
pub(super) fn number(index: usize) -> TableNumber {
    TableNumber(u16::try_from(index).expect("at most 30 tables"))
}
