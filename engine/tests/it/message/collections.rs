//! Steps tests of collections in statements: what is written to a column of many cells, and why it is refused.

use cenotaph_engine::keys::{Order, Value};
use cenotaph_engine::message::{ElementChange, ListIds, WriteStatement, WriteTarget};
use cenotaph_engine::rows::{Cell, DeletionTime, Row};

use super::support::{ids, int};
use crate::merge::statements::{add, fields, list, map, remove, set, text, update};
use crate::merge::tables::{schema, table};

/// The row that a statement writes at second 100.
fn written(statement: &WriteStatement, ids: &ListIds) -> Row {
    let mutation = statement.prepare(&schema(Order::Ascending), 100, ids);
    let mut rows = mutation
        .unwrap()
        .update
        .rows
        .into_iter()
        .map(|(_, row)| row);
    rows.next().unwrap()
}

fn refused(statement: &WriteStatement) -> String {
    let refusal = statement.prepare(&schema(Order::Ascending), 100, &ids());
    refusal.unwrap_err().to_string()
}

fn cells(row: &Row) -> Vec<&Cell> {
    row.cells.iter().map(|(_, cell)| cell).collect()
}

#[test]
fn a_ttl_is_of_the_elements_and_not_of_the_deletion_before_them() {
    let write = update(10, "m", map(&[("a", "1")])).ttl(5, 105);
    let row = written(&write.statement, &ids());
    let before = DeletionTime {
        timestamp: 9,
        local_deletion_seconds: 100,
    };
    let schema = schema(Order::Ascending);
    let column = table(&schema).column_named("m").unwrap().id;
    assert_eq!(row.complex, [(column, before)]);
    assert_eq!(cells(&row), [&Cell::expiring(10, 5, 105, "1".into())]);
}

#[test]
fn a_removal_has_no_ttl() {
    let write = remove(10, "m", &["a"]).ttl(5, 105);
    assert_eq!(
        cells(&written(&write.statement, &ids())),
        [&Cell::tombstone(10, 100)]
    );
}

#[test]
fn of_two_entries_with_one_key_the_later_is_meant() {
    let both = map(&[("b", "9"), ("a", "1"), ("a", "2")]);
    for write in [add(10, "m", both.clone()), update(10, "m", both)] {
        let row = written(&write.statement, &ids());
        assert_eq!(
            cells(&row),
            [&Cell::plain(10, "2".into()), &Cell::plain(10, "9".into())]
        );
    }
}

#[test]
fn several_changes_of_one_column_are_one_write_in_which_a_removal_wins() {
    let mut write = add(10, "m", map(&[("a", "1"), ("b", "2")])).statement;
    let WriteTarget::Update { elements, .. } = &mut write.target else {
        panic!("an update");
    };
    let removal = ElementChange::Remove(vec![text("a")]);
    elements.push(("m".into(), removal));
    let row = written(&write, &ids());
    assert_eq!(
        cells(&row),
        [&Cell::tombstone(10, 100), &Cell::plain(10, "2".into())]
    );
}

#[test]
fn list_ids_ascend_by_timestamp_then_by_incarnation_then_as_they_come_and_none_is_twice() {
    let (first, second) = (ListIds::new(1), ListIds::new(2));
    let given = [
        first.next(-7),
        second.next(-7),
        first.next(0),
        first.next(5),
        first.next(5),
        second.next(5),
        second.next(5),
        first.next(6),
    ];
    assert!(given.is_sorted_by(|a, b| a < b), "{given:02x?}");
}

#[test]
fn elements_of_one_append_are_in_the_order_given() {
    let ids = ids();
    let row = written(&add(10, "l", list(&["z", "a"])).statement, &ids);
    let values: Vec<_> = cells(&row).iter().map(|cell| cell.value.clone()).collect();
    assert_eq!(values, ["z", "a"]);
    let again = written(&add(10, "l", list(&["z"])).statement, &ids);
    assert!(again.cells[0].0 > row.cells[1].0);
}

