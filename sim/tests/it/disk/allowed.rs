//! Invariants of the question whether an image may occur: yes for what a crash leaves, no for all else.

use std::collections::BTreeSet;

use cenotaph_sim::disk::{CrashKind, CrashPoint, Damage, Disk, Profile, Tear};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::every::{every_crash, every_state};
use super::operations::{Pair, operations};
use super::support::*;
use cenotaph_sim::disk::states::{STEPS, after, sequences};

/// Images of a disk that does the same under the weakest profile, each once.
fn candidates(disk: &Disk) -> Vec<(String, Disk)> {
    let mut known = BTreeSet::new();
    let mut images = Vec::new();
    every_crash(disk, CrashKind::PowerCut, |image| {
        let text = tree(image);
        if known.insert(text.clone()) {
            images.push((text, image.clone()));
        }
    });
    images
}

#[test]
fn an_image_is_allowed_where_a_crash_leaves_it_and_nowhere_else() {
    for sequence in sequences(&STEPS, 1).chain(sequences(&STEPS, 2).step_by(7)) {
        let candidates = candidates(&after(Profile::PosixHostile, &sequence));
        for profile in Profile::honest() {
            let disk = after(profile, &sequence);
            let point = CrashPoint::new(&disk, CrashKind::PowerCut);
            let states = every_state(&disk);
            for (text, image) in &candidates {
                assert_eq!(
                    point.allows(image),
                    states.contains(text),
                    "{profile:?} after {sequence:?}: {text}"
                );
            }
        }
    }
}

#[test]
fn a_changed_bit_length_name_or_link_is_not_allowed() {
    for profile in Profile::honest() {
        let mut disk = disk_with(profile, Tear::Sector512);
        let f = settled(&mut disk, "f", b'A', 1000);
        settled(&mut disk, "g", b'A', 1000);
        write(&mut disk, f, 0, &[b'B'; 512]);
        let point = CrashPoint::new(&disk, CrashKind::PowerCut);
        let image = crashed(&disk, 7);
        assert!(point.allows(&image));
        let changes: [fn(&mut Disk); 6] = [
            |image| {
                image
                    .damage(
                        "f",
                        Damage::FlipBit {
                            offset: 600,
                            bit: 0,
                        },
                    )
                    .unwrap()
            },
            |image| {
                image
                    .damage("f", Damage::FlipBit { offset: 3, bit: 7 })
                    .unwrap()
            },
            |image| image.damage("g", Damage::Truncate { size: 999 }).unwrap(),
            |image| image.rename("g", "h").unwrap(),
            |image| image.create_dir("d").unwrap(),
            |image| {
                image.remove("g").unwrap();
                image.link("f", "g").unwrap();
            },
        ];
        for (number, change) in changes.into_iter().enumerate() {
            let mut changed = image.clone();
            change(&mut changed);
            assert!(!point.allows(&changed), "{profile:?}: change {number}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 150,
        rng_seed: RngSeed::Fixed(0x616c_6c6f),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn what_a_crash_leaves_is_allowed(
        operations in operations(25),
        tear in 0..Tear::ALL.len(),
        profile in 0..Profile::NAMED.len(),
        seed in any::<u64>(),
    ) {
        let disk = disk_with(Profile::NAMED[profile], Tear::ALL[tear]);
        let pair = Pair::after(disk, &operations);
        for kind in [CrashKind::ProcessKill, CrashKind::KernelPanic, CrashKind::PowerCut] {
            let point = CrashPoint::new(&pair.disk, kind);
            let mut image = pair.disk.clone();
            image.crash(kind, &mut chance(seed));
            prop_assert!(point.allows(&image), "{kind:?}: {}", tree(&mut image));
        }
    }
}
