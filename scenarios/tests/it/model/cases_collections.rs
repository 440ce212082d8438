//! Invariants of columns with many cells, as worked cases: each element is a cell of its own; what sets the
//! column whole deletes what is older, and nothing of its own time.

use cenotaph::history::{Answer, Outcome, StoneOf, StoneSeen, StonesSeen};
use cenotaph::model::{Landed, ReadRequest, evaluate};
use cenotaph::plan::{Change, Field, Operation};

use super::cases::{BEGIN, Case, case, timed};
use crate::support::many::{
    E, F, L, M, N, U, add, change, create, delete, delete_entries, element, field, fields, list,
    map, remove, row_shows, set, shape, whole,
};
use crate::support::ops::{
    delete_partition, delete_row, drop_column, expiring, insert, key, read, stone, text,
};
use crate::support::script::Script;

const NONE: &str = "no rows";

trait Shows {
    fn shows_many(&self, seen: &str) -> &Self;
    fn shows_many_at(&self, now_seconds: u32, seen: &str) -> &Self;
}

impl Shows for Case {
    fn shows_many(&self, seen: &str) -> &Case {
        self.shows_many_at(BEGIN, seen)
    }

    fn shows_many_at(&self, now_seconds: u32, seen: &str) -> &Case {
        self.read_shows(&read(), &shape(), now_seconds, seen)
    }
}

fn one(key: &str, value: &str, timestamp: i64) -> Operation {
    whole(M, map(&[(key, value)]), timestamp)
}

fn put(key: &str, value: &str, timestamp: i64) -> Operation {
    add(M, map(&[(key, value)]), timestamp)
}

#[test]
fn a_map_set_whole_deletes_what_is_older_than_itself() {
    case("D1", &[one("a", "1", 10)]).shows_many("(1: v0={'a': '1'})");
    case("D2", &[one("a", "1", 10), put("b", "2", 9)]).shows_many("(1: v0={'a': '1'})");
    case("D3", &[one("a", "1", 10), put("b", "2", 10)]).shows_many("(1: v0={'a': '1', 'b': '2'})");
    case("D4", &[one("a", "1", 10), one("b", "2", 10)]).shows_many("(1: v0={'a': '1', 'b': '2'})");
    case("D5", &[one("a", "1", 10), one("b", "2", 11)]).shows_many("(1: v0={'b': '2'})");
    case(
        "set to nothing",
        &[put("a", "1", 10), whole(M, map(&[]), 11)],
    )
    .shows_many(NONE);
}

#[test]
fn an_element_is_deleted_alone() {
    case("D6", &[put("a", "1", 10), remove(M, &["a"], 12)]).shows_many(NONE);
    case("D6", &[put("a", "1", 10), delete_entries(M, &["a"], 12)]).shows_many(NONE);
    case(
        "D6",
        &[put("a", "1", 10), put("b", "2", 10), remove(M, &["a"], 12)],
    )
    .shows_many("(1: v0={'b': '2'})");
    case("D12", &[add(E, set(&["x"]), 10), remove(E, &["x"], 10)]).shows_many(NONE);
    case(
        "an element again",
        &[add(E, set(&["x"]), 11), remove(E, &["x"], 10)],
    )
    .shows_many("(1: v1={'x'})");
}

#[test]
fn deletions_of_rows_and_of_all_elements_go_by_their_times() {
    let (a, b) = (put("a", "1", 11), put("b", "2", 13));
    timed(
        "D7",
        &[
            (delete_row(1, 9), 5),
            (delete(M, 9), 5),
            (put("a", "1", 10), 5),
        ],
    )
    .shows_many("(1: v0={'a': '1'})");
    case("D8", &[delete_row(1, 10), delete(M, 12), a.clone(), b]).shows_many("(1: v0={'b': '2'})");
    case("D9", &[delete_row(1, 12), delete(M, 10), a]).shows_many(NONE);
    case("D10", &[delete(M, 9)]).shows_many(NONE);
    timed(
        "D11",
        &[(delete(M, 9), 5), (delete(M, 9), 6), (put("a", "1", 9), 1)],
    )
    .shows_many(NONE);
    case(
        "an INSERT's marker",
        &[insert(1, &[], 10), one("a", "1", 10), delete(M, 10)],
    )
    .shows_many("(1:)");
}

