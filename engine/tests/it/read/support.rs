//! Vocabulary of reads under test: a table whose columns have the ids that `rows::support` uses.

use bytes::Bytes;
use cenotaph_engine::keys::{DataType, DecoratedKey, Order, PartitionKey, Slice, Value};
use cenotaph_engine::read::{
    Columns, Fragment, ReadCommand, ReadResult, Unfiltered, execute, merge,
};
use cenotaph_engine::rows::{Partition, Row};
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

/// The same by a walk of the stream with tombstones, up to the row that the limit stops at: how many dead
/// things it passes, each once, and how many live rows.
pub(crate) fn walk(sources: &[Partition], command: &ReadCommand) -> (usize, usize) {
    let (mut tombstones, mut live) = (0, 0);
    let mut unfiltered = Unfiltered::default();
    for source in sources {
        unfiltered.push(source.clone());
    }
    let merged = unfiltered.into_partition(&command.slice);
    let mut meet = |row: &Row| {
        let cells = row.cells.iter();
        let dead = cells.filter(|(_, cell)| !cell.is_live(command.now_seconds));
        let is_visible = row.is_visible(command.now_seconds);
        let alone = usize::from(!is_visible && !row.is_empty());
        tombstones += Some(dead.count()).filter(|dead| *dead > 0).unwrap_or(alone);
        is_visible
    };
    meet(&merged.static_row);
    let mut edges = 0;
    for fragment in Unfiltered::from(merged).into_fragments(&command.slice, command.reversed) {
        if command.limit.is_some_and(|limit| live >= limit) {
            break;
        }
        match fragment {
            Fragment::Row(_, row) => live += usize::from(meet(&row)),
            Fragment::Marker { left, right, .. } => {
                assert_ne!(left, right, "a marker changes something");
                edges += 1;
            }
        }
    }
    (tombstones + edges, live)
}

/// The clustering values of the rows found.
pub(crate) fn keys(result: &ReadResult) -> Vec<i32> {
    let key = |values: &[Value]| match values {
        [Value::Int(key)] => *key,
        _ => panic!("{values:?}"),
    };
    result.rows.iter().map(|row| key(&row.clustering)).collect()
}
