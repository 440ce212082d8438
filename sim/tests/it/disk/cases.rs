//! Vocabulary of cases: all states that a power cut may leave, under each named profile.

use std::collections::BTreeSet;
use std::fmt::Write;

use cenotaph_sim::disk::{Disk, Profile, Tear};

use super::every::every_state;
use super::support::*;

pub(crate) type Case = (&'static str, fn(&mut Disk));

/// The states of each case; profiles that allow the same ones share a list.
pub(crate) fn states_of(tear: Tear, cases: &[Case]) -> String {
    let mut text = String::new();
    for (title, build) in cases {
        writeln!(text, "{title}").unwrap();
        let mut groups: Vec<(Vec<Profile>, BTreeSet<String>)> = Vec::new();
        for profile in Profile::honest() {
            let mut disk = disk_with(profile, tear);
            build(&mut disk);
            disk.check();
            let states = every_state(&disk);
            match groups.iter_mut().find(|group| group.1 == states) {
                Some(group) => group.0.push(profile),
                None => groups.push((vec![profile], states)),
            }
        }
        for (profiles, states) in groups {
            let names: Vec<String> = profiles.iter().map(|name| format!("{name:?}")).collect();
            writeln!(text, "  {}: {}", names.join(", "), states.len()).unwrap();
            for state in states {
                writeln!(text, "    {state}").unwrap();
            }
        }
    }
    text
}

fn create(disk: &mut Disk) {
    put(disk, "f", b'A', 0, PAGE);
}

fn other(disk: &mut Disk) {
    let other = open(disk, "o");
    disk.sync_all(other).unwrap();
}

#[test]
fn states_of_a_new_file() {
    let text = states_of(
        Tear::Page4k,
        &[
            ("create f", |disk| {
                open(disk, "f");
            }),
            ("create f; write A; sync f", |disk| {
                let f = put(disk, "f", b'A', 0, PAGE);
                disk.sync_all(f).unwrap();
            }),
            ("create f; write A; sync the directory", |disk| {
                create(disk);
                disk.sync_dir("").unwrap();
            }),
            ("create f; write A; sync f; sync the directory", |disk| {
                settled(disk, "f", b'A', PAGE);
            }),
            ("create f; write A; create g; sync g", |disk| {
                create(disk);
                other(disk);
            }),
        ],
    );
    cenotaph_snapshots::golden!(
        "sim/disk",
        "cases_new_file",
        "A new file's name and bytes, and which of them a sync of what keeps.",
        text
    );
}

#[test]
fn states_of_an_overwritten_file() {
    let text = states_of(
        Tear::Page4k,
        &[
            ("overwrite A by B; sync", |disk| {
                let f = settled(disk, "f", b'A', PAGE);
                write(disk, f, 0, &[b'B'; PAGE]);
                disk.sync_data(f).unwrap();
            }),
            ("overwrite three blocks by one write", |disk| {
                let f = settled(disk, "f", b'A', 3 * PAGE);
                write(disk, f, 0, &[b'B'; 3 * PAGE]);
            }),
            ("write A, B, C to one block, A synced", |disk| {
                let f = settled(disk, "f", b'A', PAGE);
                write(disk, f, 0, &[b'B'; PAGE]);
                write(disk, f, 0, &[b'C'; PAGE]);
            }),
            ("overwrite f by B, then g by C", |disk| {
                let f = settled(disk, "f", b'A', PAGE);
                let g = settled(disk, "g", b'A', PAGE);
                write(disk, f, 0, &[b'B'; PAGE]);
                write(disk, g, 0, &[b'C'; PAGE]);
            }),
        ],
    );
    cenotaph_snapshots::golden!(
        "sim/disk",
        "cases_overwritten",
        "Overwrites in place, in whole extents, and in issue order, with blocks of a page.",
        text
    );
}

#[test]
fn states_of_sectors_of_an_overwritten_file() {
    let overwrite: fn(&mut Disk) = |disk| {
        let f = settled(disk, "f", b'A', 1536);
        write(disk, f, 0, &[b'B'; 1536]);
    };
    let within: fn(&mut Disk) = |disk| {
        let f = settled(disk, "f", b'A', 512);
        write(disk, f, 0, &[b'B'; 100]);
        write(disk, f, 300, &[b'C'; 100]);
    };
    let mut text = String::new();
    for tear in [Tear::Sector512, Tear::Atomic, Tear::FirstSectors] {
        writeln!(text, "{tear:?}").unwrap();
        text += &states_of(
            tear,
            &[
                ("overwrite three sectors", overwrite),
                ("write at 0 and at 300 of one sector", within),
            ],
        );
    }
    cenotaph_snapshots::golden!(
        "sim/disk",
        "cases_torn",
        "How a write of three sectors tears, and that two writes in one sector stay in order.",
        text
    );
}

#[test]
fn states_of_an_appended_file() {
    let text = states_of(
        Tear::Page4k,
        &[
            ("append B", |disk| {
                let f = settled(disk, "f", b'A', PAGE);
                write(disk, f, PAGE as u64, &[b'B'; PAGE]);
            }),
            ("append B; sync", |disk| {
                let f = settled(disk, "f", b'A', PAGE);
                write(disk, f, PAGE as u64, &[b'B'; PAGE]);
                disk.sync_data(f).unwrap();
            }),
            ("append B and C of 3000 bytes; create o; sync o", |disk| {
                let f = settled(disk, "f", b'A', PAGE);
                write(disk, f, 4096, &[b'B'; 3000]);
                write(disk, f, 7096, &[b'C'; 3000]);
                other(disk);
            }),
        ],
    );
    cenotaph_snapshots::golden!(
        "sim/disk",
        "cases_appended",
        "What shows where a file grew: the bytes, zeros, or former bytes; or it did not grow.",
        text
    );
}

#[test]
fn states_of_a_cut_file() {
    let text = states_of(
        Tear::Page4k,
        &[
            ("truncate to 0; write B; close", |disk| {
                let f = settled(disk, "f", b'A', PAGE);
                disk.truncate(f, 0).unwrap();
                write(disk, f, 0, &[b'B'; PAGE]);
                disk.close(f);
            }),
            ("truncate to 0; write B; close; create o; sync o", |disk| {
                let f = settled(disk, "f", b'A', PAGE);
                disk.truncate(f, 0).unwrap();
                write(disk, f, 0, &[b'B'; PAGE]);
                disk.close(f);
                other(disk);
            }),
            ("truncate 8192 to 1000; append 3000", |disk| {
                let f = settled(disk, "f", b'A', 2 * PAGE);
                disk.truncate(f, 1000).unwrap();
                write(disk, f, 1000, &[b'C'; 3000]);
            }),
            ("truncate to 100", |disk| {
                let f = settled(disk, "f", b'A', PAGE);
                disk.truncate(f, 100).unwrap();
            }),
            ("truncate to 100; sync; truncate to 8192", |disk| {
                let f = settled(disk, "f", b'A', PAGE);
                disk.truncate(f, 100).unwrap();
                disk.sync_all(f).unwrap();
                disk.truncate(f, 8192).unwrap();
            }),
        ],
    );
    cenotaph_snapshots::golden!(
        "sim/disk",
        "cases_cut",
        "Cuts, and what is written after them: where a cut may be undone though the append stayed.",
        text
    );
}

#[test]
fn states_of_a_preallocated_file() {
    let text = states_of(
        Tear::Page4k,
        &[
            ("preallocate four blocks; sync; write two", |disk| {
                let f = open(disk, "f");
                disk.preallocate(f, 0, 4 * PAGE as u64).unwrap();
                disk.sync_all(f).unwrap();
                disk.sync_dir("").unwrap();
                write(disk, f, 0, &[b'B'; 2 * PAGE]);
            }),
            ("preallocate four blocks; sync; write two; sync", |disk| {
                let f = open(disk, "f");
                disk.preallocate(f, 0, 4 * PAGE as u64).unwrap();
                disk.sync_all(f).unwrap();
                disk.sync_dir("").unwrap();
                write(disk, f, 0, &[b'B'; 2 * PAGE]);
                disk.sync_data(f).unwrap();
            }),
        ],
    );
    cenotaph_snapshots::golden!(
        "sim/disk",
        "cases_preallocated",
        "Space that was promised shows zeros where its bytes are missing, under every profile.",
        text
    );
}

#[test]
fn states_after_a_failed_sync() {
    let text = states_of(
        Tear::Page4k,
        &[
            (
                "overwrite A by B; a sync fails, the next does not",
                |disk| {
                    let f = settled(disk, "f", b'A', PAGE);
                    write(disk, f, 0, &[b'B'; PAGE]);
                    disk.fail_sync(f);
                    disk.sync_data(f).unwrap();
                },
            ),
            ("append B; a sync fails", |disk| {
                let f = settled(disk, "f", b'A', PAGE);
                write(disk, f, PAGE as u64, &[b'B'; PAGE]);
                disk.fail_sync(f);
            }),
            ("append B; a sync fails; append C; sync", |disk| {
                let f = settled(disk, "f", b'A', PAGE);
                write(disk, f, PAGE as u64, &[b'B'; PAGE]);
                disk.fail_sync(f);
                write(disk, f, 2 * PAGE as u64, &[b'C'; PAGE]);
                disk.sync_data(f).unwrap();
            }),
        ],
    );
    cenotaph_snapshots::golden!(
        "sim/disk",
        "cases_failed_sync",
        "Bytes whose writeback failed never survive, under any profile; the length they reached may.",
        text
    );
}
