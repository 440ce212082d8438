//! Invariants of any sequence of operations, against the naive file system and against forks.

use std::collections::BTreeSet;

use cenotaph_sim::disk::{Access, CrashKind, Disk, Profile, SECTOR_SIZE, Tear};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::operations::{Operation, Pair, operations, sync_everything, view};
use super::support::*;

fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(0x6469_736b),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn calls_see_what_a_naive_file_system_shows(operations in operations(60)) {
        let mut pair = Pair::new(adversarial());
        for operation in &operations {
            pair.apply(operation);
            pair.disk.check();
            pair.compare();
        }
    }

    #[test]
    fn every_profile_keeps_the_invariants_through_operations_and_a_crash(
        operations in operations(40),
        tear in 0..Tear::ALL.len(),
        seed in any::<u64>(),
    ) {
        for profile in Profile::NAMED {
            let mut pair = Pair::new(disk_with(profile, Tear::ALL[tear]));
            for operation in &operations {
                pair.apply(operation);
                pair.disk.check();
            }
            pair.compare();
            pair.disk.crash(CrashKind::PowerCut, &mut chance(seed));
            pair.disk.check();
        }
    }

    #[test]
    fn a_process_kill_changes_nothing_that_names_show(operations in operations(60)) {
        let mut pair = Pair::after(adversarial(), &operations);
        pair.disk.crash(CrashKind::ProcessKill, &mut Oldest);
        pair.disk.check();
        pair.handles.clear();
        pair.compare();
    }

    #[test]
    fn what_was_synced_survives_every_crash(
        before in operations(60).prop_map(without_failures),
        after in operations(30),
        seed in any::<u64>(),
    ) {
        for profile in Profile::honest() {
            let mut pair = Pair::after(disk(profile), &before);
            pair.sync_everything();
            let synced = view(&mut pair.disk);
            let mut crashed = pair.disk.clone();
            crashed.crash(CrashKind::PowerCut, &mut chance(seed));
            crashed.check();
            prop_assert_eq!(view(&mut crashed), synced.clone());
            // Whatever happens elsewhere puts nothing at risk that it does not touch.
            pair.disk.create_dir("kept").unwrap();
            settled(&mut pair.disk, "kept/f", b'K', 5000);
            pair.disk.sync_dir("").unwrap();
            for operation in &after {
                let _ = apply_loosely(&mut pair.disk, operation);
            }
            pair.disk.crash(CrashKind::PowerCut, &mut chance(seed));
            pair.disk.check();
            prop_assert_eq!(contents(&mut pair.disk, "kept/f"), [b'K'; 5000]);
        }
    }

    #[test]
    fn the_strict_outcome_is_one_of_the_adversarial_ones(
        operations in operations(60).prop_map(without_flushes),
    ) {
        let mut strict = Pair::after(disk(Profile::Strict), &operations).disk;
        let mut adversarial = Pair::after(adversarial(), &operations).disk;
        strict.crash(CrashKind::PowerCut, &mut chance(0));
        adversarial.crash(CrashKind::PowerCut, &mut Oldest);
        prop_assert_eq!(view(&mut strict), view(&mut adversarial));
        prop_assert_eq!(strict.hash(), adversarial.hash());
    }

    #[test]
    fn forks_go_their_own_ways(
        common in operations(40),
        one in operations(20),
        other in operations(20),
        seed in any::<u64>(),
    ) {
        let trunk = Pair::after(adversarial(), &common);
        let before = trunk.disk.hash();
        let alone = |branch: &[Operation]| {
            let mut pair = Pair::after(adversarial(), &common);
            branch.iter().for_each(|operation| pair.apply(operation));
            pair
        };
        let (mut left, mut right) = (trunk.clone(), trunk.clone());
        for index in 0..one.len().max(other.len()) {
            one.get(index).into_iter().for_each(|operation| left.apply(operation));
            other.get(index).into_iter().for_each(|operation| right.apply(operation));
        }
        for (fork, branch) in [(&mut left, &one), (&mut right, &other)] {
            fork.compare();
            let mut alone = alone(branch);
            prop_assert_eq!(fork.disk.hash(), alone.disk.hash());
            fork.disk.crash(CrashKind::PowerCut, &mut chance(seed));
            alone.disk.crash(CrashKind::PowerCut, &mut chance(seed));
            prop_assert_eq!(fork.disk.hash(), alone.disk.hash());
        }
        trunk.disk.check();
        prop_assert_eq!(trunk.disk.hash(), before);
    }

    #[test]
    fn space_never_leaks(operations in operations(80), seed in any::<u64>(), crash in any::<bool>()) {
        let mut pair = Pair::after(adversarial(), &operations);
        if crash {
            pair.disk.crash(CrashKind::PowerCut, &mut chance(seed));
            pair.disk.check();
        }
        pair.handles.iter().for_each(|&handle| pair.disk.close(handle));
        let paths: Vec<String> = view(&mut pair.disk).into_keys().collect();
        for path in paths.iter().rev() {
            if pair.disk.stat(path).unwrap().is_dir {
                pair.disk.sync_dir(path).unwrap();
                pair.disk.remove_dir(path).unwrap();
            } else {
                pair.disk.remove(path).unwrap();
            }
        }
        pair.disk.sync_dir("").unwrap();
        pair.disk.check();
        prop_assert_eq!(pair.disk.used_bytes(), 0);
    }

    #[test]
    fn a_sector_after_a_crash_is_one_version_since_the_last_sync(
        writes in prop::collection::vec((0..3000_usize, 1..1500_usize), 1..30),
        sync_at in 0..30_usize,
        seed in any::<u64>(),
    ) {
        let mut disk = adversarial();
        let file = settled(&mut disk, "f", b'A', 3000);
        let mut images = vec![vec![b'A'; 3000]];
        for (index, &(offset, size)) in writes.iter().enumerate() {
            // Every write has a byte of its own, below the bytes that stand for stale ones.
            let byte = u8::try_from(index + 1).unwrap();
            write(&mut disk, file, offset as u64, &vec![byte; size]);
            let mut image = images.last().unwrap().clone();
            image.resize(image.len().max(offset + size), 0);
            image[offset..offset + size].fill(byte);
            images.push(image);
            if index == sync_at {
                disk.sync_data(file).unwrap();
                images.drain(..images.len() - 1);
            }
        }
        let synced = images[0].len();
        disk.crash(CrashKind::PowerCut, &mut chance(seed));
        let left = contents(&mut disk, "f");
        prop_assert!(left.len() >= synced && left.len() <= images.last().unwrap().len());
        for (sector, bytes) in left.chunks(SECTOR_SIZE).enumerate() {
            let start = sector * SECTOR_SIZE;
            let version = |image: &Vec<u8>| {
                let end = (start + bytes.len()).min(image.len()).max(start.min(image.len()));
                let part = &image[start.min(image.len())..end];
                let (shown, beyond) = bytes.split_at(part.len());
                shown == part && beyond.iter().all(|&byte| byte == 0)
            };
            let stale = start >= synced && bytes.iter().all(|&byte| byte >= 0x80);
            prop_assert!(stale || images.iter().any(version), "sector {sector}: {}", sketch(bytes));
        }
    }

    #[test]
    fn no_file_vanishes_while_nobody_removes_or_replaces_it(
        operations in operations(40),
        seed in any::<u64>(),
    ) {
        let mut disk = adversarial();
        for dir in ["d", "d/e"] {
            disk.create_dir(dir).unwrap();
        }
        for (path, letter) in [("a", b'A'), ("d/a", b'D'), ("d/e/a", b'E')] {
            settled(&mut disk, path, letter, 10);
        }
        sync_everything(&mut disk);
        for operation in &operations {
            match *operation {
                Operation::Rename(_, to) if disk.stat(to).is_ok_and(|stat| !stat.is_dir) => {}
                Operation::Rename(..)
                | Operation::Link(..)
                | Operation::CreateDir(_)
                | Operation::RemoveDir(_)
                | Operation::FlushSome(_) => {
                    let _ = apply_loosely(&mut disk, operation);
                }
                _ => {}
            }
        }
        disk.crash(CrashKind::PowerCut, &mut chance(seed));
        disk.check();
        let found: BTreeSet<Vec<u8>> =
            view(&mut disk).into_values().filter_map(|(bytes, _)| bytes).collect();
        prop_assert_eq!(found, [b'A', b'D', b'E'].map(|letter| vec![letter; 10]).into());
    }
}

