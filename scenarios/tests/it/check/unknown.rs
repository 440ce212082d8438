//! Invariants of unknown answers: they are neither "done" nor "not done"; a judge that took one for
//! either would object to a right database.

use cenotaph::history::{Answer, Outcome, Refusal};

use crate::support::ops::{
    V0, create, delete_row, drop_table, insert, read, rows, seen_row, t0_seen,
};
use crate::support::script::Script;

const NOTHING: [&str; 0] = [];

fn shown() -> cenotaph::history::PartitionSeen {
    rows(&[seen_row(1, &[(V0, "a")])])
}

fn script() -> Script {
    let mut script = Script::new();
    script.boot();
    script.ok(create());
    script
}

#[test]
fn a_write_without_an_answer_may_show_or_not() {
    for seen in [rows(&[]), shown()] {
        let mut script = script();
        script.timeout(insert(1, &[(V0, "a")], 5));
        script.shows(read(), seen);
        assert_eq!(script.identities(), NOTHING);
    }
}

#[test]
fn a_write_without_an_answer_may_land_later_while_its_node_lives() {
    let mut script = script();
    script.timeout(insert(1, &[(V0, "a")], 5));
    script.shows(read(), rows(&[]));
    script.shows(read(), shown());
    assert_eq!(script.identities(), NOTHING);
}

#[test]
fn a_deletion_without_an_answer_may_hide_or_not() {
    for seen in [rows(&[]), shown()] {
        let mut script = script();
        script.ok(insert(1, &[(V0, "a")], 5));
        script.timeout(delete_row(1, 6));
        script.shows(read(), seen);
        assert_eq!(script.identities(), NOTHING);
    }
}

#[test]
fn a_write_that_overlaps_a_read_may_show_or_not() {
    for seen in [rows(&[]), shown()] {
        let mut script = script();
        let read = script.begin(1, read());
        script.ok(insert(1, &[(V0, "a")], 5));
        script.end(read, Outcome::Ok(Answer::Rows(seen)));
        assert_eq!(script.identities(), NOTHING);
    }
}

#[test]
fn a_table_change_without_an_answer_may_have_happened_or_not() {
    for seen in [
        &[][..],
        &[t0_seen(&[
            crate::support::ops::S0,
            V0,
            crate::support::ops::V1,
        ])],
    ] {
        let mut script = script();
        script.timeout(drop_table());
        script.describes(seen);
        assert_eq!(script.identities(), NOTHING);
    }
}

#[test]
fn a_refused_write_may_not_show() {
    let mut script = script();
    script.refused(
        insert(1, &[(V0, "a")], 5),
        Refusal::Other("overloaded".to_owned()),
    );
    script.shows(read(), shown());
    assert_eq!(
        script.identities(),
        ["resurrection/refused-stays-out/operation"]
    );
}

#[test]
fn a_refused_write_may_show_where_requests_repeat() {
    let mut script = script();
    script.facts.requests_may_repeat = true;
    script.refused(
        insert(1, &[(V0, "a")], 5),
        Refusal::Other("overloaded".to_owned()),
    );
    script.shows(read(), shown());
    assert_eq!(script.identities(), NOTHING);
}
