//! Invariants of the judges of the node, of boot, panics and liveness, and of a verdict's text.

use cenotaph::check::{Identity, Invariant, Judge, Role};
use cenotaph::history::{Blame, Event, Outcome, Refusal};
use cenotaph::plan::{FileRole, Operation, OperationRef};
use cenotaph_snapshots::golden;

use crate::support::ops::{V0, create, insert, read, rows, seen_row};
use crate::support::script::Script;

const NOTHING: [&str; 0] = [];

fn exits(script: &mut Script, error: &str) {
    let error = Some(error.to_owned());
    script.push(|at, incarnation| Event::Exited {
        at,
        incarnation,
        error,
    });
}

#[test]
fn a_node_that_refuses_to_boot_from_an_honest_disk_is_objected_to() {
    let mut script = Script::new();
    script.boots();
    exits(&mut script, "commitlog/1.log: damaged at 512");
    assert_eq!(script.identities(), ["boot/boot-succeeds/node"]);
}

#[test]
fn a_node_that_stops_by_itself_is_objected_to() {
    let mut script = Script::new();
    script.boot();
    exits(&mut script, "out of ideas");
    assert_eq!(script.identities(), ["boot/node-keeps-running/node"]);
}

#[test]
fn a_node_may_stop_when_its_disk_failed_it_but_must_boot_after_that() {
    let mut script = Script::new();
    script.boot();
    let what = "sync of commitlog/1.log failed".to_owned();
    script.push(|at, incarnation| Event::DiskFault {
        at,
        incarnation,
        role: Some(FileRole::Commitlog),
        what,
    });
    exits(&mut script, "commitlog/1.log: sync failed");
    assert_eq!(script.identities(), NOTHING);
    script.boots();
    exits(&mut script, "commitlog/1.log: damaged at 512");
    assert_eq!(script.identities(), ["boot/boot-succeeds/node"]);
}

fn blames(script: &mut Script, blame: Blame) {
    let operation = OperationRef {
        client: 0,
        index: 0,
    };
    script.push(|at, incarnation| Event::Blamed {
        at,
        operation,
        incarnation,
        blame,
        why: "data/1-3.sst".to_owned(),
    });
}

fn fails(script: &mut Script) {
    fails_at(script, None);
}

fn fails_at(script: &mut Script, role: Option<FileRole>) {
    script.push(|at, incarnation| Event::DiskFault {
        at,
        incarnation,
        role,
        what: "DiskError".to_owned(),
    });
}

#[test]
fn a_fault_excuses_a_stop_only_where_the_node_needs_the_file() {
    let judged = |role: Option<FileRole>, serves: bool| {
        let mut script = Script::new();
        match serves {
            true => script.boot(),
            false => script.boots(),
        }
        fails_at(&mut script, role);
        exits(&mut script, "input/output error");
        script.identities()
    };
    let of_start = FileRole::ALL.iter().map(|role| judged(Some(*role), false));
    assert!(of_start.into_iter().all(|identities| identities.is_empty()));
    let stopped = ["boot/node-keeps-running/node"];
    assert_eq!(judged(None, true), NOTHING);
    assert_eq!(judged(Some(FileRole::Commitlog), true), NOTHING);
    assert_eq!(judged(Some(FileRole::Metadata), true), NOTHING);
    assert_eq!(judged(Some(FileRole::Manifest), true), NOTHING);
    assert_eq!(judged(Some(FileRole::Data), true), stopped);
    assert_eq!(judged(Some(FileRole::Lock), true), stopped);
}

#[test]
fn a_node_that_contradicts_itself_is_objected_to() {
    let mut script = Script::new();
    script.boot();
    script.push(|at, incarnation| Event::Contradicted {
        at,
        incarnation,
        what: "data/1-3.sst is read but not in the manifest".to_owned(),
    });
    assert_eq!(script.identities(), ["store/store-agrees/node"]);
}

#[test]
fn a_node_that_blames_an_honest_disk_is_objected_to() {
    let mut script = Script::new();
    script.boot();
    blames(&mut script, Blame::Machine);
    assert_eq!(script.identities(), ["boot/failures-have-causes/operation"]);
}

#[test]
fn a_node_may_blame_a_disk_that_failed_but_never_find_its_bytes_corrupt() {
    let mut script = Script::new();
    script.boot();
    fails(&mut script);
    blames(&mut script, Blame::Machine);
    assert_eq!(script.identities(), NOTHING);
    blames(&mut script, Blame::Corruption);
    assert_eq!(script.identities(), ["boot/failures-have-causes/operation"]);
}

