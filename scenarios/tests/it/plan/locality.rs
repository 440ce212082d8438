//! Invariants of a generator's input: edits stay local.

use cenotaph::plan::{Operation, Plan, RECORD_SIZE};
use cenotaph_sim::entropy::{RunKey, section_bytes};

/// A fuzzer's input with this many records. Its byte 0 chooses the scenario.
fn input(records_count: usize) -> Vec<u8> {
    let mut bytes = vec![1];
    bytes.extend(section_bytes(
        RunKey(99),
        "input",
        320 + records_count * RECORD_SIZE,
    ));
    bytes
}

fn plan(bytes: &[u8]) -> Plan {
    Plan::from_fuzz_bytes(bytes).expect("generator bytes are always a plan")
}

/// Without values and times, which name an operation's index.
fn kinds(session: &[Operation]) -> Vec<(std::mem::Discriminant<Operation>, Option<i32>)> {
    session
        .iter()
        .map(|operation| (std::mem::discriminant(operation), operation.partition()))
        .collect()
}

#[test]
fn a_record_taken_out_takes_one_operation_out() {
    let bytes = input(60);
    let whole = plan(&bytes);
    let last = 321 + 59 * RECORD_SIZE;
    let client = usize::from(bytes[last]) % whole.clients.len();
    let less = plan(&bytes[..last]);
    for (index, (before, after)) in whole.clients.iter().zip(&less.clients).enumerate() {
        if index == client && client > 0 {
            assert_eq!(before[..before.len() - 1], after[..], "client {index}");
        } else if index != client {
            assert_eq!(before, after, "client {index}");
        }
    }
}

#[test]
fn a_record_in_the_middle_moves_no_other() {
    let bytes = input(60);
    let whole = plan(&bytes);
    let start = 321 + 30 * RECORD_SIZE;
    let client = usize::from(bytes[start]) % whole.clients.len();
    assert_ne!(client, 0, "the record is one of a client of rows");
    let mut less = bytes.clone();
    less.drain(start..start + RECORD_SIZE);
    let less = plan(&less);
    let before = kinds(&whole.clients[client]);
    let after = kinds(&less.clients[client]);
    let is_one_less = (0..before.len()).any(|gone| {
        let mut without = before.clone();
        without.remove(gone);
        without == after
    });
    assert!(
        is_one_less,
        "one operation is gone, the others keep kind and partition"
    );
}

#[test]
fn the_sections_do_not_mix() {
    let bytes = input(40);
    let whole = plan(&bytes);
    let flipped = |range: std::ops::Range<usize>| {
        let mut bytes = bytes.clone();
        bytes[range].iter_mut().for_each(|byte| *byte = !*byte);
        plan(&bytes)
    };
    let other_faults = flipped(1 + 64..1 + 168);
    assert_eq!(other_faults.clients, whole.clients);
    assert_eq!(other_faults.knobs, whole.knobs);
    assert_ne!(other_faults.faults, whole.faults);
    let other_key = flipped(1 + 56..1 + 64);
    assert_eq!(
        Plan {
            run_key: whole.run_key,
            ..other_key.clone()
        },
        whole
    );
    assert_ne!(other_key.run_key, whole.run_key);
}

#[test]
fn a_plan_file_is_a_fuzz_input() {
    let plan = super::small::plan();
    assert_eq!(Plan::from_fuzz_bytes(plan.to_json().as_bytes()), Some(plan));
    assert_eq!(Plan::from_fuzz_bytes(b""), None);
    assert_eq!(Plan::from_fuzz_bytes(b"{}"), None);
    let unknown = super::small::plan()
        .to_json()
        .replace("crash-without-drain", "no-such");
    assert_eq!(Plan::from_fuzz_bytes(unknown.as_bytes()), None);
}
