//! Vocabulary of the tables under test.

use cenotaph_engine::keys::{CollectionType, ColumnType, DataType, Field, Order};
use cenotaph_engine::schema::{
    Change, ColumnDefinition, ColumnKind, PurgeOptions, Schema, Table, TableName,
};

/// A table with a column of each kind: `k.{name} (pk int, ck int, v text, b blob, s text static, m map, e set,
/// l list, u struct<a, b>, f frozen map, n map static)`, all of text where nothing is said.
pub(crate) fn create(name: &str, order: Order) -> Change {
    let text = DataType::Text;
    let map = || CollectionType::Map(text, text);
    let field = |name: &str| Field {
        name: name.into(),
        data_type: text,
    };
    let regular =
        |name: &str, column_type: ColumnType| (name.to_owned(), column_type, ColumnKind::Regular);
    let columns = [
        (
            "pk".to_owned(),
            DataType::Int.into(),
            ColumnKind::PartitionKey,
        ),
        (
            "ck".to_owned(),
            DataType::Int.into(),
            ColumnKind::Clustering(order),
        ),
        regular("v", text.into()),
        regular("b", DataType::Blob.into()),
        ("s".to_owned(), text.into(), ColumnKind::Static),
        regular("m", map().into()),
        regular("e", CollectionType::Set(text).into()),
        regular("l", CollectionType::List(text).into()),
        regular(
            "u",
            CollectionType::Struct(vec![field("a"), field("b")]).into(),
        ),
        regular("f", ColumnType::Frozen(map())),
        ("n".to_owned(), map().into(), ColumnKind::Static),
    ];
    let definition = |(name, data_type, kind): (String, _, _)| ColumnDefinition {
        name: name.into(),
        data_type,
        kind,
    };
    Change::CreateTable {
        name: TableName::new("k", name),
        columns: columns.into_iter().map(definition).collect(),
        gc_grace_seconds: Table::GC_GRACE_SECONDS_DEFAULT,
        purge: PurgeOptions::default(),
    }
}

/// The schema with such a table `t`.
pub(crate) fn schema(order: Order) -> Schema {
    let schema = Schema::empty().apply(&create("t", order));
    schema.expect("the table is new")
}

pub(crate) fn table(schema: &Schema) -> &Table {
    let named = schema.table_named(&TableName::new("k", "t"));
    named.expect("every schema under test has it")
}
