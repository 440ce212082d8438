//! Invariants of forks and repetition: siblings never meet, and the same steps give the same disk.

use cenotaph_sim::disk::{Chance, CrashKind, Disk, KeyedChance, RegisterName};

use super::support::*;

fn is_send<T: Send + Sync>() {}

#[test]
fn a_disk_can_move_to_another_thread() {
    is_send::<Disk>();
}

#[test]
fn siblings_never_see_each_others_writes() {
    let mut disk = adversarial();
    let f = settled(&mut disk, "f", b'A', 300_000);
    let (mut one, mut other) = (disk.clone(), disk.clone());
    write(&mut one, f, 1000, b"one");
    one.remove("f").unwrap();
    write(&mut other, f, 270_000, b"other");
    other.create_dir("d").unwrap();
    let before = disk.hash();
    assert_eq!(tree(&mut disk), "f=Ax300000");
    assert_eq!(tree(&mut one), "nothing");
    assert_eq!(&contents(&mut other, "f")[270_000..270_005], b"other");
    drop(one);
    other.crash(CrashKind::PowerCut, &mut chance(1));
    disk.check();
    assert_eq!(disk.hash(), before);
}

#[test]
fn the_same_seed_gives_the_same_disk() {
    let run = |seed: u64| {
        let mut disk = adversarial();
        let f = settled(&mut disk, "f", b'A', 3000);
        write(&mut disk, f, 2000, &[b'B'; 9000]);
        disk.rename("f", "g").unwrap();
        disk.flush_some(&mut chance(seed + 1));
        disk.crash(CrashKind::PowerCut, &mut chance(seed));
        (disk.hash(), tree(&mut disk))
    };
    let (first, mut distinct) = (run(7), std::collections::BTreeSet::new());
    for _ in 0..1000 {
        assert_eq!(run(7), first);
    }
    for seed in 0..100 {
        distinct.insert(run(seed));
    }
    assert!(distinct.len() > 20, "other seeds give other disks");
}

#[test]
fn a_second_crash_knows_only_what_the_first_left() {
    let mut disk = adversarial();
    let f = settled(&mut disk, "f", b'A', 512);
    write(&mut disk, f, 0, &[b'B'; 512]);
    for seed in 0..50 {
        let mut disk = crashed(&disk, seed);
        let left = tree(&mut disk);
        assert_eq!(
            outcomes(&disk, 10),
            set([&left]),
            "nothing is pending after a crash"
        );
        let f = open(&mut disk, "f");
        for letter in *b"XYZ" {
            write(&mut disk, f, 0, &[letter; 512]);
        }
        assert_eq!(
            outcomes(&disk, 200),
            set([&left, "f=Xx512", "f=Yx512", "f=Zx512"])
        );
    }
}

/// Remembers which register was given which choice.
struct Recorder(KeyedChance, Vec<(RegisterName, u64)>);

impl Chance for Recorder {
    fn below(&mut self, register: RegisterName, bound: u64) -> u64 {
        let choice = self.0.below(register, bound);
        assert!(bound >= 2 && choice < bound);
        assert!(
            self.1.iter().all(|asked| asked.0 != register),
            "{register:?} is asked twice"
        );
        self.1.push((register, choice));
        choice
    }
}

#[test]
fn leaving_one_write_out_changes_no_other_registers_choice() {
    let choices = |seed: u64, all: bool| {
        let mut disk = adversarial();
        let f = settled(&mut disk, "f", b'A', 4 * PAGE);
        let g = settled(&mut disk, "g", b'A', PAGE);
        write(&mut disk, f, 0, &[b'B'; 1024]);
        write(&mut disk, g, 0, &[b'B'; 1024]);
        if all {
            write(&mut disk, f, 8192, &[b'B'; 512]);
        }
        let mut recorder = Recorder(chance(seed), Vec::new());
        disk.crash(CrashKind::PowerCut, &mut recorder);
        recorder.1
    };
    for seed in 0..100 {
        let with = choices(seed, true);
        for choice in choices(seed, false) {
            let is_mood = matches!(choice.0, RegisterName::File { .. });
            assert!(
                is_mood || with.contains(&choice),
                "seed {seed}: {choice:?} not in {with:?}"
            );
        }
    }
}

#[test]
fn a_keyed_choice_is_frozen() {
    let mut chance = chance(1);
    let mut draw = |register| chance.below(register, 1000);
    let drawn = [
        draw(RegisterName::Names),
        draw(RegisterName::File { inode: 2 }),
        draw(RegisterName::Data {
            inode: 2,
            sector: 0,
        }),
        draw(RegisterName::Length { inode: 2 }),
        draw(RegisterName::Entry {
            directory: 1,
            name: 7,
        }),
    ];
    cenotaph_snapshots::golden!(
        "sim/disk",
        "keyed_choices",
        "The choices that a key deals to registers are part of a seed's meaning.",
        format!("{drawn:?}")
    );
}
