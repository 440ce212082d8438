//! Invariants of one cell, as worked cases: of all that is written into it, which wins, whatever
//! landed first.

use std::collections::BTreeMap;

use cenotaph::plan::{Column, Operation, Scalar, ScalarType, Shape};

use super::cases::{case, timed};
use crate::support::ops::{T0, V0, V1, delete_cell, expiring, key, read, shape, update};

fn a(value: &str, timestamp: i64) -> Operation {
    update(1, &[(V0, value)], timestamp)
}

fn tombstone(timestamp: i64) -> Operation {
    delete_cell(1, V0, timestamp)
}

/// A value of so many seconds to live, with the second at which it was written.
fn until(value: &str, timestamp: i64, ttl_seconds: u32, expiry: u32) -> (Operation, u32) {
    (
        expiring(a(value, timestamp), ttl_seconds),
        expiry - ttl_seconds,
    )
}

const NONE: &str = "no rows";

#[test]
fn the_larger_write_time_wins_then_the_larger_bytes() {
    case("A1", &[a("a", 10), a("b", 9)]).shows("(1: v0='a')");
    case("A2", &[a("a", 10), a("b", 10)]).shows("(1: v0='b')");
    case("A3", &[a("ab", 10), a("abc", 10)]).shows("(1: v0='abc')");
    case("A5", &[a("", 10), a("a", 10)]).shows("(1: v0='a')");
    case("A14", &[a("a", 10), a("a", 10)]).shows("(1: v0='a')");
    case("A16", &[a("a", -5), a("b", -3)]).shows("(1: v0='b')");
}

#[test]
fn bytes_compare_without_a_sign() {
    let blob = |byte: u8| Operation::Update {
        table: T0,
        partition: 0,
        row: Some(key(1)),
        cells: [(V0, Scalar::Blob(vec![byte]).into())].into(),
        elements: BTreeMap::new(),
        timestamp: 10,
        ttl_seconds: None,
    };
    let blobs = Shape {
        regulars: vec![ScalarType::Blob.into()],
        ..shape()
    };
    case("A4", &[blob(0x7f), blob(0x80)]).read_shows(&read(), &blobs, 0, "(1: v0=0x80)");
    let number = |number: i64| Operation::Update {
        table: T0,
        partition: 0,
        row: Some(key(1)),
        cells: [(Column::Regular(0), Scalar::Integer(number).into())].into(),
        elements: BTreeMap::new(),
        timestamp: 10,
        ttl_seconds: None,
    };
    let numbers = Shape {
        regulars: vec![ScalarType::BigInt.into()],
        ..shape()
    };
    case("A4", &[number(7), number(-7)]).read_shows(&read(), &numbers, 0, "(1: v0=-7)");
}

#[test]
fn a_tombstone_wins_a_tie_and_loses_to_what_is_later() {
    case("A6", &[a("z", 10), tombstone(10)]).shows(NONE);
    case("A7", &[a("a", 11), tombstone(10)]).shows("(1: v0='a')");
    case("A15", &[a("a", 10), tombstone(9), a("b", 10)]).shows("(1: v0='b')");
    timed(
        "A18",
        &[(tombstone(12), 1), (a("a", 11), 1), (tombstone(11), 900)],
    )
    .shows(NONE);
    timed(
        "A13",
        &[(tombstone(10), 100), (tombstone(10), 101), (a("a", 10), 1)],
    )
    .shows(NONE);
}

#[test]
fn a_value_that_expires_beats_one_that_does_not_even_when_it_has() {
    timed("A8", &[(a("z", 10), 1), until("a", 10, 5, 200)])
        .shows_at(199, "(1: v0='a')")
        .shows_at(200, NONE)
        .shows_at(900, NONE);
}

#[test]
fn a_tombstone_beats_a_value_that_expires() {
    timed("A9", &[(tombstone(10), 100), until("a", 10, 5, 200)]).shows_at(150, NONE);
    timed("A17", &[until("a", 10, 50, 880), (tombstone(10), 830)])
        .shows_at(840, NONE)
        .shows_at(890, NONE);
}

#[test]
fn of_two_that_expire_the_later_wins_then_the_larger_bytes() {
    timed("A10", &[until("z", 10, 5, 200), until("a", 10, 6, 201)])
        .shows_at(199, "(1: v0='a')")
        .shows_at(200, "(1: v0='a')")
        .shows_at(201, NONE);
    timed("A11", &[until("a", 10, 5, 200), until("b", 10, 5, 200)])
        .shows_at(199, "(1: v0='b')")
        .shows_at(200, NONE);
    timed("A12", &[until("a", 10, 5, 200), until("a", 10, 7, 200)])
        .shows_at(199, "(1: v0='a')")
        .shows_at(200, NONE);
}

#[test]
fn each_column_is_a_cell_of_its_own() {
    let both = update(1, &[(V0, "a"), (V1, "b")], 10);
    case("two columns", &[both, a("c", 11), delete_cell(1, V1, 9)]).shows("(1: v0='c' v1='b')");
}
