//! Invariants under test: the way to the next live row is as long as its key, however many rows were deleted before it.

use std::fmt::Write as _;
use std::rc::Rc;

use cenotaph_engine::keys::{Bound, Slice};
use cenotaph_engine::memtable::Memtable;
use cenotaph_engine::read::Unfiltered;
use cenotaph_engine::rows::Partition;
use cenotaph_snapshots::golden;

use super::content::{TABLE, key, put};
use crate::rows::support::{V, after, before, cell, deletion, range, row_cell, row_deletion};

/// How rows before the live one were deleted.
#[derive(Clone, Copy, Debug)]
enum Form {
    Row,
    Span,
    Prefix,
}

impl Form {
    fn deletion(self, row: i32) -> Partition {
        match self {
            Form::Row => row_deletion(row, deletion(20)),
            Form::Span => range(before(row), after(row), deletion(20)),
            Form::Prefix => range(Bound::BOTTOM, after(row), deletion(i64::from(row) + 20)),
        }
    }
}

/// A memtable with `dead` deleted rows, a live one, and as many deleted ones behind it.
fn queue(form: Form, dead: i32) -> Rc<Memtable> {
    let memtable = Memtable::new(TABLE);
    for row in 0..=2 * dead {
        put(&memtable, 1, row_cell(row, V, cell("a", 10)));
    }
    for row in 0..dead {
        put(&memtable, 1, form.deletion(row));
        if !matches!(form, Form::Prefix) {
            put(&memtable, 1, form.deletion(dead + 1 + row));
        }
    }
    if matches!(form, Form::Prefix) {
        put(&memtable, 1, range(after(dead), Bound::TOP, deletion(20)));
    }
    memtable
}

/// Cells visited on the way to the only live row, over sources of which all but one are empty of live rows.
fn visited(form: Form, dead: i32, reversed: bool, sources: usize) -> u64 {
    let live = queue(form, dead);
    let others: Vec<_> = (1..sources)
        .map(|_| {
            let other = Memtable::new(TABLE);
            for row in 0..dead {
                put(&other, 1, form.deletion(row));
            }
            other
        })
        .collect();
    let all = || std::iter::once(&live).chain(&others);
    let before: u64 = all().map(|memtable| memtable.cells_visited()).sum();
    let mut unfiltered = Unfiltered::default();
    for memtable in all() {
        unfiltered.push_snapshot(memtable.snapshot(&key(1)).unwrap());
    }
    let mut live_only = unfiltered.into_live_only(&Slice::ALL, reversed);
    assert!(live_only.next().is_some(), "one row lives");
    assert_eq!(live_only.shadowed_count(), 0);
    let after: u64 = all().map(|memtable| memtable.cells_visited()).sum();
    after - before
}

#[test]
fn the_next_live_row_costs_the_same_behind_ten_deleted_rows_and_a_hundred_thousand() {
    let mut table = String::from("cells visited to the first live row\n\n");
    let dead = [10, 80, 1_000, 8_000, 100_000];
    let _ = writeln!(
        table,
        "{:24}{}",
        "deleted rows",
        dead.map(|count| format!("{count:>9}")).concat()
    );
    for form in [Form::Row, Form::Span, Form::Prefix] {
        for (reversed, sources) in [(false, 1), (true, 1), (false, 3), (true, 3)] {
            let counts = dead.map(|dead| visited(form, dead, reversed, sources));
            let direction = if reversed { "reversed" } else { "forward" };
            let name = format!("{form:?} {direction} {sources}");
            let counts = counts.map(|count| format!("{count:>9}")).concat();
            let _ = writeln!(table, "{name:24}{counts}");
        }
    }
    golden!(
        "engine/memtable",
        "cells_to_the_first_live_row",
        "The first live row costs a number of cells that depends on its key, not on how many rows were deleted \
         around it, by row, by a range of one row, or by a range from the start; forward and reversed; of one \
         source and of three.",
        table
    );
}
