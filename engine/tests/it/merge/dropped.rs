//! Invariants tests of dropped columns: what was written up to the drop stays hidden, wherever it lies.

use cenotaph_engine::keys::{CollectionType, ColumnType, DataType, Order};
use cenotaph_engine::message::ResultSet;
use cenotaph_engine::read::{execute, merge};
use cenotaph_engine::schema::{Change, ColumnDefinition, ColumnKind, Schema, TableName};

use super::case::{prepare, result, select};
use super::notation::seen;
use super::places::layouts;
use super::statements::{Write, add, delete, insert_v, map, update, v};
use super::tables::{schema, table};

const TABLE: fn() -> TableName = || TableName::new("k", "t");

fn text_map() -> CollectionType {
    CollectionType::Map(DataType::Text, DataType::Text)
}

fn drop_at(schema: &Schema, column: &str, dropped_micros: i64) -> Schema {
    let change = Change::DropColumn {
        table: TABLE(),
        column: column.into(),
        dropped_micros,
    };
    schema.apply(&change).unwrap()
}

fn add_back(name: &str, column_type: ColumnType, kind: ColumnKind) -> Change {
    let column = ColumnDefinition {
        name: name.into(),
        data_type: column_type,
        kind,
    };
    Change::AddColumn {
        table: TABLE(),
        column,
    }
}

/// What a reader sees of the writes, which came before or after the column was dropped at 100 and added again:
/// the same in every layout.
fn seen_after(writes: &[Write], column: &str, column_type: ColumnType) -> String {
    let before = schema(Order::Ascending);
    let after = drop_at(&before, column, 100)
        .apply(&add_back(column, column_type, ColumnKind::Regular))
        .unwrap();
    let mutations = prepare(writes, &before);
    let all = layouts(mutations.len());
    let found = all.iter().map(|layout| {
        let whole: ResultSet = result(&after, &select(), 100, &mutations, layout);
        seen(&whole)
    });
    let mut found: Vec<String> = found.collect();
    found.dedup();
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0)
}

#[test]
fn a_value_up_to_the_drop_is_hidden_and_a_later_one_is_seen() {
    let found = |timestamp| seen_after(&[v(timestamp, "x")], "v", DataType::Text.into());
    assert_eq!(found(50), "");
    assert_eq!(found(100), "");
    assert_eq!(found(101), "1: v=x");
}

#[test]
fn an_updated_row_vanishes_with_its_only_column_and_an_inserted_one_stays() {
    assert_eq!(
        seen_after(&[insert_v(50, "x")], "v", DataType::Text.into()),
        "1:"
    );
    let both = [insert_v(50, "x"), add(60, "m", map(&[("a", "1")]))];
    assert_eq!(seen_after(&both, "m", text_map().into()), "1: v=x");
}

#[test]
fn elements_up_to_the_drop_are_hidden_and_later_ones_are_seen() {
    let writes = [
        update(100, "m", map(&[("a", "1")])),
        add(101, "m", map(&[("b", "2")])),
    ];
    assert_eq!(seen_after(&writes, "m", text_map().into()), "1: m={b: 2}");
    assert_eq!(seen_after(&writes[..1], "m", text_map().into()), "");
}

#[test]
fn a_deletion_of_all_elements_up_to_the_drop_is_hidden() {
    let met = |timestamp| {
        let before = schema(Order::Ascending);
        let back = add_back("m", text_map().into(), ColumnKind::Regular);
        let after = drop_at(&before, "m", 100).apply(&back).unwrap();
        let mutations = prepare(&[delete(timestamp, "m")], &before);
        let merged = merge(mutations.into_iter().map(|mutation| mutation.update));
        let command = select().prepare(&after, 100).unwrap();
        let found = execute(&command, table(&after), merged).unwrap();
        found.counts.tombstone_count
    };
    assert_eq!([met(99), met(100), met(101)], [0, 0, 1]);
}

#[test]
fn a_dropped_column_comes_back_only_as_what_it_was() {
    let dropped = drop_at(&schema(Order::Ascending), "m", 100);
    let back = |column_type, kind| dropped.apply(&add_back("m", column_type, kind));
    let other = CollectionType::Map(DataType::Text, DataType::Int);
    for (column_type, kind) in [
        (other.into(), ColumnKind::Regular),
        (DataType::Text.into(), ColumnKind::Regular),
        (ColumnType::Frozen(text_map()), ColumnKind::Regular),
        (text_map().into(), ColumnKind::Static),
    ] {
        let error = back(column_type, kind).unwrap_err().to_string();
        assert!(error.contains("cannot come back as"), "{error}");
    }
    assert!(back(text_map().into(), ColumnKind::Regular).is_ok());
}
