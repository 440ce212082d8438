//! Invariants of the judge of the schema: tables and columns are there, or are not, by what was said.

use cenotaph::history::{Refusal, TableSeen};
use cenotaph::plan::{CrashKind, TableNumber};

use crate::support::ops::{
    S0, V0, V1, V2, add_v2, create, drop_table, insert, read, t0_seen, update,
};
use crate::support::script::Script;

const NOTHING: [&str; 0] = [];
const SURVIVE: [&str; 1] = ["schema/tables-survive/table"];
const GONE: [&str; 1] = ["schema/tables-stay-gone/table"];

fn script() -> Script {
    let mut script = Script::new();
    script.boot();
    script.ok(create());
    script
}

fn t0() -> TableSeen {
    t0_seen(&[S0, V0, V1])
}

#[test]
fn a_created_table_survives_every_crash_in_every_mode() {
    for kind in CrashKind::ALL {
        for mut script in [Script::new(), Script::periodic(100)] {
            script.boot();
            script.ok(create());
            script.crash(*kind);
            script.boot();
            script.describes(&[t0()]);
            assert_eq!(script.identities(), NOTHING);
            script.describes(&[]);
            assert_eq!(script.identities(), SURVIVE);
        }
    }
}

#[test]
fn a_created_table_may_not_be_unknown_to_a_read_or_write() {
    let mut script = script();
    script.power_cycle();
    script.refused(insert(1, &[(V0, "a")], 5), Refusal::NoSuchTable);
    script.refused(read(), Refusal::NoSuchTable);
    assert_eq!(script.identities(), [SURVIVE, SURVIVE].concat());
}

#[test]
fn a_created_table_may_not_be_created_again() {
    let mut script = script();
    script.refused(create(), Refusal::TableExists);
    assert_eq!(script.identities(), NOTHING);
    script.ok(create());
    assert_eq!(script.identities(), SURVIVE);
}

#[test]
fn a_table_that_was_never_created_or_is_dropped_is_not_there() {
    let mut early = Script::new();
    early.boot();
    early.describes(&[t0()]);
    assert_eq!(early.identities(), GONE);
    let mut late = script();
    late.ok(drop_table());
    late.refused(read(), Refusal::NoSuchTable);
    late.power_cycle();
    late.describes(&[]);
    assert_eq!(late.identities(), NOTHING);
    late.describes(&[t0()]);
    late.ok(insert(1, &[(V0, "a")], 5));
    assert_eq!(late.identities(), [GONE, GONE].concat());
}

#[test]
fn a_table_shows_once_and_only_under_its_own_name() {
    let mut script = script();
    script.describes(&[t0(), t0()]);
    assert_eq!(script.identities(), GONE);
    let other = TableSeen {
        table: TableNumber(7),
        ..t0()
    };
    script.describes(&[t0(), other]);
    assert_eq!(script.identities(), [GONE, GONE].concat());
}

#[test]
fn what_a_description_showed_of_an_unanswered_change_stays_so() {
    let mut shown = Script::new();
    shown.boot();
    shown.timeout(create());
    shown.describes(&[t0()]);
    shown.power_cycle();
    shown.describes(&[]);
    assert_eq!(shown.identities(), SURVIVE);
    let mut missed = Script::new();
    missed.boot();
    missed.timeout(create());
    missed.power_cycle();
    missed.describes(&[]);
    missed.power_cycle();
    missed.describes(&[t0()]);
    assert_eq!(missed.identities(), GONE);
}

#[test]
fn an_acknowledged_write_keeps_its_table() {
    let mut script = Script::new();
    script.boot();
    script.timeout(create());
    script.ok(insert(1, &[(V0, "a")], 5));
    script.power_cycle();
    script.refused(read(), Refusal::NoSuchTable);
    assert_eq!(script.identities(), SURVIVE);
}

#[test]
fn an_added_column_survives_and_no_other_shows() {
    let wide = || t0_seen(&[S0, V0, V1, V2]);
    let mut script = script();
    script.describes(&[t0()]);
    script.refused(update(1, &[(V2, "x")], 5), Refusal::NoSuchColumn);
    assert_eq!(script.identities(), NOTHING);
    script.ok(add_v2());
    script.power_cycle();
    script.describes(&[wide()]);
    script.ok(update(1, &[(V2, "a")], 5));
    assert_eq!(script.identities(), NOTHING);
    script.describes(&[t0()]);
    script.refused(update(1, &[(V2, "b")], 5), Refusal::NoSuchColumn);
    assert_eq!(script.identities(), ["schema/columns-survive/column"; 2]);
}

#[test]
fn a_column_that_was_not_added_or_went_with_its_table_is_not_there() {
    let wide = || t0_seen(&[S0, V0, V1, V2]);
    let mut early = script();
    early.describes(&[wide()]);
    assert_eq!(early.identities(), ["schema/columns-stay-gone/column"]);
    let mut late = script();
    late.ok(add_v2());
    late.ok(drop_table());
    late.ok(create());
    late.describes(&[t0()]);
    assert_eq!(late.identities(), NOTHING);
    late.describes(&[wide()]);
    assert_eq!(late.identities(), ["schema/columns-stay-gone/column"]);
}

#[test]
fn a_column_of_the_first_day_is_there() {
    let mut script = script();
    script.describes(&[t0_seen(&[S0, V0])]);
    assert_eq!(script.identities(), ["schema/columns-survive/column"]);
}
