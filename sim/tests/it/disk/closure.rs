//! Invariants of profiles: each allows no state that a weaker one forbids, after any few operations.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use cenotaph_sim::disk::{Constraints, DataOrder, GrowthFill, MetadataOrder, Profile, SyncScope};

use super::every::every_state;
use cenotaph_sim::disk::states::{STEPS, Step, after, sequences};

/// As [`Profile::CHAIN`], where there is more to go through.
const WIDE: [(Profile, Profile); 3] = [
    (Profile::PosixAdversarial, Profile::Ext2),
    (Profile::Nfs, Profile::PosixAdversarial),
    (Profile::XfsThin, Profile::Xfs),
];

fn expect_chain(chain: &[(Profile, Profile)], length: u32) {
    let profiles: BTreeSet<Profile> = chain.iter().flat_map(|pair| [pair.0, pair.1]).collect();
    for sequence in sequences(&STEPS, length) {
        let reached: BTreeMap<Profile, BTreeSet<String>> = profiles
            .iter()
            .map(|&profile| (profile, every_state(&after(profile, &sequence))))
            .collect();
        for &(inner, outer) in chain {
            let escaped: Vec<&String> = reached[&inner].difference(&reached[&outer]).collect();
            assert!(
                escaped.is_empty(),
                "{inner:?} within {outer:?} after {sequence:?}: {escaped:?}"
            );
        }
    }
}

#[test]
fn every_profile_stays_within_the_weaker_ones_after_any_two_steps() {
    for length in [1, 2] {
        expect_chain(&Profile::CHAIN, length);
        expect_chain(&WIDE, length);
    }
}

#[test]
fn every_profile_stays_within_the_weaker_ones_after_any_three_steps() {
    expect_chain(&Profile::CHAIN, 3);
}

/// The first sequence of two steps after which `inner` reaches a state that `outer` does not.
fn first_escape(inner: Constraints, outer: Profile) -> Option<(Vec<Step>, String)> {
    sequences(&STEPS, 2).find_map(|sequence| {
        let allowed = every_state(&after(outer, &sequence));
        let reached = every_state(&after(Profile::Custom(inner), &sequence));
        let escaped = reached.difference(&allowed).next()?.clone();
        Some((sequence, escaped))
    })
}

#[test]
fn a_profile_with_a_mistake_in_it_escapes_within_two_steps() {
    let journal = Profile::Ext4LateAllocation;
    let mistakes = [
        (
            "former bytes",
            Constraints {
                growth: GrowthFill::Former,
                ..Constraints::JOURNAL
            },
            journal,
        ),
        (
            "a sync without the journal",
            Constraints {
                sync_scope: SyncScope::Own,
                ..Constraints::JOURNAL
            },
            journal,
        ),
        (
            "names in any order",
            Constraints {
                metadata: MetadataOrder::Free,
                ..Constraints::JOURNAL
            },
            journal,
        ),
        (
            "a rename that loses both names",
            Constraints {
                rename_loses_both: true,
                ..Constraints::ADVERSARIAL
            },
            Profile::PosixAdversarial,
        ),
        (
            "bytes in any order",
            Constraints {
                data: DataOrder::Units,
                ..Profile::HonestPrefix.constraints()
            },
            Profile::HonestPrefix,
        ),
    ];
    let mut text = String::new();
    for (mistake, constraints, outer) in mistakes {
        assert_eq!(
            first_escape(outer.constraints(), outer),
            None,
            "without the mistake there is no escape from {outer:?}"
        );
        let (steps, state) = first_escape(constraints, outer).expect(mistake);
        writeln!(
            text,
            "{mistake}, within {outer:?}: {steps:?} leaves {state}"
        )
        .unwrap();
    }
    cenotaph_snapshots::golden!(
        "sim/disk",
        "mistaken_profiles",
        "A mistake planted in a profile is caught by the first short sequence that shows it.",
        text
    );
}
