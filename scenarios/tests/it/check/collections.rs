//! Invariants of the judges of collections: they object to a missing element, to an extra one, to one that
//! comes back, and to one that stands wrong.

use cenotaph::history::{PartitionSeen, Refusal};
use cenotaph::plan::{Collection, CrashKind, Operation};

use crate::support::many::{
    E, F, L, M, U, add, create, delete, delete_entries, field, fields, list, map, remove,
    row_shows, set, whole,
};
use crate::support::ops::{delete_row, drop_column, expiring, read, rows};
use crate::support::script::Script;

const NOTHING: [&str; 0] = [];
const MISSING: [&str; 1] = ["answers/acknowledged-shows/row"];
const NEVER: [&str; 1] = ["resurrection/only-written-shows/row"];
const REPLACED: [&str; 1] = ["answers/newest-wins/row"];
const DELETED: [&str; 1] = ["resurrection/deleted-stays-deleted/row"];
const MALFORMED: [&str; 1] = ["answers/elements-in-order/row"];

fn after(operations: &[Operation]) -> Script {
    let mut script = Script::new();
    script.boot();
    script.ok(create(5));
    for operation in operations {
        script.ok(operation.clone());
    }
    script
}

fn judged(operations: &[Operation], seen: PartitionSeen) -> Vec<String> {
    let mut script = after(operations);
    script.shows(read(), seen);
    script.identities()
}

#[test]
fn an_element_that_is_missing_and_one_too_many_are_objected_to() {
    let written = [
        whole(M, map(&[("a", "1")]), 10),
        add(M, map(&[("b", "2")]), 11),
        add(E, set(&["x", "y"]), 10),
        add(L, list(&["l1", "l2"]), 10),
        field(0, Some("f"), 10),
        whole(F, map(&[("a", "z")]), 10),
    ];
    let row = |column, of: Collection| {
        let honest = [
            (M, map(&[("a", "1"), ("b", "2")])),
            (E, set(&["x", "y"])),
            (L, list(&["l1", "l2"])),
            (U, fields(&[(0, "f")])),
            (F, map(&[("a", "z")])),
        ];
        let own =
            honest.map(|(own, honest)| (own, if own == column { of.clone() } else { honest }));
        judged(&written, row_shows(&own))
    };
    assert_eq!(row(M, map(&[("a", "1"), ("b", "2")])), NOTHING);
    assert_eq!(row(M, map(&[("a", "1")])), MISSING);
    assert_eq!(row(M, map(&[("b", "2")])), MISSING);
    assert_eq!(row(M, map(&[("a", "1"), ("b", "2"), ("c", "3")])), NEVER);
    assert_eq!(
        row(M, map(&[("a", "2"), ("b", "2")])),
        NEVER,
        "another key's value"
    );
    assert_eq!(row(M, map(&[("a", "1"), ("b", "3")])), NEVER);
    assert_eq!(row(E, set(&["x"])), MISSING);
    assert_eq!(row(E, set(&["x", "y", "z"])), NEVER);
    assert_eq!(row(L, list(&["l1"])), MISSING);
    assert_eq!(row(L, list(&["l1", "l2", "l3"])), NEVER);
    assert_eq!(row(U, fields(&[(0, "f"), (1, "f")])), NEVER);
    assert_eq!(row(U, fields(&[(1, "f")])), NEVER);
    assert_eq!(row(F, map(&[("a", "y")])), NEVER);
    assert_eq!(row(F, map(&[])), NEVER);
}

#[test]
fn a_collection_out_of_form_is_objected_to() {
    let written = [
        whole(M, map(&[("a", "1"), ("b", "2")]), 10),
        add(E, set(&["x", "y"]), 10),
        add(L, list(&["l1"]), 10),
        add(L, list(&["l2"]), 11),
    ];
    let row = |of: [(_, Collection); 3]| judged(&written, row_shows(&of));
    let (m, e, l) = (
        || map(&[("a", "1"), ("b", "2")]),
        || set(&["x", "y"]),
        || list(&["l1", "l2"]),
    );
    assert_eq!(row([(M, m()), (E, e()), (L, l())]), NOTHING);
    assert_eq!(
        row([(M, map(&[("b", "2"), ("a", "1")])), (E, e()), (L, l())]),
        MALFORMED
    );
    assert_eq!(row([(M, m()), (E, set(&["y", "x"])), (L, l())]), MALFORMED);
    assert_eq!(
        row([(M, m()), (E, set(&["x", "x", "y"])), (L, l())]),
        MALFORMED
    );
    assert_eq!(
        row([(M, m()), (E, e()), (L, list(&["l2", "l1"]))]),
        MALFORMED
    );
    assert_eq!(
        row([(M, m()), (E, e()), (L, list(&["l1", "l2", "l2"]))]),
        MALFORMED
    );
    assert_eq!(
        row([(M, m()), (E, e()), (L, list(&[]))]),
        MALFORMED,
        "null is not empty"
    );
}

#[test]
fn what_a_collection_set_whole_replaced_does_not_come_back() {
    let written = [
        add(M, map(&[("b", "2")]), 9),
        whole(M, map(&[("a", "1")]), 10),
    ];
    assert_eq!(
        judged(&written, row_shows(&[(M, map(&[("a", "1")]))])),
        NOTHING
    );
    let both = || row_shows(&[(M, map(&[("a", "1"), ("b", "2")]))]);
    assert_eq!(judged(&written, both()), REPLACED);
    // At its own time it deletes nothing.
    let tied = [add(M, map(&[("b", "2")]), 10), written[1].clone()];
    assert_eq!(judged(&tied, both()), NOTHING);
    assert_eq!(
        judged(&tied, row_shows(&[(M, map(&[("a", "1")]))])),
        MISSING
    );
    for kind in [CrashKind::Kill, CrashKind::Power] {
        let mut script = after(&written);
        script.crash(kind);
        script.boot();
        script.shows(read(), both());
        assert_eq!(
            script.identities(),
            ["durability/acknowledged-survives/row"]
        );
    }
}

