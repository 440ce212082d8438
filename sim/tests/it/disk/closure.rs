//! Invariants of profiles: each allows no state that a weaker one forbids, after any few operations.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use cenotaph_sim::disk::{
    Access, Constraints, DataOrder, Disk, GrowthFill, Handle, MetadataOrder, Profile, SyncScope,
    Tear,
};

use super::every::every_state;
use super::support::*;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Write(usize, u64),
    Empty(usize),
    Create,
    Rename(&'static str, &'static str),
    Link(&'static str, &'static str),
    Remove(&'static str),
    Sync(usize),
    SyncDir(&'static str),
}

pub(crate) const STEPS: [Step; 17] = [
    Step::Write(0, 0),
    Step::Write(0, 1),
    Step::Write(1, 0),
    Step::Empty(0),
    Step::Empty(1),
    Step::Create,
    Step::Write(2, 0),
    Step::Rename("f", "d/g"),
    Step::Rename("d/g", "f"),
    Step::Rename("n", "f"),
    Step::Rename("f", "d/m"),
    Step::Link("f", "d/k"),
    Step::Remove("f"),
    Step::Sync(0),
    Step::Sync(1),
    Step::SyncDir(""),
    Step::SyncDir("d"),
];

/// A disk with the files `f` and `d/g`, one page each, everything durable, after these steps; those
/// that cannot be done are left out.
pub(crate) fn after(profile: Profile, steps: &[Step]) -> Disk {
    let mut disk = disk_with(profile, Tear::Page4k);
    settled_dir(&mut disk, "d");
    let mut files = vec![
        settled(&mut disk, "f", b'A', PAGE),
        settled(&mut disk, "d/g", b'B', PAGE),
    ];
    for (step, letter) in steps.iter().zip(b'P'..) {
        perform(&mut disk, &mut files, *step, letter);
    }
    disk
}

fn perform(disk: &mut Disk, files: &mut Vec<Handle>, step: Step, letter: u8) {
    match step {
        Step::Write(file, page) => {
            if let Some(&handle) = files.get(file) {
                write(disk, handle, page * PAGE as u64, &[letter; PAGE]);
            }
        }
        Step::Empty(file) => disk.truncate(files[file], 0).unwrap(),
        Step::Create => files.extend(disk.open("n", Access::CreateNew)),
        Step::Rename(from, to) => drop(disk.rename(from, to)),
        Step::Link(from, to) => drop(disk.link(from, to)),
        Step::Remove(path) => drop(disk.remove(path)),
        Step::Sync(file) => disk.sync_all(files[file]).unwrap(),
        Step::SyncDir(dir) => disk.sync_dir(dir).unwrap(),
    }
}

/// Every sequence of this many of these steps.
pub(crate) fn sequences(steps: &[Step], length: u32) -> impl Iterator<Item = Vec<Step>> {
    (0..steps.len().pow(length)).map(move |mut number| {
        let next = |_| {
            let step = steps[number % steps.len()];
            number /= steps.len();
            step
        };
        (0..length).map(next).collect()
    })
}

/// Each profile with one that allows all it allows.
const CHAIN: [(Profile, Profile); 9] = [
    (Profile::PosixAdversarial, Profile::PosixHostile),
    (Profile::Strict, Profile::PosixAdversarial),
    (Profile::HonestPrefix, Profile::Ext4Ordered),
    (Profile::Ext4Ordered, Profile::Ext4LateAllocation),
    (Profile::Ext4Ordered, Profile::Ext4Writeback),
    (Profile::Ext4LateAllocation, Profile::PosixAdversarial),
    (Profile::Xfs, Profile::Ext4LateAllocation),
    (Profile::Xfs, Profile::PosixAdversarial),
    (Profile::Btrfs, Profile::PosixAdversarial),
];

fn expect_chain(steps: &[Step], length: u32) {
    for sequence in sequences(steps, length) {
        let reached: BTreeMap<Profile, BTreeSet<String>> = Profile::honest()
            .map(|profile| (profile, every_state(&after(profile, &sequence))))
            .collect();
        for (inner, outer) in CHAIN {
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
    expect_chain(&STEPS, 1);
    expect_chain(&STEPS, 2);
}

#[test]
fn every_profile_stays_within_the_weaker_ones_after_any_three_steps() {
    expect_chain(&STEPS, 3);
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
