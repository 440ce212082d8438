//! Invariants of the judge of stored deletions: it objects to each way of storing them wrongly.

use cenotaph::history::{StoneSeen, StonesSeen};

use crate::support::ops::{
    S0, V0, V1, beyond, create_with_grace, delete_cell, delete_partition, delete_range, delete_row,
    edge, expiring, from, insert, key, stone, update, update_static,
};
use crate::support::script::Script;

const NOTHING: [&str; 0] = [];
const MALFORMED: [&str; 1] = ["stones/stones-are-canonical/deletion"];
const INVENTED: [&str; 1] = ["stones/stones-are-written/deletion"];
const LOST: [&str; 1] = ["stones/stones-survive/deletion"];

/// The second in which everything is written.
const BEGIN: u32 = 1_700_000_000;

/// Row deletions of 1 and 5, ranges [2, 4] and (4, 6], a cell of row 3, the partition at time 1.
fn written() -> Script {
    let mut script = Script::new();
    script.boot();
    script.ok(create_with_grace(5));
    script.ok(delete_partition(1));
    script.ok(delete_row(1, 10));
    script.ok(delete_row(5, 30));
    script.ok(delete_range(from(2), from(4), 20));
    script.ok(delete_range(beyond(4), from(6), 21));
    script.ok(delete_cell(3, V0, 40));
    script.ok(update_static("s", 1));
    script
}

fn range(
    from: i64,
    is_after: bool,
    to: i64,
    timestamp: i64,
) -> (
    cenotaph::history::StoneEdge,
    cenotaph::history::StoneEdge,
    StoneSeen,
) {
    let stone = stone(timestamp, BEGIN);
    (edge(Some(from), is_after), edge(Some(to), true), stone)
}

fn honest() -> StonesSeen {
    StonesSeen {
        partition: Some(stone(1, BEGIN)),
        ranges: vec![range(2, false, 4, 20), range(4, true, 6, 21)],
        rows: vec![(key(1), stone(10, BEGIN)), (key(5), stone(30, BEGIN))],
        statics: Vec::new(),
        cells: vec![(key(3), V0.into(), stone(40, BEGIN))],
    }
}

fn judged(change: impl Fn(&mut StonesSeen)) -> Vec<String> {
    let mut script = written();
    let mut seen = honest();
    change(&mut seen);
    script.shows_stones(seen);
    script.identities()
}

#[test]
fn honest_stones_pass() {
    assert_eq!(judged(|_| {}), NOTHING);
}

#[test]
fn stones_out_of_form_are_objected_to() {
    assert_eq!(judged(|seen| seen.ranges.reverse()), MALFORMED);
    assert_eq!(judged(|seen| seen.rows.reverse()), MALFORMED);
    assert_eq!(
        judged(|seen| seen.cells.extend(seen.cells.clone())),
        MALFORMED
    );
    // Ranges that overlap, that are empty, that meet and are one.
    assert_eq!(
        judged(|seen| seen.ranges[0].1 = edge(Some(5), true)),
        MALFORMED
    );
    assert_eq!(
        judged(|seen| seen.ranges[0].1 = edge(Some(2), false)),
        MALFORMED
    );
    let halves = |seen: &mut StonesSeen| {
        seen.ranges[0].1 = edge(Some(3), false);
        seen.ranges.insert(1, range(3, false, 4, 20));
    };
    assert_eq!(judged(halves), MALFORMED);
    // What stands within something as strong.
    assert_eq!(judged(|seen| seen.ranges[0].2 = stone(1, BEGIN)), MALFORMED);
    assert_eq!(judged(|seen| seen.rows[1].1 = stone(21, BEGIN)), MALFORMED);
    assert_eq!(
        judged(|seen| seen.cells[0].2 = stone(20, BEGIN + 1)),
        MALFORMED
    );
    let static_stone = |seen: &mut StonesSeen| seen.statics = vec![(S0.into(), stone(1, BEGIN))];
    assert_eq!(judged(static_stone), MALFORMED);
}

