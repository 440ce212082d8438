//! Vocabulary of reads under test: a table whose columns have the ids that `rows::support` uses.

use bytes::Bytes;
use cenotaph_engine::keys::{DataType, DecoratedKey, Order, PartitionKey, Slice, Value};
use cenotaph_engine::read::{Columns, ReadCommand, ReadResult, execute, merge};
use cenotaph_engine::rows::Partition;
use cenotaph_engine::schema::{
    Change, ColumnDefinition, ColumnKind, PurgeOptions, Schema, Table, TableName,
};

/// `k.t (pk int, v text, w text, s text static, ck int)`: ids 0, V, W, S, 4.
pub(crate) fn schema() -> Schema {
    let column = |name: &str, data_type: DataType, kind| ColumnDefinition {
        name: name.into(),
        data_type: data_type.into(),
        kind,
    };
    let create = Change::CreateTable {
        name: table_name(),
        columns: vec![
            column("pk", DataType::Int, ColumnKind::PartitionKey),
            column("v", DataType::Text, ColumnKind::Regular),
            column("w", DataType::Text, ColumnKind::Regular),
            column("s", DataType::Text, ColumnKind::Static),
            column(
                "ck",
                DataType::Int,
                ColumnKind::Clustering(Order::Ascending),
            ),
        ],
        gc_grace_seconds: Table::GC_GRACE_SECONDS_DEFAULT,
        purge: PurgeOptions::default(),
    };
    Schema::empty().apply(&create).unwrap()
}

pub(crate) fn table_name() -> TableName {
    TableName::new("k", "t")
}

pub(crate) fn table(schema: &Schema) -> &Table {
    schema.table_named(&table_name()).unwrap()
}

/// A read of everything at second 0.
pub(crate) fn everything(table: &Table) -> ReadCommand {
    ReadCommand {
        table: table.id,
        key: DecoratedKey::new(PartitionKey(Bytes::from_static(&[0, 0, 0, 1]))),
        slice: Slice::ALL,
        reversed: false,
        limit: None,
        columns: Columns::All,
        now_seconds: 0,
    }
}

/// What a read of everything, changed by `change`, finds in these sources.
pub(crate) fn read(sources: &[Partition], change: impl FnOnce(&mut ReadCommand)) -> ReadResult {
    read_of(&schema(), sources, change)
}

pub(crate) fn read_of(
    schema: &Schema,
    sources: &[Partition],
    change: impl FnOnce(&mut ReadCommand),
) -> ReadResult {
    let table = table(schema);
    let mut command = everything(table);
    change(&mut command);
    execute(&command, table, merge(sources.iter().cloned())).unwrap()
}

/// The clustering values of the rows found.
pub(crate) fn keys(result: &ReadResult) -> Vec<i32> {
    let key = |values: &[Value]| match values {
        [Value::Int(key)] => *key,
        _ => panic!("{values:?}"),
    };
    result.rows.iter().map(|row| key(&row.clustering)).collect()
}
