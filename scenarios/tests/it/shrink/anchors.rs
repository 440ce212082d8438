//! Invariants of anchors while operations go: a fault goes on meeting what it met.

use std::num::NonZeroUsize;

use cenotaph::check::Judge;
use cenotaph::plan::{
    Anchor, CrashKind, Fault, FaultKind, FileRole, IoKind, Operation, OperationRef, Plan,
};
use cenotaph::shrink::{ShrinkOptions, shrink};

use crate::synthetic::{delete_row, insert, one_plan, outcome, violation};

const OPTIONS: ShrinkOptions = ShrinkOptions {
    runs_max: 5_000,
    threads: NonZeroUsize::MIN,
};

fn crash(at: Anchor) -> Fault {
    let kind = FaultKind::Crash {
        kind: CrashKind::Power,
        restart_after_millis: 10,
    };
    Fault { at, kind }
}

#[test]
fn a_crash_at_an_operation_follows_it_to_its_new_place() {
    let mut plan = one_plan();
    let index = plan.clients[1].len();
    plan.clients[1].extend([delete_row(0, 99, 5, 77), insert(0, 99, 6, 5_000)]);
    let at = OperationRef {
        client: 1,
        index: u32::try_from(index).unwrap(),
    };
    plan.faults.push(crash(Anchor::Operation(at)));
    // Fails when a crash stands at a deletion of that one row.
    let fails = |plan: &Plan| {
        let deletion = |fault: &Fault| {
            let (Anchor::Operation(at), FaultKind::Crash { .. }) = (&fault.at, &fault.kind) else {
                return None;
            };
            let operation = plan
                .clients
                .get(usize::from(at.client))?
                .get(at.index as usize)?;
            matches!(operation, Operation::DeleteRow { .. }).then_some(*at)
        };
        let struck = plan.faults.iter().find_map(deletion);
        struck
            .map(|at| violation(Judge::Durability, Some(at)))
            .into_iter()
            .collect()
    };
    let run = |plan: &Plan, options: &_| outcome(plan, options, &fails);
    let shrunk = shrink(&run, &plan, OPTIONS, &mut |_| {}).unwrap();
    assert!(shrunk.is_minimal);
    assert_eq!(shrunk.plan.clients.len(), 1);
    assert_eq!(shrunk.plan.clients[0].len(), 1);
    assert_eq!(shrunk.plan.faults.len(), 1);
    assert_eq!(
        shrunk.plan.faults[0].at,
        Anchor::Operation(OperationRef {
            client: 0,
            index: 0
        })
    );
}

#[test]
fn a_crash_at_a_disk_operation_comes_earlier_when_fewer_operations_cause_those() {
    let mut plan = one_plan();
    plan.faults.clear();
    plan.clients = vec![(0..24).map(|step| insert(0, 1, step, step + 1)).collect()];
    let sync = |incarnation, ordinal| {
        let (role, kind) = (FileRole::Commitlog, IoKind::Sync);
        Anchor::Io {
            machine: 1,
            incarnation,
            role,
            kind,
            ordinal,
        }
    };
    plan.faults.push(crash(sync(1, 24)));
    // Each write causes one sync, and the crash has to be at the last one.
    let fails = |plan: &Plan| {
        let count = u32::try_from(plan.clients.iter().map(Vec::len).sum::<usize>()).unwrap();
        let is_last =
            |fault: &Fault| matches!(fault.at, Anchor::Io { ordinal, .. } if ordinal == count);
        match plan.faults.iter().any(is_last) {
            true => vec![violation(Judge::Durability, None)],
            false => Vec::new(),
        }
    };
    let run = |plan: &Plan, options: &_| outcome(plan, options, &fails);
    let shrunk = shrink(&run, &plan, OPTIONS, &mut |_| {}).unwrap();
    assert_eq!(shrunk.after.operations_count, 1);
    assert_eq!(shrunk.plan.faults[0].at, sync(1, 1));
}

#[test]
fn a_crash_less_makes_later_incarnations_earlier() {
    let mut plan = one_plan();
    plan.faults = vec![
        crash(Anchor::Time { millis: 50 }),
        crash(Anchor::Time { millis: 90 }),
    ];
    let (role, kind) = (FileRole::Data, IoKind::Write);
    let at = |incarnation| Anchor::Io {
        machine: 1,
        incarnation,
        role,
        kind,
        ordinal: 1,
    };
    plan.faults.push(Fault {
        at: at(3),
        kind: FaultKind::DiskError,
    });
    // Incarnation n is reached by n - 1 crashes.
    let fails = |plan: &Plan| {
        let crashes = plan.faults.iter();
        let crashes = crashes
            .filter(|fault| matches!(fault.kind, FaultKind::Crash { .. }))
            .count();
        let is_met = |fault: &Fault| matches!(fault.at, Anchor::Io { incarnation, .. } if incarnation as usize == crashes + 1);
        match plan.faults.iter().any(is_met) {
            true => vec![violation(Judge::Boot, None)],
            false => Vec::new(),
        }
    };
    let run = |plan: &Plan, options: &_| outcome(plan, options, &fails);
    let shrunk = shrink(&run, &plan, OPTIONS, &mut |_| {}).unwrap();
    assert_eq!(
        shrunk.plan.faults,
        [Fault {
            at: at(1),
            kind: FaultKind::DiskError
        }]
    );
}