#[test]
fn an_addition_of_nothing_changes_nothing() {
    for (column, nothing) in [
        ("m", map(&[])),
        ("e", set(&[])),
        ("l", list(&[])),
        ("u", fields(&[])),
    ] {
        let write = add(10, column, nothing).statement;
        let mutation = write.prepare(&schema(Order::Ascending), 100, &ids());
        assert!(mutation.unwrap().update.is_empty());
    }
}

#[test]
fn a_value_of_another_type_is_refused_down_to_its_elements() {
    let refusals = [
        (
            update(1, "m", text("x")),
            "column m is map<text, text>, the value is text",
        ),
        (
            update(1, "v", map(&[])),
            "column v is text, the value is map",
        ),
        (
            update(1, "e", Value::Set(vec![Value::Int(1)])),
            "an element of column e is text, the value is int",
        ),
        (
            update(1, "f", Value::Map(vec![(text("a"), Value::Int(1))])),
            "an element of column f is text, the value is int",
        ),
        (
            add(1, "l", set(&["x"])),
            "column l is list<text>, the value is set",
        ),
        (
            add(1, "m", Value::Map(vec![(map(&[]), text("a"))])),
            "an element of column m is text, the value is map",
        ),
        (
            add(1, "u", fields(&[("c", None)])),
            "the struct of column u has no field c",
        ),
    ];
    for (write, why) in refusals {
        assert_eq!(refused(&write.statement), why);
    }
}

#[test]
fn elements_are_changed_where_there_are_any() {
    assert_eq!(
        refused(&add(1, "f", map(&[("a", "1")])).statement),
        "column f is frozen<map<text, text>>, and can only be set whole"
    );
    assert_eq!(
        refused(&add(1, "v", text("x")).statement),
        "column v is text, and can only be set whole"
    );
    assert_eq!(
        refused(&remove(1, "l", &["x"]).statement),
        "column l is list<text>, and its elements cannot be removed by key"
    );
    assert_eq!(
        refused(&add(1, "ck", map(&[])).statement),
        "column ck is part of the primary key"
    );
    let mut both = update(1, "m", map(&[])).statement;
    let WriteTarget::Update { elements, .. } = &mut both.target else {
        panic!("an update");
    };
    elements.push(("m".into(), ElementChange::Add(map(&[]))));
    assert_eq!(refused(&both), "column m is named twice");
}

#[test]
fn elements_belong_to_a_row_or_to_the_partition_as_their_column_does() {
    let of_partition = add(1, "m", map(&[("a", "1")])).of_partition();
    assert_eq!(
        refused(&of_partition.statement),
        "column m belongs to a row, and no row is named"
    );
    assert_eq!(
        refused(&add(1, "n", map(&[("a", "1")])).statement),
        "a row is named, and only static columns are changed"
    );
}

#[test]
fn nothing_older_can_be_deleted_before_the_first_timestamp() {
    let first = i64::MIN + 1;
    assert!(refused(&update(first, "m", map(&[])).statement).ends_with("is reserved"));
    let appended = add(first, "m", map(&[("a", "1")])).statement;
    assert!(
        appended
            .prepare(&schema(Order::Ascending), 100, &ids())
            .is_ok()
    );
}

#[test]
fn a_key_that_is_too_long_is_refused() {
    let long = "x".repeat(70_000);
    let why = refused(&add(1, "m", map(&[(&long, "1")])).statement);
    assert_eq!(why, "a key of 70001 bytes, the maximum is 65535");
}

#[test]
fn a_key_column_takes_no_collection() {
    let mut write = add(1, "m", map(&[("a", "1")])).statement;
    write.partition_key = vec![("pk".into(), list(&["x"]))];
    assert_eq!(refused(&write), "column pk is int, the value is list");
    write.partition_key = vec![int("pk", 1)];
    assert!(
        write
            .prepare(&schema(Order::Ascending), 100, &ids())
            .is_ok()
    );
}
