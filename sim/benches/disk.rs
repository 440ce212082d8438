//! Steps of the bench: fork, read, settle and list crash states of disks of known shapes, and print
//! what each costs. Prints only; nothing is asserted about time.

mod cpu;

use std::hint::black_box;
use std::ops::ControlFlow;

use cenotaph_sim::disk::states::{Bounds, Seen, Tape};
use cenotaph_sim::disk::{
    Access, Base, Choices, CrashKind, CrashPoint, Disk, DiskOptions, Handle, KeyedChance,
    PAGE_SIZE, Profile, Tear,
};
use cenotaph_sim::entropy::StreamKey;

use crate::cpu::cpu_nanos;

/// Nanoseconds of one of `rounds` calls.
fn nanos_of(rounds: u64, mut call: impl FnMut(u64)) -> u64 {
    let before = cpu_nanos();
    (0..rounds).for_each(&mut call);
    (cpu_nanos() - before) / rounds
}

fn disk(profile: Profile, tear: Tear) -> Disk {
    Disk::new(DiskOptions {
        profile,
        tear,
        capacity_bytes: 1 << 30,
    })
}

fn create(disk: &mut Disk, path: &str) -> Handle {
    disk.open(path, Access::CreateNew)
        .expect("the name is new and its directory there")
}

fn write(disk: &mut Disk, file: Handle, offset: usize, bytes: &[u8]) {
    let written = disk.write_at(file, offset as u64, bytes);
    assert_eq!(written, Ok(bytes.len()), "the disk is large");
}

/// 16 synced files of 6.4 MiB, and then 1,000 pages overwritten, in runs of so many over the files.
fn large(tear: Tear, run_pages: usize) -> Disk {
    let mut disk = disk(Profile::Ext4Ordered, tear);
    let pages = (100 << 20) / 16 / PAGE_SIZE;
    let files: Vec<Handle> = (0..16)
        .map(|number| {
            let file = create(&mut disk, &format!("f{number}"));
            for page in 0..pages {
                let letter = [number + 1; PAGE_SIZE];
                write(&mut disk, file, page * PAGE_SIZE, &letter);
            }
            disk.sync_all(file).expect("no sync fails");
            file
        })
        .collect();
    disk.sync_dir("").expect("the root is there");
    for version in 0..1000 {
        let (run, within) = (version / run_pages, version % run_pages);
        let page = (run / 16) * 200 + within;
        write(
            &mut disk,
            files[run % 16],
            page * PAGE_SIZE,
            &[200; PAGE_SIZE],
        );
    }
    disk
}

fn lazy_and_eager() {
    for (tear, run_pages) in [
        (Tear::Page4k, 10),
        (Tear::Page4k, 250),
        (Tear::Sector512, 10),
    ] {
        let disk = large(tear, run_pages);
        let compile = nanos_of(1_000, |_| {
            let point = CrashPoint::new(&disk, CrashKind::PowerCut);
            black_box(point.lazily(&Choices::listed(Vec::new(), Base::Newest)));
        });
        let point = CrashPoint::new(&disk, CrashKind::PowerCut);
        let chance = |round: u64| KeyedChance {
            key: StreamKey(round),
        };
        // The pages of every file are compiled when one of them is first read.
        black_box(point.crash(&mut chance(0)));
        let fork = nanos_of(200_000, |_| {
            black_box(disk.clone());
        });
        let lazy = nanos_of(200_000, |round| {
            let mut crashed = point.lazily(&Choices::keyed(chance(round)));
            let file = crashed
                .open("f0", Access::Read)
                .expect("its name is synced");
            black_box(crashed.read_at(file, 0, 512).expect("no sector is bad"));
        });
        let eager = nanos_of(2_000, |round| {
            black_box(point.crash(&mut chance(round)));
        });
        println!("100 MiB in 16 files, 1,000 pending versions in runs of {run_pages}, {tear:?}");
        println!("  compile a crash point                        {compile:>9} ns");
        println!("  fork the disk                                {fork:>9} ns");
        println!("  lazy crash, open, first undetermined read    {lazy:>9} ns");
        println!(
            "  eager crash, a pending page                  {:>9} ns",
            eager / 1000
        );
    }
}

