//! Vocabulary of the table that the workload is about: `PRIMARY KEY (userid, picid)` and one value, all `bigint`.

use cenotaph_engine::keys::DataType;
use cenotaph_engine::keys::Order;
use cenotaph_engine::rows::ColumnId;
use cenotaph_engine::schema::{
    Change, ColumnDefinition, ColumnKind, PurgeOptions, Schema, Table, TableName,
};

/// The table.
pub(crate) fn table() -> Table {
    let column = |name: &str, kind| ColumnDefinition {
        name: name.into(),
        data_type: DataType::BigInt.into(),
        kind,
    };
    let name = TableName::new("bench", "comments");
    let create = Change::CreateTable {
        name: name.clone(),
        columns: vec![
            column("userid", ColumnKind::PartitionKey),
            column("picid", ColumnKind::Clustering(Order::Ascending)),
            column("commentid", ColumnKind::Regular),
        ],
        gc_grace_seconds: Table::GC_GRACE_SECONDS_DEFAULT,
        purge: PurgeOptions::default(),
    };
    let schema = Schema::empty().apply(&create);
    let schema = schema.expect("an empty schema takes a table");
    let table = schema.table_named(&name).expect("it was just created");
    table.as_ref().clone()
}

/// The column of the value.
pub(crate) fn value_column(table: &Table) -> ColumnId {
    let mut columns = table.columns.iter();
    let value = columns.find(|column| column.kind == ColumnKind::Regular);
    value.expect("the table has a regular column").id
}
