//! Invariants of lazy crashes: what is read is what a crash decides at once; what is not read does not branch.

use std::collections::BTreeSet;

use cenotaph_sim::disk::states::{Bounds, Search, Tape};
use cenotaph_sim::disk::{
    Access, Base, Choices, CrashKind, CrashPoint, Disk, Mount, Profile, RegisterName, Tear,
};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::operations::{Pair, operations};
use super::support::*;

fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(0x6c61_7a79),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn what_is_read_lazily_is_what_a_crash_decides_at_once(
        operations in operations(40),
        tear in 0..Tear::ALL.len(),
        profile in 0..Profile::NAMED.len(),
        seed in any::<u64>(),
    ) {
        let disk = disk_with(Profile::NAMED[profile], Tear::ALL[tear]);
        let pair = Pair::after(disk, &operations);
        for kind in [CrashKind::ProcessKill, CrashKind::KernelPanic, CrashKind::PowerCut] {
            let point = CrashPoint::new(&pair.disk, kind);
            let mut at_once = pair.disk.clone();
            at_once.crash(kind, &mut chance(seed));
            let mut lazy = point.lazily(&Choices::keyed(chance(seed)));
            lazy.check();
            prop_assert_eq!(tree(&mut lazy), tree(&mut at_once));
            prop_assert_eq!(lazy.image_hash(), at_once.image_hash());
            if at_once.mount() == Mount::Gone {
                continue;
            }
            // Writing fixes as reading does.
            let mut written = point.lazily(&Choices::keyed(chance(seed)));
            for disk in [&mut written, &mut at_once] {
                for (index, name) in disk.list("").unwrap().into_iter().enumerate() {
                    match index % 3 {
                        0 => drop(disk.remove(&name)),
                        1 => {
                            if let Ok(handle) = disk.open(&name, Access::Write) {
                                let _ = disk.write_at(handle, 600, b"recovered");
                                disk.sync_all(handle).unwrap();
                            }
                        }
                        _ => drop(disk.rename(&name, "renamed")),
                    }
                }
                disk.sync_dir("").unwrap();
            }
            written.check();
            prop_assert_eq!(written.image_hash(), at_once.image_hash());
            written.determine_all();
            written.check();
            prop_assert_eq!(written.used_bytes(), at_once.used_bytes());
        }
    }
}

fn two_overwritten_files() -> Disk {
    let mut disk = disk_with(Profile::Xfs, Tear::Page4k);
    let f = settled(&mut disk, "f", b'A', 2 * PAGE);
    let g = settled(&mut disk, "g", b'B', PAGE);
    write(&mut disk, f, 0, &[b'C'; 2 * PAGE]);
    write(&mut disk, g, 0, &[b'D'; PAGE]);
    disk
}

#[test]
fn what_recovery_does_not_read_does_not_branch() {
    let disk = two_overwritten_files();
    let mut search = Search::new(Bounds::NONE, 100);
    let mut seen = BTreeSet::new();
    search.recover(&disk, CrashKind::PowerCut, |mut crashed, choices| {
        let f = open(&mut crashed, "f");
        let first = crashed.read_at(f, 0, PAGE).unwrap();
        seen.insert(first[0]);
        if first[0] == b'C' {
            assert_eq!(choices.made().len(), 1, "one page was looked at");
            seen.insert(crashed.read_at(f, 4096, 1).unwrap()[0]);
            assert_eq!(choices.made().len(), 2, "and one more");
        }
        crashed.remove("g").unwrap();
        crashed.sync_all(f).unwrap();
        crashed.sync_dir("").unwrap();
    });
    assert_eq!(search.progress().recoveries, 3);
    assert_eq!(seen, BTreeSet::from([b'A', b'C']));
}

#[test]
fn choices_say_what_was_looked_at_and_lead_there_again() {
    let point = CrashPoint::new(&two_overwritten_files(), CrashKind::PowerCut);
    let choices = Choices::listed(vec![0, 1], Base::Newest);
    let mut crashed = point.lazily(&choices);
    let before = tree(&mut crashed);
    assert_eq!(before, "f=Ax4096 Cx4096; g=Dx4096");
    let registers: Vec<RegisterName> = choices.made().iter().map(|made| made.register).collect();
    let of = |inode, sector| RegisterName::Data { inode, sector };
    assert_eq!(registers.len(), 3);
    assert_eq!(registers[..2], [of(2, 0), of(2, 8)]);
    let answers = choices.made().iter().map(|made| made.answer).collect();
    let mut again = point.lazily(&Choices::listed(answers, Base::Oldest));
    assert_eq!(tree(&mut again), before);
}

#[test]
fn a_crash_within_recovery_loses_what_recovery_did_not_sync() {
    let disk = two_overwritten_files();
    let mut search = Search::new(Bounds::NONE, 1000);
    let mut inner = Search::new(Bounds::NONE, 1000);
    let mut states = BTreeSet::new();
    search.recover(&disk, CrashKind::PowerCut, |mut crashed, _| {
        let f = open(&mut crashed, "f");
        write(&mut crashed, f, 0, &[b'E'; PAGE]);
        inner.recover(&crashed, CrashKind::PowerCut, |mut twice, _| {
            states.insert(sketch(&contents(&mut twice, "f")));
        });
    });
    let expected = [
        "Ax4096 Ax4096",
        "Ax4096 Cx4096",
        "Cx4096 Ax4096",
        "Cx4096 Cx4096",
        "Ex4096 Ax4096",
        "Ex4096 Cx4096",
    ];
    let expected: BTreeSet<String> = expected
        .into_iter()
        .map(|text| match text.split_once(' ') {
            Some((first, second)) if first == second => format!("{}x8192", &first[..1]),
            _ => text.to_owned(),
        })
        .collect();
    assert_eq!(states, expected);
}

#[test]
fn a_tape_keeps_the_disk_after_each_operation() {
    let mut tape = Tape::new(disk_with(Profile::Xfs, Tear::Page4k));
    let f = tape.step("create", |disk| open(disk, "f"));
    tape.step("write", |disk| write(disk, f, 0, b"A"));
    tape.step("sync", |disk| disk.sync_all(f)).unwrap();
    let labels: Vec<&str> = tape.points().iter().map(|point| &point.label[..]).collect();
    assert_eq!(labels, ["start", "create", "write", "sync"]);
    let mut search = Search::new(Bounds::NONE, 100);
    let mut text = Vec::new();
    for point in tape.points() {
        let mut states = BTreeSet::new();
        search.recover(&point.disk, CrashKind::PowerCut, |mut crashed, _| {
            states.insert(tree(&mut crashed));
        });
        text.push(states.into_iter().collect::<Vec<_>>().join(" or "));
    }
    assert_eq!(
        text,
        [
            "nothing",
            "f=empty or nothing",
            "f=Ax1 or f=empty or nothing",
            "f=Ax1"
        ]
    );
}
