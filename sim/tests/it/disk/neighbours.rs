//! Invariants of neighbouring crash points: what one takes over from another changes no state that it leaves.

use std::ops::ControlFlow;

use cenotaph_sim::disk::states::Bounds;
use cenotaph_sim::disk::{CrashKind, CrashPoint, Disk, Profile, Tear};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::operations::{Operation, Pair, operations};
use super::support::*;

/// Images compared of one crash point.
const IMAGES_MAX: usize = 400;

/// The first images in the order in which they are listed, every hundredth of them made.
fn listed(point: &CrashPoint, deviations: u32) -> (Vec<u128>, Vec<u128>) {
    let (mut hashes, mut made) = (Vec::new(), Vec::new());
    let _ = point.images(Bounds::deviations(deviations), &mut |image| {
        if hashes.len().is_multiple_of(100) {
            made.push(image.disk().image_hash());
        }
        hashes.push(image.hash());
        if hashes.len() == IMAGES_MAX {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    (hashes, made)
}

/// Holds a crash point that took over what it could against one that was compiled alone.
fn expect_same(taken_over: &CrashPoint, disk: &Disk, seed: u64) {
    let alone = CrashPoint::new(disk, taken_over.kind());
    for deviations in [0, 1, 2] {
        let (hashes, made) = listed(taken_over, deviations);
        assert_eq!(listed(&alone, deviations), (hashes.clone(), made.clone()));
        assert!(made.iter().eq(hashes.iter().step_by(100)));
    }
    let crash = |point: &CrashPoint| point.crash(&mut chance(seed)).0.image_hash();
    assert_eq!(crash(taken_over), crash(&alone));
}

/// The same operations with other bytes.
fn changed(operations: &[Operation]) -> Vec<Operation> {
    let change = |operation: &Operation| match *operation {
        Operation::Write {
            handle,
            offset,
            size,
            byte,
        } => Operation::Write {
            handle,
            offset,
            size,
            byte: byte ^ 0x40,
        },
        ref other => other.clone(),
    };
    operations.iter().map(change).collect()
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 150,
        rng_seed: RngSeed::Fixed(0x6e65_6967),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn a_point_that_takes_over_from_its_neighbour_leaves_what_it_leaves_alone(
        operations in operations(25),
        apart in 0..25_usize,
        tear in 0..Tear::ALL.len(),
        profile in 0..Profile::NAMED.len(),
        seed in any::<u64>(),
    ) {
        let kinds = [CrashKind::PowerCut, CrashKind::KernelPanic, CrashKind::ProcessKill];
        let kind = kinds[(seed % 3) as usize];
        let mut pair = Pair::new(disk_with(Profile::NAMED[profile], Tear::ALL[tear]));
        let mut point = CrashPoint::new(&pair.disk, kind);
        let apart = apart.min(operations.len());
        let mut fork = pair.clone();
        for (index, operation) in operations.iter().enumerate() {
            if index == apart {
                fork = pair.clone();
            }
            pair.apply(operation);
            point = point.next(&pair.disk);
            // The points that list nothing have compiled nothing to take over.
            if index % 3 != 1 {
                expect_same(&point, &pair.disk, seed);
            }
        }
        // A fork that wrote other bytes at the same places since.
        for operation in changed(&operations[apart..]) {
            fork.apply(&operation);
        }
        expect_same(&point.next(&fork.disk), &fork.disk, seed);
    }
}

#[test]
fn a_fork_with_other_bytes_under_the_same_history_takes_nothing_of_them_over() {
    let mut disk = disk_with(Profile::PosixAdversarial, Tear::Page4k);
    let file = settled(&mut disk, "f", b'A', 3 * PAGE);
    let after = |bytes: [u8; 2]| {
        let mut disk = disk.clone();
        // Both versions are gone from the cache, and may be on the medium.
        write(&mut disk, file, PAGE as u64, &[bytes[0]; 4096]);
        disk.truncate(file, PAGE as u64).unwrap();
        write(&mut disk, file, 0, &[bytes[1]; 4096]);
        disk
    };
    let (one, other) = (after(*b"BC"), after(*b"DC"));
    let point = CrashPoint::new(&one, CrashKind::PowerCut);
    let hashes = listed(&point, 2);
    let next = point.next(&other);
    expect_same(&next, &other, 1);
    assert_ne!(listed(&next, 2), hashes);
}
