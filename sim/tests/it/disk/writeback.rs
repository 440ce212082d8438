//! Invariants of what happens between syncs: writeback by itself, and histories that grow long.

use std::collections::BTreeSet;

use cenotaph_sim::disk::{Chance, CrashKind, Disk, Profile, RegisterName};
use cenotaph_sim::entropy::{RunKey, Stream};

use super::operations::view;
use super::support::*;

#[test]
fn what_writeback_took_no_crash_takes_back() {
    let mut disk = adversarial();
    let f = settled(&mut disk, "f", b'A', 1024);
    write(&mut disk, f, 0, &[b'B'; 1024]);
    write(&mut disk, f, 8192, &[b'B'; 512]);
    let mut bounds = BTreeSet::new();
    for seed in 0..100 {
        let mut flushed = disk.clone();
        flushed.flush_some(&mut chance(seed));
        flushed.check();
        assert_eq!(
            view(&mut flushed),
            view(&mut disk.clone()),
            "calls see no writeback"
        );
        let mut bound = flushed.clone();
        bound.crash(CrashKind::PowerCut, &mut Oldest);
        let bound = tree(&mut bound);
        bounds.insert(bound.clone());
        write(&mut flushed, f, 0, &[b'C'; 512]);
        let states = outcomes(&flushed, 100);
        let went_back = states
            .iter()
            .filter(|state| state.starts_with("f=A"))
            .count();
        assert_eq!(
            went_back > 0,
            bound.starts_with("f=A"),
            "{bound}: {states:?}"
        );
    }
    let full = "f=Bx1024 0x7168 Bx512";
    assert_eq!(
        bounds,
        set([
            "f=Ax1024",
            "f=Bx1024",
            "f=Ax1024 0x7680",
            "f=Bx1024 0x7680",
            full,
            "f=Ax1024 0x7168 Bx512"
        ])
    );
}

#[test]
fn writeback_may_make_names_durable() {
    let mut disk = adversarial();
    open(&mut disk, "f");
    let names = |seed| {
        let mut disk = disk.clone();
        disk.flush_some(&mut chance(seed));
        disk.crash(CrashKind::PowerCut, &mut Oldest);
        disk.list("").unwrap()
    };
    let kept: BTreeSet<Vec<String>> = (0..50).map(names).collect();
    assert_eq!(kept, BTreeSet::from([vec![], vec!["f".to_owned()]]));
}

/// Writes back every page of every file, and no length or name.
struct PagesOnly;

impl Chance for PagesOnly {
    fn below(&mut self, register: RegisterName, bound: u64) -> u64 {
        match register {
            RegisterName::Writeback { inode: 1, .. } => 1,
            RegisterName::Writeback { part: u64::MAX, .. } => bound - 1,
            RegisterName::Writeback { part, .. } => u64::from(part < u64::MAX - 1),
            other => panic!("{other:?} has no part in writeback"),
        }
    }
}

#[test]
fn a_page_that_writeback_took_shows_no_stale_bytes() {
    let mut disk = adversarial();
    let f = settled(&mut disk, "f", b'A', 0);
    write(&mut disk, f, 0, &[b'B'; 512]);
    disk.flush_some(&mut PagesOnly);
    disk.check();
    assert_eq!(outcomes(&disk, 100), set(["f=empty", "f=Bx512"]));
    write(&mut disk, f, 0, &[b'C'; 512]);
    assert_eq!(outcomes(&disk, 100), set(["f=empty", "f=Bx512", "f=Cx512"]));
}

#[test]
fn a_shortened_history_remembers_what_a_cut_took() {
    let mut disk = adversarial();
    let f = settled(&mut disk, "f", b'A', 1024);
    disk.truncate(f, 100).unwrap();
    for round in 0..2000_u64 {
        write(&mut disk, f, 512 + 512 * (round % 2), &[b'B'; 512]);
    }
    disk.check();
    let mut sizes = BTreeSet::new();
    for seed in 0..300 {
        let mut crashed = crashed(&disk, seed);
        let bytes = contents(&mut crashed, "f");
        sizes.insert(bytes.len());
        if bytes.len() > 1024 {
            assert_eq!(sketch(&bytes[..512]), "Ax100 0x412");
        }
    }
    assert!(sizes.contains(&1024) && sizes.contains(&1536), "{sizes:?}");
}

#[test]
fn the_strict_profile_writes_nothing_back_by_itself() {
    let mut disk = disk(Profile::Strict);
    put(&mut disk, "f", b'A', 0, 512);
    let before = disk.hash();
    for seed in 0..50 {
        disk.flush_some(&mut chance(seed));
    }
    assert_eq!(disk.hash(), before);
}

/// One random change of the file, with a byte of its own in every round.
fn change(disk: &mut Disk, stream: &mut Stream, round: u64) {
    let f = open(disk, "f");
    let size = disk.size(f).unwrap();
    match stream.below(16) {
        0 => disk.truncate(f, stream.below(40_000)).unwrap(),
        1 => disk
            .preallocate(f, stream.below(30_000), 1 + stream.below(9000))
            .unwrap(),
        2 => disk.flush_some(&mut chance(round)),
        3 if round.is_multiple_of(5) => drop(disk.fail_sync(f)),
        4 if round.is_multiple_of(7) => disk.evict(f).unwrap(),
        5..10 => write(disk, f, size.min(100_000), &vec![round as u8; 300]),
        _ => {
            let bytes = vec![round as u8; 1 + stream.below(6000) as usize];
            write(disk, f, stream.below(30_000), &bytes);
        }
    }
    disk.close(f);
}

#[test]
fn long_histories_without_a_sync_keep_the_books_straight() {
    for key in 0..6 {
        let mut disk = adversarial();
        let mut stream = Stream::open(RunKey(key).stream("changes"));
        settled(&mut disk, "f", b'A', 20_000);
        for round in 0..1500 {
            change(&mut disk, &mut stream, round);
            if round % 50 == 0 {
                disk.check();
                crashed(&disk, round);
            }
        }
        disk.check();
        let f = open(&mut disk, "f");
        let _ = disk.sync_all(f);
        disk.check();
        disk.evict_all();
        disk.sync_all(f).unwrap();
        let seen = view(&mut disk);
        assert_eq!(view(&mut crashed(&disk, key)), seen);
    }
}

#[test]
fn many_unsynced_changes_of_a_name_keep_the_oldest_and_the_newest() {
    let mut disk = adversarial();
    settled(&mut disk, "f", b'A', 512);
    for round in 0..2000 {
        disk.remove("f").unwrap();
        let f = put(
            &mut disk,
            "f",
            if round == 1999 { b'Z' } else { b'B' },
            0,
            512,
        );
        disk.sync_all(f).unwrap();
        disk.close(f);
    }
    disk.check();
    assert!(
        disk.used_bytes() < 1300 * PAGE as u64,
        "versions between are forgotten"
    );
    let states = outcomes(&disk, 100);
    assert!(
        states.contains("f=Ax512") && states.contains("f=Zx512"),
        "{states:?}"
    );
    disk.sync_dir("").unwrap();
    disk.check();
    assert_eq!(
        disk.used_bytes(),
        2 * PAGE as u64,
        "the first file is still open"
    );
}
