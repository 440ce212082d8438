//! Invariants of rows, as worked cases: a row shows by its marker or by a live cell of it.

use cenotaph::plan::{Operation, Slice};

use super::cases::{case, timed};
use crate::support::ops::{
    V0, V1, delete_cell, delete_partition, delete_row, expiring, insert, read_with, shape, update,
    update_static,
};

const NONE: &str = "no rows";
const BARE: &str = "(1:)";

fn marker(timestamp: i64) -> Operation {
    insert(1, &[], timestamp)
}

fn cell(value: &str, timestamp: i64) -> Operation {
    update(1, &[(V0, value)], timestamp)
}

fn until(what: Operation, ttl_seconds: u32, expiry: u32) -> (Operation, u32) {
    (expiring(what, ttl_seconds), expiry - ttl_seconds)
}

#[test]
fn an_insert_leaves_a_marker_and_an_update_none() {
    case("B1", &[marker(10)]).shows(BARE);
    case("B2", &[cell("1", 10), delete_cell(1, V0, 11)]).shows(NONE);
    case("B3", &[insert(1, &[(V0, "1")], 10), delete_cell(1, V0, 11)]).shows(BARE);
    case("B10", &[delete_cell(1, V0, 10)]).shows(NONE);
    case("B13", &[marker(10), delete_cell(1, V0, 10)]).shows(BARE);
}

#[test]
fn a_marker_expires_with_its_insert() {
    timed("B4", &[until(marker(10), 5, 200)])
        .shows_at(199, BARE)
        .shows_at(200, NONE);
    timed("B5", &[(marker(10), 1), until(marker(10), 5, 200)])
        .shows_at(199, BARE)
        .shows_at(200, NONE);
    timed(
        "B6",
        &[until(marker(10), 5, 200), until(marker(10), 9, 300)],
    )
    .shows_at(250, BARE)
    .shows_at(300, NONE);
    timed("B7", &[(marker(11), 1), until(marker(10), 9, 300)]).shows_at(900, BARE);
    timed(
        "B14",
        &[until(marker(10), 5, 200), until(marker(10), 9, 200)],
    )
    .shows_at(199, BARE)
    .shows_at(200, NONE);
}

#[test]
fn a_row_outlives_its_marker_by_a_cell_and_its_cells_by_a_marker() {
    timed(
        "B8",
        &[
            until(insert(1, &[(V0, "1")], 10), 5, 200),
            (cell("2", 11), 1),
        ],
    )
    .shows_at(250, "(1: v0='2')");
    timed("B9", &[until(cell("1", 10), 5, 200), (marker(11), 1)]).shows_at(250, BARE);
}

#[test]
fn a_row_deletion_takes_what_is_not_later() {
    case("B11", &[insert(1, &[(V0, "v")], 10), delete_row(1, 10)]).shows(NONE);
    case("B12", &[insert(1, &[(V0, "v")], 11), delete_row(1, 10)]).shows("(1: v0='v')");
}

#[test]
fn a_partition_deletion_takes_markers_and_cells_by_their_own_times() {
    case("C1", &[delete_partition(10), insert(1, &[(V0, "v")], 10)]).shows(NONE);
    case("C2", &[delete_partition(10), cell("v", 11)]).shows("(1: v0='v')");
    case("C3", &[delete_partition(10), marker(9), cell("v", 11)]).shows("(1: v0='v')");
    case(
        "C6",
        &[delete_partition(10), delete_row(1, 12), cell("v", 11)],
    )
    .shows(NONE);
    let two = [
        delete_row(1, 10),
        delete_row(1, 12),
        cell("v", 11),
        marker(13),
    ];
    case("C7", &two).shows(BARE);
    let both = update(1, &[(V1, "w")], 13);
    case(
        "C12",
        &[delete_partition(10), delete_row(1, 12), cell("v", 11), both],
    )
    .shows("(1: v1='w')");
}

#[test]
fn a_partition_deletion_takes_static_cells_and_no_other_does() {
    case("C9", &[delete_partition(10), update_static("s", 9)]).shows(NONE);
    case("C9", &[delete_partition(10), update_static("s", 11)]).shows("s0='s'");
    case("C9", &[delete_row(1, 10), update_static("s", 9)]).shows("s0='s'");
}

#[test]
fn static_cells_alone_are_a_row_of_the_whole_partition_only() {
    let only = case("C14", &[update_static("s", 9)]);
    only.shows("s0='s'");
    let prefix = crate::support::ops::key(1);
    let one = Slice {
        prefix,
        ..Slice::default()
    };
    case("C15", &[update_static("s", 9)]).read_shows(
        &read_with(one, None, None),
        &shape(),
        0,
        NONE,
    );
}
