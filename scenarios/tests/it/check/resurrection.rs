//! Invariants of the judge of the dead: it objects to each way of coming back.

use cenotaph::history::{Answer, Outcome};

use crate::support::ops::{
    V0, create, delete_partition, delete_range, delete_row, drop_table, from, insert, read, rows,
    seen_row, statics, update_static,
};
use crate::support::script::Script;

const NOTHING: [&str; 0] = [];

fn script() -> Script {
    let mut script = Script::new();
    script.boot();
    script.ok(create());
    script
}

fn shown(value: &str) -> cenotaph::history::PartitionSeen {
    rows(&[seen_row(1, &[(V0, value)])])
}

#[test]
fn what_a_deletion_hides_stays_hidden() {
    for deletion in [
        delete_row(1, 5),
        delete_range(from(1), from(1), 5),
        delete_partition(5),
    ] {
        for crashes in [false, true] {
            let judged = |seen| {
                let mut script = script();
                script.ok(insert(1, &[(V0, "a")], 5));
                script.ok(deletion.clone());
                if crashes {
                    script.power_cycle();
                }
                script.shows(read(), seen);
                script.identities()
            };
            assert_eq!(judged(rows(&[])), NOTHING);
            assert_eq!(
                judged(shown("a")),
                ["resurrection/deleted-stays-deleted/row"]
            );
            let bare = rows(&[seen_row(1, &[])]);
            assert_eq!(judged(bare), ["resurrection/deleted-stays-deleted/row"]);
        }
    }
}

#[test]
fn a_partition_deletion_hides_static_cells() {
    let mut script = script();
    script.ok(update_static("s", 5));
    script.ok(delete_partition(5));
    script.shows(read(), statics("s", &[]));
    assert_eq!(
        script.identities(),
        ["resurrection/deleted-stays-deleted/static"]
    );
}

#[test]
fn a_value_that_nobody_wrote_is_objected_to() {
    let mut script = script();
    script.ok(insert(1, &[(V0, "a")], 5));
    script.shows(read(), shown("b"));
    assert_eq!(script.identities(), ["resurrection/only-written-shows/row"]);
}

#[test]
fn a_value_in_another_row_is_objected_to() {
    let mut script = script();
    script.ok(insert(2, &[(V0, "a")], 5));
    script.shows(read(), shown("a"));
    assert_eq!(script.identities(), ["resurrection/only-written-shows/row"]);
}

#[test]
fn a_value_from_the_future_is_objected_to() {
    let mut script = script();
    script.shows(read(), shown("a"));
    script.ok(insert(1, &[(V0, "a")], 5));
    assert_eq!(
        script.identities(),
        ["resurrection/only-written-shows/operation"]
    );
}

#[test]
fn what_was_lost_stays_lost() {
    let mut script = script();
    script.timeout(insert(1, &[(V0, "a")], 5));
    script.power_cycle();
    script.shows(read(), rows(&[]));
    assert_eq!(script.identities(), NOTHING);
    script.power_cycle();
    script.shows(read(), shown("a"));
    assert_eq!(
        script.identities(),
        ["resurrection/lost-stays-lost/operation"]
    );
}

#[test]
fn a_packet_that_outlives_its_node_may_still_land() {
    let mut script = script();
    script.facts.packet_life_longest = std::time::Duration::from_secs(1);
    script.timeout(insert(1, &[(V0, "a")], 5));
    script.power_cycle();
    script.shows(read(), rows(&[]));
    script.shows(read(), shown("a"));
    assert_eq!(script.identities(), NOTHING);
}

#[test]
fn a_table_created_again_starts_empty() {
    let judged = |seen| {
        let mut script = script();
        script.ok(insert(1, &[(V0, "a")], 5));
        script.ok(drop_table());
        script.ok(create());
        script.shows(read(), seen);
        script.identities()
    };
    assert_eq!(judged(rows(&[])), NOTHING);
    assert_eq!(
        judged(shown("a")),
        ["resurrection/dropped-stays-gone/operation"]
    );
}

#[test]
fn a_write_that_overlaps_a_drop_may_be_in_either_table() {
    for seen in [rows(&[]), shown("a")] {
        let mut script = script();
        let write = script.begin(2, insert(1, &[(V0, "a")], 5));
        script.ok(drop_table());
        script.ok(create());
        script.end(write, Outcome::Ok(Answer::Done));
        script.shows(read(), seen);
        assert_eq!(script.identities(), NOTHING);
    }
}

#[test]
fn a_late_answer_may_show_what_a_drop_took_since() {
    let mut script = script();
    let drop = script.begin(3, drop_table());
    script.ok(insert(1, &[(V0, "a")], 5));
    let late = script.begin(1, read());
    script.end(drop, Outcome::Ok(Answer::Done));
    script.ok(create());
    let early = script.begin(2, read());
    script.end(early, Outcome::Ok(Answer::Rows(rows(&[]))));
    script.end(late, Outcome::Ok(Answer::Rows(shown("a"))));
    assert_eq!(script.identities(), NOTHING);
}