/// A lost page is rightly not what its reader saw; another law speaks of those.
fn without_failures(operations: Vec<Operation>) -> Vec<Operation> {
    let keeps = |operation: &Operation| !matches!(operation, Operation::FailSync(_));
    operations.into_iter().filter(keeps).collect()
}

/// Only the adversarial profile lets writeback happen by itself.
fn without_flushes(operations: Vec<Operation>) -> Vec<Operation> {
    let keeps = |operation: &Operation| !matches!(operation, Operation::FlushSome(_));
    operations.into_iter().filter(keeps).collect()
}

/// Does what can be done without handles from before.
fn apply_loosely(disk: &mut Disk, operation: &Operation) -> Option<()> {
    match *operation {
        Operation::Open(path, access) => {
            let handle = disk.open(path, access).ok()?;
            if access != Access::Read {
                disk.write_at(handle, 0, &[7; 900]).ok()?;
            }
            disk.fail_sync(handle);
        }
        Operation::Rename(from, to) => disk.rename(from, to).ok()?,
        Operation::Link(existing, new) => disk.link(existing, new).ok()?,
        Operation::Remove(path) => disk.remove(path).ok()?,
        Operation::CreateDir(path) => disk.create_dir(path).ok()?,
        Operation::RemoveDir(path) => disk.remove_dir(path).ok()?,
        Operation::SyncDir(dir) => disk.sync_dir(dir).ok()?,
        Operation::FlushSome(seed) => disk.flush_some(&mut chance(seed)),
        _ => {}
    }
    Some(())
}
