//! Vocabulary of the schema's tests: small tables.

use cenotaph_engine::keys::{CollectionType, ColumnType, DataType, Field, Order};
use cenotaph_engine::schema::{
    Change, ColumnDefinition, ColumnKind, PurgeOptions, Schema, TableName,
};

/// A collection type of each kind.
pub(crate) fn every_collection() -> [CollectionType; 4] {
    let field = |name: &str, data_type| Field {
        name: name.into(),
        data_type,
    };
    [
        CollectionType::Map(DataType::Int, DataType::Text),
        CollectionType::Set(DataType::BigInt),
        CollectionType::List(DataType::Blob),
        CollectionType::Struct(vec![
            field("from", DataType::Boolean),
            field("b", DataType::Text),
        ]),
    ]
}

/// A column of a definition.
pub(crate) fn column(
    name: &str,
    data_type: impl Into<ColumnType>,
    kind: ColumnKind,
) -> ColumnDefinition {
    ColumnDefinition {
        name: name.into(),
        data_type: data_type.into(),
        kind,
    }
}

/// `CREATE TABLE ks.{name} (k int, c bigint, s text static, v blob, PRIMARY KEY ((k), c))`,
/// descending by `c`.
pub(crate) fn create(name: &str) -> Change {
    Change::CreateTable {
        name: TableName::new("ks", name),
        columns: vec![
            column("k", DataType::Int, ColumnKind::PartitionKey),
            column(
                "c",
                DataType::BigInt,
                ColumnKind::Clustering(Order::Descending),
            ),
            column("s", DataType::Text, ColumnKind::Static),
            column("v", DataType::Blob, ColumnKind::Regular),
        ],
        gc_grace_seconds: 864_000,
        purge: PurgeOptions::default(),
    }
}

/// The schema after `changes`.
pub(crate) fn schema(changes: &[Change]) -> Schema {
    changes.iter().fold(Schema::empty(), |schema, change| {
        schema.apply(change).expect("the test's change is accepted")
    })
}
