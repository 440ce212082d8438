//! Invariants of lying drives: syncs hold while the power does, and after it as far as the cache was drained.

use std::collections::BTreeSet;

use cenotaph_sim::disk::{Constraints, CrashKind, Disk, Drive, Profile};

use super::every::{every_crash, every_state};
use super::support::*;

/// Two files of one sector, overwritten and synced one after the other, all before that drained.
fn two_synced_overwrites(profile: Profile) -> Disk {
    let mut disk = disk(profile);
    let f = settled(&mut disk, "f", b'A', 512);
    let g = settled(&mut disk, "g", b'A', 512);
    disk.drain_drive();
    write(&mut disk, f, 0, &[b'B'; 512]);
    disk.sync_all(f).unwrap();
    write(&mut disk, g, 0, &[b'C'; 512]);
    disk.sync_all(g).unwrap();
    disk.check();
    disk
}

fn after_panic(disk: &Disk) -> BTreeSet<String> {
    let mut states = BTreeSet::new();
    every_crash(disk, CrashKind::KernelPanic, |fork| {
        fork.check();
        states.insert(tree(fork));
    });
    states
}

const IN_ORDER: Profile = Profile::Custom(Constraints {
    drive: Drive::LyingInOrder,
    ..Constraints::ADVERSARIAL
});

#[test]
fn a_kernel_panic_loses_nothing_synced() {
    for profile in [Profile::LyingDrive, IN_ORDER] {
        let states = after_panic(&two_synced_overwrites(profile));
        assert_eq!(states, set(["f=Bx512; g=Cx512"]));
    }
}

#[test]
fn a_power_cut_loses_any_part_of_what_was_synced() {
    let states = every_state(&two_synced_overwrites(Profile::LyingDrive));
    let expected = [
        "f=Ax512; g=Ax512",
        "f=Ax512; g=Cx512",
        "f=Bx512; g=Ax512",
        "f=Bx512; g=Cx512",
    ];
    assert_eq!(states, set(expected));
}

#[test]
fn a_power_cut_behind_an_ordered_cache_loses_the_last_syncs() {
    let states = every_state(&two_synced_overwrites(IN_ORDER));
    let expected = ["f=Ax512; g=Ax512", "f=Bx512; g=Ax512", "f=Bx512; g=Cx512"];
    assert!(states.is_superset(&set(expected)), "{states:?}");
    // The last sync is lost, and the write before it survived for itself.
    assert!(!states.contains("f=Ax512; g=Cx512"), "{states:?}");
}

#[test]
fn what_was_drained_survives_every_crash() {
    for profile in [Profile::LyingDrive, IN_ORDER] {
        let mut disk = two_synced_overwrites(profile);
        disk.drain_drive();
        assert_eq!(every_state(&disk), set(["f=Bx512; g=Cx512"]));
    }
}

#[test]
fn a_name_that_was_synced_goes_with_the_power() {
    let mut disk = disk(Profile::LyingDrive);
    settled(&mut disk, "f", b'A', 512);
    let states = every_state(&disk);
    let expected = ["nothing", "f=empty", "f=0x512", "f=?x512", "f=Ax512"];
    assert_eq!(states, set(expected));
    assert_eq!(after_panic(&disk), set(["f=Ax512"]));
}

#[test]
fn a_process_kill_leaves_the_cache_of_the_drive_as_it_is() {
    let mut disk = two_synced_overwrites(Profile::LyingDrive);
    disk.crash(CrashKind::ProcessKill, &mut Oldest);
    disk.check();
    assert_eq!(tree(&mut disk), "f=Bx512; g=Cx512");
    assert_eq!(every_state(&disk).len(), 4);
    let f = open(&mut disk, "f");
    disk.sync_all(f).unwrap();
    assert_eq!(every_state(&disk).len(), 4);
}

#[test]
fn a_crash_leaves_a_drive_with_nothing_in_its_cache() {
    let disk = two_synced_overwrites(Profile::LyingDrive);
    for seed in 0..20 {
        let mut once = crashed(&disk, seed);
        let left = tree(&mut once);
        assert_eq!(every_state(&once), set([&left]));
    }
}
