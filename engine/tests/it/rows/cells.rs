//! Invariants tests of cells and markers: which of two versions wins, in whatever order they meet.

use bytes::Bytes;
use cenotaph_engine::rows::{Cell, Liveness};

use super::support::{V, cell, expiring, merge, row_cell, row_marker, tombstone};

fn winner(cells: &[Cell]) -> Cell {
    let versions: Vec<_> = cells
        .iter()
        .map(|cell| row_cell(0, V, cell.clone()))
        .collect();
    let merged = merge(&versions);
    assert_eq!(merged.rows.len(), 1);
    merged.rows.into_iter().next().unwrap().1.cells.remove(0).1
}

fn marker(markers: &[Liveness]) -> Liveness {
    let versions: Vec<_> = markers
        .iter()
        .map(|&marker| row_marker(0, marker))
        .collect();
    merge(&versions)
        .rows
        .into_iter()
        .next()
        .unwrap()
        .1
        .liveness
        .unwrap()
}

#[test]
fn the_later_timestamp_wins() {
    assert_eq!(winner(&[cell("a", 10), cell("b", 9)]), cell("a", 10));
    assert_eq!(winner(&[cell("a", -5), cell("b", -3)]), cell("b", -3));
    assert_eq!(winner(&[cell("a", 11), tombstone(10, 100)]), cell("a", 11));
}

#[test]
fn the_larger_value_wins_a_tie_bytewise() {
    assert_eq!(winner(&[cell("a", 10), cell("b", 10)]), cell("b", 10));
    assert_eq!(winner(&[cell("ab", 10), cell("abc", 10)]), cell("abc", 10));
    assert_eq!(winner(&[cell("", 10), cell("a", 10)]), cell("a", 10));
    let byte = |byte: &'static [u8]| Cell::plain(10, Bytes::from_static(byte));
    assert_eq!(winner(&[byte(&[0x7f]), byte(&[0x80])]), byte(&[0x80]));
    assert_eq!(winner(&[cell("a", 10), cell("a", 10)]), cell("a", 10));
}

#[test]
fn a_tombstone_wins_a_tie_against_any_value() {
    assert_eq!(
        winner(&[cell("z", 10), tombstone(10, 100)]),
        tombstone(10, 100)
    );
    assert_eq!(
        winner(&[tombstone(10, 100), expiring("a", 10, 5, 200)]),
        tombstone(10, 100)
    );
    assert_eq!(
        winner(&[expiring("a", 10, 50, 880), tombstone(10, 830)]),
        tombstone(10, 830)
    );
}

#[test]
fn an_expiring_value_wins_a_tie_and_does_not_bring_the_other_back() {
    let wins = winner(&[cell("z", 10), expiring("a", 10, 5, 200)]);
    assert_eq!(wins, expiring("a", 10, 5, 200));
    assert!(wins.is_live(199));
    assert!(!wins.is_live(200));
}

#[test]
fn of_two_expiries_the_later_wins_a_tie_then_the_value_then_the_smaller_ttl() {
    let later = expiring("a", 10, 6, 201);
    assert_eq!(winner(&[expiring("z", 10, 5, 200), later.clone()]), later);
    let larger = expiring("b", 10, 5, 200);
    assert_eq!(winner(&[expiring("a", 10, 5, 200), larger.clone()]), larger);
    let shorter = expiring("a", 10, 5, 200);
    assert_eq!(
        winner(&[shorter.clone(), expiring("a", 10, 7, 200)]),
        shorter
    );
}

#[test]
fn of_two_tombstones_the_later_timestamp_wins_then_the_later_deletion_time() {
    assert_eq!(
        winner(&[tombstone(10, 100), tombstone(10, 101)]),
        tombstone(10, 101)
    );
    assert_eq!(
        winner(&[tombstone(12, 1), cell("a", 11), tombstone(11, 900)]),
        tombstone(12, 1)
    );
}

#[test]
fn a_third_version_changes_nothing_between_two() {
    assert_eq!(
        winner(&[cell("a", 10), tombstone(9, 100), cell("b", 10)]),
        cell("b", 10)
    );
}

#[test]
fn an_expiring_marker_wins_a_tie_then_the_later_expiry_then_the_smaller_ttl() {
    let short = Liveness::expiring(10, 5, 200);
    let long = Liveness::expiring(10, 9, 300);
    assert_eq!(marker(&[Liveness::plain(10), short]), short);
    assert_eq!(marker(&[short, long]), long);
    assert_eq!(marker(&[Liveness::plain(11), long]), Liveness::plain(11));
    assert_eq!(marker(&[short, Liveness::expiring(10, 9, 200)]), short);
}