#[test]
fn lists_grow_in_the_order_of_their_appends() {
    let (x, y) = (add(L, list(&["x"]), 10), add(L, list(&["y"]), 10));
    // Which landed first decides, for the ids are the node's; both are there either way.
    let landed = |operations: &[Operation]| {
        let all: Vec<_> = operations
            .iter()
            .map(|what| Landed::at(what, BEGIN))
            .collect();
        let (what, shape) = (read(), shape());
        let request = ReadRequest::of(&what, &shape, BEGIN).unwrap();
        evaluate(&all, &request).to_string()
    };
    assert_eq!(landed(&[x.clone(), y.clone()]), "(1: v2=['x', 'y'])", "D13");
    assert_eq!(landed(&[y, x]), "(1: v2=['y', 'x'])", "D13");
    case(
        "appends of two times",
        &[add(L, list(&["x"]), 11), add(L, list(&["y"]), 10)],
    )
    .shows_many("(1: v2=['y', 'x'])");
    case(
        "set whole between",
        &[
            add(L, list(&["x"]), 10),
            whole(L, list(&["z", "y"]), 11),
            add(L, list(&["w"]), 12),
        ],
    )
    .shows_many("(1: v2=['z', 'y', 'w'])");
}

#[test]
fn a_frozen_map_is_one_value_and_a_field_is_a_cell() {
    let frozen = |key, value| whole(F, map(&[(key, value)]), 10);
    case("D14", &[frozen("a", "1"), frozen("b", "2")]).shows_many("(1: v4={'b': '2'})");
    // The count comes first, then sizes: a longer key beats a larger one.
    case("D14", &[frozen("aa", "1"), frozen("b", "2")]).shows_many("(1: v4={'aa': '1'})");
    case("D15", &[field(0, Some("1"), 10), field(1, Some("2"), 11)])
        .shows_many("(1: v3={f0: '1', f1: '2'})");
    case(
        "a field set to null",
        &[
            whole(U, fields(&[(0, "1"), (1, "2")]), 10),
            field(0, None, 11),
        ],
    )
    .shows_many("(1: v3={f1: '2'})");
    case(
        "a struct set whole",
        &[
            whole(U, fields(&[(0, "1"), (1, "2")]), 10),
            whole(U, fields(&[(0, "3")]), 11),
        ],
    )
    .shows_many("(1: v3={f0: '3'})");
}

#[test]
fn elements_expire_one_by_one_and_static_ones_are_the_partitions() {
    let until = |what, ttl_seconds: u32, end: u32| (expiring(what, ttl_seconds), end - ttl_seconds);
    timed(
        "times to live",
        &[
            until(add(E, set(&["x"]), 10), 5, 200),
            until(add(E, set(&["y"]), 11), 5, 300),
        ],
    )
    .shows_many_at(199, "(1: v1={'x', 'y'})")
    .shows_many_at(200, "(1: v1={'y'})")
    .shows_many_at(300, NONE);
    let nulls = [(Field(0), None), (Field(1), Some(text("2")))].into();
    let cleared = change(U, Change::Fields(nulls), 11);
    timed(
        "a deletion of a field does not expire",
        &[(field(0, Some("1"), 10), BEGIN), until(cleared, 5, 200)],
    )
    .shows_many_at(199, "(1: v3={f1: '2'})")
    .shows_many_at(200, NONE);
    let n = |key: &str, timestamp| add(N, map(&[(key, "1")]), timestamp);
    case(
        "a static map",
        &[whole(N, map(&[("a", "1")]), 10), n("b", 9), n("c", 11)],
    )
    .shows_many("s0={'a': '1', 'c': '1'}");
    case(
        "a static map",
        &[n("a", 10), n("c", 11), delete_partition(10)],
    )
    .shows_many("s0={'c': '1'}");
}

#[test]
fn a_drop_hides_elements_and_deletions_of_its_column_up_to_its_time() {
    case("G2", &[one("a", "1", 100), drop_column(M, 100)]).shows_many(NONE);
    case(
        "G2",
        &[one("a", "1", 101), put("b", "2", 100), drop_column(M, 100)],
    )
    .shows_many("(1: v0={'a': '1'})");
    // The deletion with it: what it would hide, the drop hides.
    let deleted = [(StoneOf::Elements(M), stone(100, SECOND))];
    let after = |seen| stones_after(&[(one("a", "1", 101), 0), (drop_column(M, 100), 0)], seen);
    assert!(after(in_row(&[])).is_empty(), "G2");
    assert_eq!(
        after(in_row(&deleted)),
        ["resurrection/dropped-stays-gone/column"],
        "G2"
    );
}

/// The second at which scripts begin.
const SECOND: u32 = 1_700_000_000;
const LOST: [&str; 1] = ["stones/stones-survive/deletion"];
const INVENTED: [&str; 1] = ["stones/stones-are-written/deletion"];
const MALFORMED: [&str; 1] = ["stones/stones-are-canonical/deletion"];

/// What the judges say of these stones of a partition after operations, each so many seconds after the one
/// before.
fn stones_after(operations: &[(Operation, u64)], seen: StonesSeen) -> Vec<String> {
    let mut script = Script::new();
    script.boot();
    script.ok(create(1_000));
    for (what, seconds) in operations {
        script.wait_seconds(*seconds);
        script.ok(what.clone());
    }
    script.shows_stones(seen);
    script.identities()
}