#[test]
fn a_read_is_excused_only_by_a_fault_at_an_sstable() {
    let judged = |role: FileRole, what: Operation| {
        let mut script = Script::new();
        script.boot();
        script.begin(0, what);
        fails_at(&mut script, Some(role));
        blames(&mut script, Blame::Machine);
        script.identities()
    };
    let blamed = ["boot/failures-have-causes/operation"];
    assert_eq!(judged(FileRole::Data, read()), NOTHING);
    assert_eq!(judged(FileRole::Commitlog, read()), blamed);
    let write = insert(1, &[(V0, "a")], 5);
    assert_eq!(judged(FileRole::Commitlog, write), NOTHING);
}

#[test]
fn a_disk_fault_excuses_no_node_that_stops_over_corrupt_bytes() {
    let mut script = Script::new();
    script.boot();
    fails(&mut script);
    exits(
        &mut script,
        "Corruption: commitlog/1.log is corrupt at offset 96",
    );
    assert_eq!(script.identities(), ["boot/node-keeps-running/node"]);
}

#[test]
fn a_panic_is_objected_to() {
    let mut script = Script::new();
    script.boot();
    script.push(|at, incarnation| Event::Panicked {
        at,
        incarnation,
        task: "flush".to_owned(),
        message: "index out of bounds".to_owned(),
    });
    assert_eq!(script.identities(), ["panics/no-panic/node"]);
}

#[test]
fn a_healed_node_serves_and_answers() {
    let mut honest = Script::new();
    honest.boot();
    honest.ok(create());
    honest.heal();
    honest.shows(read(), rows(&[]));
    assert_eq!(honest.identities(), NOTHING);

    let mut down = Script::new();
    down.boots();
    down.heal();
    assert_eq!(down.identities(), ["liveness/node-serves/node"]);

    let mut silent = Script::new();
    silent.boot();
    silent.heal();
    silent.timeout(create());
    silent.begin(0, read());
    assert_eq!(
        silent.identities(),
        ["liveness/requests-answered/client"; 2]
    );

    let mut late = Script::new();
    late.boot();
    late.heal();
    let operation = late.begin(0, create());
    late.wait(6_000);
    let done = cenotaph::history::Outcome::Ok(cenotaph::history::Answer::Done);
    late.end(operation, done);
    assert_eq!(late.identities(), ["liveness/requests-answered/client"]);
}

#[test]
fn a_healed_node_that_does_nothing_for_now_is_objected_to() {
    let refused = |why: Refusal| {
        let mut script = Script::new();
        script.boot();
        script.ok(create());
        script.heal();
        let operation = script.begin(0, read());
        script.end(operation, Outcome::Refused(why));
        script.identities()
    };
    assert_eq!(
        refused(Refusal::NotNow("the node is draining".to_owned())),
        ["liveness/requests-answered/client"]
    );
    assert_eq!(refused(Refusal::Other("no such order".to_owned())), NOTHING);
}

#[test]
fn a_last_reader_that_does_not_begin_all_its_reads_is_objected_to() {
    let read_back = |finals_count: usize| {
        let mut script = Script::new();
        script.boot();
        script.ok(create());
        script.facts.finals_count = finals_count;
        script.heal();
        script.shows(read(), rows(&[]));
        script.identities()
    };
    assert_eq!(read_back(1), NOTHING);
    assert_eq!(read_back(2), ["liveness/requests-answered/client"]);
}

#[test]
fn an_identity_prints_and_serializes_without_values() {
    let identity = Identity {
        judge: Judge::Durability,
        invariant: Invariant::AcknowledgedSurvives,
        role: Role::Row,
    };
    assert_eq!(identity.to_string(), "durability/acknowledged-survives/row");
    let text = serde_json::to_string(&identity).unwrap();
    assert_eq!(
        text,
        r#"{"judge":"durability","invariant":"acknowledged-survives","role":"row"}"#
    );
    assert_eq!(serde_json::from_str::<Identity>(&text).unwrap(), identity);
}

#[test]
fn a_verdict_tells_what_was_lost() {
    let mut script = Script::new();
    script.boot();
    script.ok(create());
    script.ok(insert(1, &[(V0, "a")], 5));
    script.ok(insert(2, &[(V0, "b")], 5));
    script.timeout(insert(3, &[(V0, "c")], 5));
    script.power_cycle();
    script.heal();
    script.shows(read(), rows(&[seen_row(2, &[(V0, "b")])]));
    let verdict = script.verdict();
    let violations: String = verdict
        .violations
        .iter()
        .map(|violation| format!("{violation}\n"))
        .collect();
    let text = format!(
        "{}\n{} answers judged\n{violations}",
        script.history, verdict.answers_count
    );
    golden!(
        "scenarios/check",
        "lost_write",
        "A verdict names the write and its promise.",
        text
    );
}
