//! Invariants of dropped columns, as worked cases: a drop hides all of a column up to its time, for
//! ever, and nothing else.

use super::cases::case;
use crate::support::ops::{V0, V1, delete_row, drop_column, insert, update};

#[test]
fn a_drop_hides_cells_up_to_its_time_even_when_the_column_is_added_again() {
    case("G1", &[update(1, &[(V1, "b")], 100), drop_column(V1, 100)]).shows("no rows");
    case("G1", &[update(1, &[(V1, "b")], 101), drop_column(V1, 100)]).shows("(1: v1='b')");
    case("G6", &[drop_column(V1, 100), update(1, &[(V1, "b")], 50)]).shows("no rows");
}

#[test]
fn a_row_whose_only_column_is_dropped_shows_by_its_marker_alone() {
    case("G3", &[update(1, &[(V1, "b")], 10), drop_column(V1, 100)]).shows("no rows");
    case("G4", &[insert(1, &[(V1, "b")], 10), drop_column(V1, 100)]).shows("(1:)");
}

#[test]
fn a_drop_hides_nothing_of_other_columns_and_deletes_no_row() {
    let both = insert(1, &[(V0, "a"), (V1, "b")], 10);
    case("other columns", &[both.clone(), drop_column(V1, 100)]).shows("(1: v0='a')");
    case(
        "a row deletion beside",
        &[both, drop_column(V1, 100), delete_row(1, 9)],
    )
    .shows("(1: v0='a')");
    let hidden = [update(1, &[(V1, "b")], 100), update(1, &[(V1, "a")], 101)];
    let all = [&hidden[..], &[drop_column(V1, 100)]].concat();
    case("the later of two", &all).shows("(1: v1='a')");
}