#[test]
fn deleted_elements_do_not_come_back() {
    let put = || add(M, map(&[("a", "1"), ("b", "2")]), 10);
    let all = || row_shows(&[(M, map(&[("a", "1"), ("b", "2")]))]);
    let rest = || row_shows(&[(M, map(&[("b", "2")]))]);
    for gone in [remove(M, &["a"], 10), delete_entries(M, &["a"], 11)] {
        assert_eq!(judged(&[put(), gone.clone()], rest()), NOTHING);
        assert_eq!(judged(&[put(), gone.clone()], all()), DELETED);
        assert_eq!(judged(&[put(), gone], rows(&[])), MISSING);
    }
    for gone in [delete(M, 10), delete_row(1, 10)] {
        assert_eq!(judged(&[put(), gone.clone()], rows(&[])), NOTHING);
        assert_eq!(judged(&[put(), gone], all()), DELETED);
    }
    let set_of = |of: &[&str]| row_shows(&[(E, set(of))]);
    let removed = [add(E, set(&["x", "y"]), 10), remove(E, &["x"], 11)];
    assert_eq!(judged(&removed, set_of(&["y"])), NOTHING);
    assert_eq!(judged(&removed, set_of(&["x", "y"])), DELETED);
    // Any of several writers may show an element of a set.
    let again = [&removed[..], &[add(E, set(&["x"]), 12)]].concat();
    assert_eq!(judged(&again, set_of(&["x", "y"])), NOTHING);
    assert_eq!(judged(&again, set_of(&["y"])), MISSING);
    let dropped = [put(), drop_column(M, 10)];
    assert_eq!(
        judged(&dropped, all())[0],
        "schema/columns-stay-gone/column"
    );
}

#[test]
fn an_element_ends_with_its_time_to_live() {
    let written = || {
        let mut script = after(&[expiring(add(E, set(&["x"]), 10), 3), add(E, set(&["y"]), 9)]);
        script.wait_seconds(4);
        script
    };
    let mut script = written();
    script.shows(read(), row_shows(&[(E, set(&["y"]))]));
    assert_eq!(script.identities(), NOTHING);
    let mut script = written();
    script.shows(read(), row_shows(&[(E, set(&["x", "y"]))]));
    assert_eq!(script.identities(), ["resurrection/expired-stays-dead/row"]);
}

#[test]
fn an_update_of_which_nobody_knows_shows_whole_or_not_at_all() {
    let judged = |seen| {
        let mut script = after(&[add(M, map(&[("a", "1"), ("b", "2")]), 9)]);
        script.timeout(whole(M, map(&[("c", "3"), ("d", "4")]), 10));
        script.shows(read(), seen);
        script.identities()
    };
    let of = |entries: &[(&str, &str)]| row_shows(&[(M, map(entries))]);
    assert_eq!(judged(of(&[("a", "1"), ("b", "2")])), NOTHING);
    assert_eq!(judged(of(&[("c", "3"), ("d", "4")])), NOTHING);
    assert!(!judged(of(&[("c", "3")])).is_empty());
    assert!(!judged(of(&[("a", "1"), ("c", "3"), ("d", "4")])).is_empty());
    assert!(!judged(of(&[("a", "1")])).is_empty());
    assert!(!judged(rows(&[])).is_empty());
}

#[test]
fn a_forgotten_deletion_of_elements_hides_nothing_that_lands_later() {
    let judged = |waited: u64, late: Operation, shown: &[(&str, &str)]| {
        let mut script = after(&[whole(M, map(&[("a", "1")]), 10), remove(M, &["c"], 10)]);
        script.wait_seconds(waited);
        script.compacts(5, 0);
        script.ok(late);
        script.shows(read(), row_shows(&[(M, map(shown))]));
        script.identities()
    };
    let older = |key: &str| add(M, map(&[(key, "old")]), 9);
    // Its grace is over: the deletion may be gone, the value that was put with it is not.
    assert_eq!(judged(7, older("b"), &[("a", "1"), ("b", "old")]), NOTHING);
    assert_eq!(judged(7, older("c"), &[("a", "1"), ("c", "old")]), NOTHING);
    assert_eq!(judged(7, older("b"), &[("a", "1")]), NOTHING);
    assert_eq!(judged(7, older("a"), &[("a", "old")]), REPLACED);
    assert_eq!(judged(2, older("b"), &[("a", "1"), ("b", "old")]), REPLACED);
    assert_eq!(judged(2, older("c"), &[("a", "1"), ("c", "old")]), REPLACED);
    // What a forgotten tombstone took of a younger map does not hide what lands later; that the map deleted
    // what is older than itself is no matter.
    let mut script = after(&[remove(M, &["a"], 10)]);
    script.wait_seconds(7);
    script.ok(whole(M, map(&[("a", "z")]), 10));
    script.compacts(5, 1);
    script.ok(add(M, map(&[("a", "y")]), 10));
    script.shows(read(), row_shows(&[(M, map(&[("a", "y")]))]));
    assert_eq!(script.identities(), NOTHING);
    let refused = Refusal::Other("no".to_owned());
    let mut script = after(&[]);
    script.refused(older("a"), refused);
    script.shows(read(), row_shows(&[(M, map(&[("a", "old")]))]));
    assert_eq!(
        script.identities(),
        ["resurrection/refused-stays-out/operation"]
    );
}