fn in_row(stones: &[(StoneOf, StoneSeen)]) -> StonesSeen {
    let cells = stones
        .iter()
        .map(|(of, stone)| (key(1), of.clone(), *stone));
    StonesSeen {
        cells: cells.collect(),
        ..StonesSeen::default()
    }
}

#[test]
fn what_is_stored_of_a_collection_is_its_strongest_deletion_and_what_that_leaves() {
    let all = |timestamp, after| (StoneOf::Elements(M), stone(timestamp, SECOND + after));
    let once = |what: Operation| (what, 0);
    let d1 = [once(one("a", "1", 10))];
    assert!(stones_after(&d1, in_row(&[all(9, 0)])).is_empty(), "D1");
    assert_eq!(stones_after(&d1, in_row(&[])), LOST, "D1");
    assert_eq!(
        stones_after(&d1, in_row(&[all(10, 0)])),
        INVENTED,
        "D1: just before itself"
    );
    let d5 = [once(one("a", "1", 10)), once(one("b", "2", 11))];
    assert!(stones_after(&d5, in_row(&[all(10, 0)])).is_empty(), "D5");
    assert_eq!(stones_after(&d5, in_row(&[all(9, 0)])), LOST, "D5");
    let gone = |timestamp| (element(M, "a"), stone(timestamp, SECOND));
    let d6 = [once(put("a", "1", 10)), once(remove(M, &["a"], 12))];
    assert!(stones_after(&d6, in_row(&[gone(12)])).is_empty(), "D6");
    assert_eq!(stones_after(&d6, in_row(&[])), LOST, "D6");
    let d11 = [once(delete(M, 9)), (delete(M, 9), 1)];
    assert!(stones_after(&d11, in_row(&[all(9, 1)])).is_empty(), "D11");
    assert_eq!(stones_after(&d11, in_row(&[all(9, 0)])), LOST, "D11");
    let covered = [once(remove(M, &["a"], 9)), once(one("a", "1", 10))];
    assert!(stones_after(&covered, in_row(&[all(9, 0)])).is_empty());
    assert_eq!(
        stones_after(&covered, in_row(&[all(9, 0), gone(9)])),
        MALFORMED
    );
}

#[test]
fn a_row_deletion_takes_the_deletion_of_all_elements_that_is_no_stronger() {
    let all = |timestamp| (StoneOf::Elements(M), stone(timestamp, SECOND));
    let with_row = |timestamp, cells: &[(StoneOf, StoneSeen)]| StonesSeen {
        rows: vec![(key(1), stone(timestamp, SECOND))],
        ..in_row(cells)
    };
    let both = |row, elements| [(delete_row(1, row), 0), (delete(M, elements), 0)];
    let d7 = both(9, 9);
    assert!(stones_after(&d7, with_row(9, &[])).is_empty(), "D7");
    assert_eq!(stones_after(&d7, with_row(9, &[all(9)])), MALFORMED, "D7");
    let d8 = both(10, 12);
    assert!(stones_after(&d8, with_row(10, &[all(12)])).is_empty(), "D8");
    assert_eq!(stones_after(&d8, with_row(10, &[])), LOST, "D8");
    let d9 = both(12, 10);
    assert!(stones_after(&d9, with_row(12, &[])).is_empty(), "D9");
    assert_eq!(stones_after(&d9, with_row(12, &[all(10)])), MALFORMED, "D9");
}

#[test]
fn a_list_may_show_two_overlapping_appends_of_one_time_either_way() {
    let judged = |in_turn: bool, shown: &[&str]| {
        let mut script = Script::new();
        script.boot();
        script.ok(create(1_000));
        let (x, y) = (add(L, list(&["x"]), 10), add(L, list(&["y"]), 10));
        match in_turn {
            true => {
                script.ok(x);
                script.ok(y);
            }
            false => {
                let (x, y) = (script.begin(1, x), script.begin(2, y));
                for name in [x, y] {
                    script.end(name, Outcome::Ok(Answer::Done));
                }
            }
        }
        script.shows(read(), row_shows(&[(L, list(shown))]));
        script.identities()
    };
    for shown in [["x", "y"], ["y", "x"]] {
        assert!(judged(false, &shown).is_empty(), "D13");
    }
    assert!(judged(true, &["x", "y"]).is_empty(), "D13");
    assert_eq!(
        judged(true, &["y", "x"]),
        ["answers/elements-in-order/row"],
        "D13"
    );
    assert_eq!(
        judged(false, &["x"]),
        ["answers/acknowledged-shows/row"],
        "D13"
    );
}
