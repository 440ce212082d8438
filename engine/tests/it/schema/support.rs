//! Vocabulary of the schema's tests: small tables.

use cenotaph_engine::keys::{DataType, Order};
use cenotaph_engine::schema::{Change, ColumnDefinition, ColumnKind, Schema, TableName};

/// A column of a definition.
pub(crate) fn column(name: &str, data_type: DataType, kind: ColumnKind) -> ColumnDefinition {
    ColumnDefinition {
        name: name.to_owned(),
        data_type,
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
    }
}

/// The schema after `changes`.
pub(crate) fn schema(changes: &[Change]) -> Schema {
    changes.iter().fold(Schema::empty(), |schema, change| {
        schema.apply(change).expect("the test's change is accepted")
    })
}
