//! Invariants of clamping: what does not fit is left out, and the rest stays.

use cenotaph::plan::{FaultKind, Operation, Packets, Plan, TableNumber, Way};

use super::small;

#[test]
fn a_valid_plan_is_left_alone() {
    assert_eq!(small::plan().clamped(), small::plan());
    for seed in 0..50 {
        let plan = Plan::from_seed("crash-without-drain", seed).unwrap();
        assert_eq!(plan.clone().clamped(), plan);
    }
}

#[test]
fn what_does_not_fit_is_left_out() {
    let valid = small::plan();
    let mut broken = valid.clone();
    broken.knobs.world.time_quantum_micros = 0;
    broken.knobs.engine.block_size_bytes = 0;
    broken.knobs.engine.compaction_sstables_min = 1;
    broken.clients[1].insert(0, Operation::Pause { millis: u32::MAX });
    let twice = broken.clients[1][1].clone();
    broken.clients[1].push(twice);
    broken.clients[0].push(Operation::DropTable {
        table: TableNumber(u16::MAX),
    });
    broken.faults[4].kind = FaultKind::Partition {
        client: 9,
        duration_millis: 1,
        way: Way::Both,
        packets: Packets::Lost,
    };
    broken.bug = Some("../../etc".to_owned());
    assert!(broken.validate("broken").is_err());
    let clamped = broken.clamped();
    assert_eq!(clamped.validate("clamped"), Ok(()));
    assert_eq!(clamped.clients, valid.clients);
    assert_eq!(clamped.faults.len(), valid.faults.len() - 1);
    assert_eq!(clamped.bug, None);
    assert_eq!(clamped.knobs.world.time_quantum_micros, 1);
    assert_eq!(clamped.knobs.engine.compaction_sstables_min, 2);
}