#[test]
fn stones_that_nobody_wrote_are_objected_to() {
    assert_eq!(
        judged(|seen| seen.partition = Some(stone(2, BEGIN))),
        INVENTED
    );
    assert_eq!(
        judged(|seen| seen.partition = Some(stone(1, BEGIN + 1))),
        INVENTED
    );
    assert_eq!(judged(|seen| seen.rows[0].1 = stone(11, BEGIN)), INVENTED);
    assert_eq!(judged(|seen| seen.rows[0].0 = key(0)), INVENTED);
    assert_eq!(
        judged(|seen| seen.ranges[1].1 = edge(Some(7), true)),
        INVENTED
    );
    assert_eq!(judged(|seen| seen.cells[0].1 = V1.into()), INVENTED);
    assert_eq!(judged(|seen| seen.cells[0].0 = key(2)), INVENTED);
}

#[test]
fn stones_that_are_gone_are_missed() {
    assert_eq!(judged(|seen| seen.partition = None), LOST);
    assert_eq!(judged(|seen| drop(seen.ranges.remove(0))), LOST);
    assert_eq!(judged(|seen| drop(seen.ranges.pop())), LOST);
    assert_eq!(judged(|seen| drop(seen.rows.pop())), LOST);
    assert_eq!(judged(|seen| seen.cells.clear()), LOST);
    // An inclusive end that is exclusive.
    assert_eq!(judged(|seen| seen.ranges[1].1 = edge(Some(6), false)), LOST);
    assert_eq!(judged(|seen| seen.ranges[0].0 = edge(Some(2), true)), LOST);
}

#[test]
fn stones_may_go_once_their_grace_is_over() {
    let judged = |waited: u64, seen: StonesSeen| {
        let mut script = written();
        script.wait_seconds(waited);
        script.compacts(5, 0);
        script.shows_stones(seen);
        script.identities()
    };
    assert_eq!(judged(6, StonesSeen::default()), NOTHING);
    assert_eq!(judged(6, honest()), NOTHING);
    // In the last second of their grace all stay.
    assert_eq!(judged(5, honest()), NOTHING);
    assert_eq!(judged(5, StonesSeen::default()), LOST);
}

#[test]
fn what_an_old_stone_took_with_it_is_not_missed() {
    let mut script = Script::new();
    script.boot();
    script.ok(create_with_grace(5));
    script.ok(delete_partition(20));
    script.wait_seconds(6);
    script.ok(delete_row(1, 10));
    script.ok(delete_range(from(2), from(3), 10));
    script.ok(delete_row(9, 21));
    script.compacts(5, 1);
    let second = script.second();
    let rows = vec![(key(9), stone(21, second))];
    script.shows_stones(StonesSeen {
        rows,
        ..StonesSeen::default()
    });
    assert_eq!(script.identities(), NOTHING);
    script.shows_stones(StonesSeen::default());
    assert_eq!(script.identities(), LOST);
}

#[test]
fn a_later_value_takes_the_place_of_a_deleted_cell() {
    let mut script = Script::new();
    script.boot();
    script.ok(create_with_grace(5));
    script.ok(delete_cell(1, V0, 10));
    script.ok(insert(1, &[(V0, "a")], 11));
    script.shows_stones(StonesSeen::default());
    assert_eq!(script.identities(), NOTHING);
}

#[test]
fn an_expired_value_is_a_stone_of_the_second_in_which_it_ended() {
    let judged = |waited: u64, compacts: bool, second: u32| {
        let mut script = Script::new();
        script.boot();
        script.ok(create_with_grace(100));
        script.ok(expiring(update(1, &[(V0, "a")], 10), 3));
        script.wait_seconds(waited);
        if compacts {
            script.compacts(100, 0);
        }
        let cells = vec![(key(1), V0.into(), stone(10, second))];
        script.shows_stones(StonesSeen {
            cells,
            ..StonesSeen::default()
        });
        script.identities()
    };
    assert_eq!(judged(3, false, BEGIN + 3), NOTHING);
    assert_eq!(judged(2, false, BEGIN + 3), INVENTED, "it lives");
    assert_eq!(
        judged(3, false, BEGIN),
        INVENTED,
        "nothing has made it a tombstone"
    );
    assert_eq!(judged(3, true, BEGIN), NOTHING);
    assert_eq!(judged(3, true, BEGIN + 1), INVENTED);
}

#[test]
fn unknown_deletions_may_be_stored_or_not() {
    for rows in [Vec::new(), vec![(key(1), stone(10, BEGIN))]] {
        let mut script = Script::new();
        script.boot();
        script.ok(create_with_grace(5));
        script.timeout(delete_row(1, 10));
        script.shows_stones(StonesSeen {
            rows,
            ..StonesSeen::default()
        });
        assert_eq!(script.identities(), NOTHING);
    }
}
