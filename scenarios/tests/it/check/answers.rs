//! Invariants of the judge of answers: it objects to each way of answering wrongly, to no right one.

use cenotaph::history::PartitionSeen;
use cenotaph::plan::{Operation, Order, Slice};

use crate::support::ops::{
    V0, V1, create, delete_cell, from, insert, read, read_with, rows, seen_row, statics, update,
    update_static,
};
use crate::support::script::Script;

/// What the judges say of this answer to a read of rows 1 to 3, of which 2 has no cell.
fn verdict(what: Operation, seen: PartitionSeen) -> Vec<String> {
    let mut script = Script::new();
    script.boot();
    script.ok(create());
    script.ok(insert(1, &[(V0, "a"), (V1, "b")], 5));
    script.ok(insert(2, &[(V0, "c")], 5));
    script.ok(delete_cell(2, V0, 6));
    script.ok(insert(3, &[(V0, "d")], 5));
    script.ok(insert(3, &[(V0, "e")], 7));
    script.ok(update_static("s", 5));
    script.shows(what, seen);
    script.identities()
}

fn one() -> cenotaph::history::RowSeen {
    seen_row(1, &[(V0, "a"), (V1, "b")])
}

fn two() -> cenotaph::history::RowSeen {
    seen_row(2, &[])
}

fn three() -> cenotaph::history::RowSeen {
    seen_row(3, &[(V0, "e")])
}

fn upper() -> Slice {
    Slice {
        from: from(2),
        ..Slice::default()
    }
}

#[test]
fn honest_answers_pass() {
    let none = Vec::<String>::new();
    assert_eq!(
        verdict(read(), statics("s", &[one(), two(), three()])),
        none
    );
    let reverse = read_with(Slice::default(), Some(Order::Desc), None);
    assert_eq!(
        verdict(reverse, statics("s", &[three(), two(), one()])),
        none
    );
    let limited = read_with(Slice::default(), None, Some(2));
    assert_eq!(verdict(limited, statics("s", &[one(), two()])), none);
    assert_eq!(
        verdict(
            read_with(upper(), None, None),
            statics("s", &[two(), three()])
        ),
        none
    );
}

#[test]
fn a_dropped_row_is_missed() {
    let shows = ["answers/acknowledged-shows/row"];
    assert_eq!(verdict(read(), statics("s", &[one(), two()])), shows);
    assert_eq!(verdict(read(), statics("s", &[one(), three()])), shows);
    let limited = read_with(Slice::default(), None, Some(2));
    assert_eq!(verdict(limited, statics("s", &[one(), three()])), shows);
}

#[test]
fn a_missing_cell_is_missed() {
    let bare = seen_row(1, &[(V0, "a")]);
    let seen = statics("s", &[bare, two(), three()]);
    assert_eq!(verdict(read(), seen), ["answers/acknowledged-shows/row"]);
    let seen = rows(&[one(), two(), three()]);
    assert_eq!(verdict(read(), seen), ["answers/acknowledged-shows/static"]);
}

#[test]
fn rows_in_the_wrong_order_are_objected_to() {
    let wrong = ["answers/rows-in-order/row"];
    assert_eq!(
        verdict(read(), statics("s", &[one(), three(), two()])),
        wrong
    );
    assert_eq!(
        verdict(read(), statics("s", &[one(), two(), two(), three()])),
        wrong
    );
    let reverse = read_with(Slice::default(), Some(Order::Desc), None);
    assert_eq!(
        verdict(reverse, statics("s", &[one(), two(), three()])),
        wrong
    );
}

#[test]
fn an_older_value_is_objected_to() {
    let older = seen_row(3, &[(V0, "d")]);
    let seen = statics("s", &[one(), two(), older]);
    assert_eq!(verdict(read(), seen), ["answers/newest-wins/row"]);
}

#[test]
fn what_was_not_asked_for_is_objected_to() {
    let seen = statics("s", &[one(), two(), three()]);
    let sliced = read_with(upper(), None, None);
    assert_eq!(verdict(sliced, seen.clone()), ["answers/rows-in-slice/row"]);
    let limited = read_with(Slice::default(), None, Some(2));
    assert_eq!(verdict(limited, seen), ["answers/limit-holds/row"]);
    let nothing = Slice {
        from: from(9),
        ..Slice::default()
    };
    let sliced = read_with(nothing, None, None);
    assert_eq!(
        verdict(sliced, statics("s", &[])),
        ["answers/statics-beside-rows/static"]
    );
}

#[test]
fn a_row_without_marker_or_cell_is_objected_to() {
    let ghost = seen_row(4, &[]);
    let seen = statics("s", &[one(), two(), three(), ghost]);
    assert_eq!(verdict(read(), seen), ["answers/rows-have-content/row"]);
}

#[test]
fn half_an_operation_is_objected_to() {
    let mut script = Script::new();
    script.boot();
    script.ok(create());
    script.timeout(update(1, &[(V0, "a"), (V1, "b")], 5));
    script.shows(read(), rows(&[seen_row(1, &[(V1, "b")])]));
    assert_eq!(
        script.identities(),
        ["answers/operations-are-whole/operation"]
    );
}
