//! Invariants of the merge rules, as worked cases: what a read shows of a few operations, in any
//! order of landing.

use cenotaph::model::{Landed, ReadRequest, evaluate};
use cenotaph::plan::{Operation, Order, Shape, Slice};
use cenotaph_snapshots::golden;

use crate::support::ops::{
    V0, V1, beyond, delete_cell, delete_partition, delete_range, delete_row, from, insert, key,
    read, read_with, shape, shape_ordered, update, update_static,
};

/// Every order of landing must show the same.
fn show(operations: &[Operation], what: &Operation, shape: &Shape) -> String {
    let request = ReadRequest::of(what, shape, 0).expect("a read");
    let landed = |operation| Landed::at(operation, 0);
    let forward: Vec<Landed<'_>> = operations.iter().map(landed).collect();
    let backward: Vec<Landed<'_>> = operations.iter().rev().map(landed).collect();
    let seen = evaluate(&forward, &request);
    assert_eq!(seen, evaluate(&backward, &request));
    let mut text = String::new();
    for operation in operations {
        text += &format!(
            "{operation}
"
        );
    }
    text + &format!("{what}\n  {seen}\n\n")
}

fn table(cases: &[&[Operation]]) -> String {
    cases
        .iter()
        .map(|case| show(case, &read(), &shape()))
        .collect()
}

#[test]
fn the_winner_of_a_cell_is_the_latest_then_the_tombstone_then_the_larger_value() {
    let text = table(&[
        &[insert(1, &[(V0, "a")], 10), insert(1, &[(V0, "b")], 9)],
        &[insert(1, &[(V0, "a")], 10), insert(1, &[(V0, "b")], 10)],
        &[insert(1, &[(V0, "ab")], 10), insert(1, &[(V0, "abc")], 10)],
        &[insert(1, &[(V0, "z")], 10), delete_cell(1, V0, 10)],
        &[insert(1, &[(V0, "a")], 11), delete_cell(1, V0, 10)],
        &[
            insert(1, &[(V0, "a")], 10),
            delete_cell(1, V0, 9),
            insert(1, &[(V0, "b")], 10),
        ],
        &[insert(1, &[(V0, "a")], -5), insert(1, &[(V0, "b")], -3)],
    ]);
    golden!(
        "scenarios/model",
        "cells",
        "Ties of one cell go to tombstones, then to bytes.",
        text
    );
}

#[test]
fn a_row_shows_by_its_marker_or_a_live_cell() {
    let text = table(&[
        &[insert(1, &[], 10)],
        &[update(1, &[(V0, "a")], 10), delete_cell(1, V0, 11)],
        &[insert(1, &[(V0, "a")], 10), delete_cell(1, V0, 11)],
        &[insert(1, &[(V0, "a")], 10), delete_row(1, 10)],
        &[insert(1, &[(V0, "a")], 11), delete_row(1, 10)],
        &[
            insert(1, &[], 9),
            update(1, &[(V0, "a")], 11),
            delete_partition(10),
        ],
        &[
            delete_row(1, 10),
            delete_row(1, 12),
            update(1, &[(V0, "a")], 11),
            insert(1, &[], 13),
        ],
    ]);
    golden!(
        "scenarios/model",
        "rows",
        "INSERT leaves a marker, UPDATE does not.",
        text
    );
}

#[test]
fn a_deletion_covers_what_is_not_later_than_itself() {
    let five: Vec<Operation> = (1..=5)
        .map(|row| insert(row, &[(V1, &format!("r{row}"))], 10))
        .collect();
    let with = |deletion: Operation| [&five[..], &[deletion]].concat();
    let text: String = [
        with(delete_range(from(2), from(4), 10)),
        with(delete_range(beyond(2), beyond(4), 10)),
        with(delete_range(beyond(2), from(4), 10)),
        with(delete_range(from(2), from(4), 9)),
        with(delete_range(beyond(3), Default::default(), 10)),
        with(delete_range(from(4), from(2), 10)),
        with(delete_range(from(3), beyond(3), 10)),
        with(delete_partition(10)),
        vec![update_static("s", 9), delete_range(from(-9), from(9), 10)],
        vec![update_static("s", 10), delete_partition(10)],
    ]
    .iter()
    .map(|case| show(case, &read(), &shape()))
    .collect();
    golden!(
        "scenarios/model",
        "deletions",
        "Bounds, equal times, and static columns.",
        text
    );
}

#[test]
fn order_slice_and_limit_are_of_the_read() {
    let three: Vec<Operation> = (1..=3)
        .map(|row| insert(row, &[(V0, &format!("r{row}"))], 10))
        .collect();
    let with_static = [&three[..], &[update_static("s", 1), delete_row(1, 11)]].concat();
    let descending = shape_ordered(Order::Desc);
    let upper = || Slice {
        from: from(2),
        ..Slice::default()
    };
    let nothing = || Slice {
        prefix: key(7),
        ..Slice::default()
    };
    let mut text = String::new();
    text += &show(
        &three,
        &read_with(Slice::default(), Some(Order::Desc), None),
        &shape(),
    );
    text += &show(
        &three,
        &read_with(Slice::default(), None, Some(2)),
        &descending,
    );
    text += &show(
        &three,
        &read_with(upper(), Some(Order::Asc), None),
        &descending,
    );
    text += &show(
        &three,
        &read_with(Slice::default(), Some(Order::Asc), Some(1)),
        &descending,
    );
    text += &show(
        &with_static,
        &read_with(Slice::default(), None, Some(1)),
        &shape(),
    );
    text += &show(&with_static, &read_with(nothing(), None, None), &shape());
    text += &show(&[update_static("s", 1)], &read(), &shape());
    golden!(
        "scenarios/model",
        "reads",
        "Limits count visible rows, in the read's order.",
        text
    );
}
