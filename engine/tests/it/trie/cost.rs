//! Invariants of cost: how many nodes a walk visits to the next live row does not depend on how many deleted ones
//! are passed, as long as each source deleted its own.

use std::cell::Cell;
use std::fmt::Write as _;

use cenotaph_engine::trie::Direction;
use cenotaph_engine::trie::deletion_aware::merge::{Branches, Merged};
use cenotaph_engine::trie::deletion_aware::{DeletionAwareList, LiveOnly, Node};
use cenotaph_engine::trie::list::Entry;
use cenotaph_engine::trie::range::{Place, Range, RangeList};
use cenotaph_engine::trie::walk::{Counted, Entries};
use cenotaph_snapshots::golden;

use super::deletion_aware::forms::{Source, delete};
use super::support::BOTH;

#[derive(Clone, Copy, Debug)]
enum Form {
    Point,
    Singleton,
    Prefix,
}

/// The key of a row, or a bound beside it by its last byte.
fn key(row: u32, last: u8) -> Vec<u8> {
    let mut key = vec![0x40];
    key.extend(row.to_be_bytes());
    key.push(last);
    key
}

/// What deletes the rows from 1 to `count` that `share` of `of` sources deletes.
fn deletions(form: Form, count: u32, share: u32, of: u32) -> RangeList<u32> {
    let rows = (1..=count).filter(|row| row % of == share);
    let range = |start: Vec<u8>, row: u32| Range {
        start: Place::before(start),
        end: Place::before(key(row, 0x60)),
        state: 5,
    };
    match form {
        Form::Point => RangeList::of([], rows.map(|row| (key(row, 0x38), 5))),
        Form::Singleton => RangeList::of(rows.map(|row| range(key(row, 0x20), row)), []),
        Form::Prefix => RangeList::of([range(key(1, 0x20), count)], []),
    }
}

/// A partition whose branch hangs on its root.
fn partition(rows: impl Iterator<Item = u32>, deletions: Option<RangeList<u32>>) -> Source {
    let root = Node {
        live: None,
        deletions,
    };
    let mut nodes = vec![Entry::new([], root)];
    nodes.extend(rows.map(|row| {
        let node = Node {
            live: Some(3),
            deletions: None,
        };
        Entry::new(key(row, 0x38), node)
    }));
    let list = DeletionAwareList::new(nodes, delete).expect("rows ascend");
    list.dated(|time| *time)
}

/// Nodes visited from the first deleted row to the next live one, and rows found to be deleted by another source.
fn cost(sources: &[Source], count: u32, direction: Direction) -> (u64, u64) {
    let stops = Cell::new(0);
    let sources = sources.iter();
    let cursors = sources.map(|source| Counted::new(source.cursor(direction), &stops));
    let merged = Merged::of_many(cursors, Branches::Fixed, u32::max, delete);
    let mut live = Entries::new(LiveOnly::new(merged));
    let (first, next) = match direction {
        Direction::Forward => (1, count + 1),
        Direction::Reverse => (count, 0),
    };
    live.seek(&key(first, 0x38));
    assert_eq!(live.next_content(), Some(3));
    assert_eq!(live.path(), key(next, 0x38));
    (stops.get(), live.cursor().shadowed_count())
}

#[test]
fn the_next_live_row_costs_the_same_after_ten_deleted_rows_and_after_a_hundred_thousand() {
    let mut text = String::from("visited nodes; in brackets rows deleted by another source\n");
    text += "deleted by  direction  rows     one source  three sources  another source\n";
    for form in [Form::Point, Form::Singleton, Form::Prefix] {
        for direction in BOTH {
            for count in [10, 1_000, 100_000] {
                let ends = || [0, count + 1].into_iter();
                let own = |share, of| partition(ends(), Some(deletions(form, count, share, of)));
                let one = cost(&[own(0, 1)], count, direction);
                let three = [own(0, 3), own(1, 3), own(2, 3)];
                let three = cost(&three, count, direction);
                let old = partition(0..=count + 1, None);
                let new = partition(0..0, Some(deletions(form, count, 0, 1)));
                let (other, shadowed) = cost(&[old, new], count, direction);
                assert_eq!((one.1, three.1), (0, 0), "each source deleted its own");
                writeln!(
                    text,
                    "{:<10}  {:<9}  {count:>7}  {:>10}  {:>13}  {other:>7} ({shadowed})",
                    format!("{form:?}"),
                    format!("{direction:?}"),
                    one.0,
                    three.0,
                )
                .expect("a string takes all");
            }
        }
    }
    golden!(
        "engine/trie",
        "next_live_cost_of_lists",
        "Where each source deleted its own rows the next live one costs the length of a key; rows of another source are passed at once under one range, and one by one under points.",
        text
    );
}