/// What a store does: a commit log with 100 synced appends, four flushes of seven components of 64
/// pages in all, written aside and renamed, a log of lifecycles, one compaction of four into one with
/// 28 removals, a saved cache.
fn store(profile: Profile, syncs_log: bool) -> Tape {
    let mut tape = Tape::new(disk(profile, Tear::Page4k));
    tape.step("mkdir", |disk| disk.create_dir("d"))
        .expect("the name is new");
    tape.step("sync", |disk| disk.sync_dir(""))
        .expect("the root is there");
    let log = tape.step("create", |disk| create(disk, "log"));
    tape.step("sync", |disk| disk.sync_dir(""))
        .expect("the root is there");
    let lifecycle = tape.step("create", |disk| create(disk, "d/lifecycle"));
    let mut lifecycle_size = 0;
    for append in 0..100 {
        let record = [append as u8 + 1; 300];
        tape.step("append", |disk| write(disk, log, append * 300, &record));
        if syncs_log {
            tape.step("sync", |disk| disk.sync_data(log))
                .expect("no sync fails");
        }
        if append % 25 == 24 {
            table(&mut tape, append / 25, 64);
            note(&mut tape, lifecycle, &mut lifecycle_size);
        }
    }
    table(&mut tape, 4, 256);
    note(&mut tape, lifecycle, &mut lifecycle_size);
    for number in 0..4 {
        for component in 0..COMPONENTS {
            let path = format!("d/t{number}-{component}");
            tape.step("remove", |disk| disk.remove(&path))
                .expect("the component is there");
        }
    }
    tape.step("sync", |disk| disk.sync_dir("d"))
        .expect("it is there");
    let cache = tape.step("create", |disk| create(disk, "d/cache.tmp"));
    tape.step("write", |disk| write(disk, cache, 0, &[9; 3 * PAGE_SIZE]));
    tape.step("sync", |disk| disk.sync_data(cache))
        .expect("no sync fails");
    tape.step("rename", |disk| disk.rename("d/cache.tmp", "d/cache"))
        .expect("it is there");
    tape.step("sync", |disk| disk.sync_dir("d"))
        .expect("it is there");
    tape
}

const COMPONENTS: usize = 7;

/// Writes a table's components aside, syncs them, and renames them into place.
fn table(tape: &mut Tape, number: usize, data_pages: usize) {
    for component in 0..COMPONENTS {
        let path = format!("d/t{number}-{component}");
        let aside = format!("{path}.tmp");
        let file = tape.step("create", |disk| create(disk, &aside));
        let pages = if component == 0 { data_pages } else { 1 };
        for page in 0..pages {
            let bytes = [(number * 31 + component * 7 + page) as u8 | 1; PAGE_SIZE];
            tape.step("write", |disk| write(disk, file, page * PAGE_SIZE, &bytes));
        }
        tape.step("sync", |disk| disk.sync_all(file))
            .expect("no sync fails");
        tape.step("rename", |disk| disk.rename(&aside, &path))
            .expect("it was made just now");
    }
    tape.step("sync", |disk| disk.sync_dir("d"))
        .expect("it is there");
}

fn note(tape: &mut Tape, lifecycle: Handle, size: &mut usize) {
    tape.step("append", |disk| write(disk, lifecycle, *size, &[7; 100]));
    *size += 100;
    tape.step("sync", |disk| disk.sync_data(lifecycle))
        .expect("no sync fails");
}

fn hashes() {
    println!("images of a store's run by their hashes, with the compiling of its crash points");
    for (profile, syncs_log) in [
        (Profile::Ext4Ordered, true),
        (Profile::Xfs, true),
        (Profile::PosixAdversarial, true),
        (Profile::Ext4Ordered, false),
    ] {
        let tape = store(profile, syncs_log);
        for deviations in [0, 1, 2] {
            let (mut seen, mut images) = (Seen::default(), 0_u64);
            let before = cpu_nanos();
            let mut point = CrashPoint::new(&tape.points()[0].disk, CrashKind::PowerCut);
            for next in tape.points() {
                point = point.next(&next.disk);
                let _ = point.images(Bounds::deviations(deviations), &mut |image| {
                    images += 1;
                    seen.insert(image.hash());
                    ControlFlow::Continue(())
                });
            }
            let nanos = (cpu_nanos() - before).max(1);
            println!(
                "  {profile:?}, log synced {syncs_log}, {} points, {deviations} deviations: \
                 {images} images, {} distinct, {} ms, {} a CPU-second",
                tape.points().len(),
                seen.len(),
                nanos / 1_000_000,
                u128::from(images) * 1_000_000_000 / u128::from(nanos),
            );
        }
    }
}

fn main() {
    lazy_and_eager();
    hashes();
}
