//! Vocabulary of cases about names: renames, removals, links and directories under each named profile.

use cenotaph_sim::disk::{Disk, Tear};

use super::cases::states_of;
use super::support::*;

fn other(disk: &mut Disk) {
    let other = open(disk, "o");
    disk.sync_all(other).unwrap();
}

fn replacement(disk: &mut Disk, synced: bool) {
    settled(disk, "f", b'A', PAGE);
    let t = put(disk, "t", b'B', 0, PAGE);
    if synced {
        disk.sync_all(t).unwrap();
    }
    disk.rename("t", "f").unwrap();
}

fn across(disk: &mut Disk) {
    settled_dir(disk, "d");
    settled_dir(disk, "e");
    settled(disk, "d/x", b'A', PAGE);
    disk.rename("d/x", "e/x").unwrap();
}

fn two_renames(disk: &mut Disk) {
    settled(disk, "a", b'A', PAGE);
    settled(disk, "c", b'C', PAGE);
    disk.rename("a", "b").unwrap();
    disk.rename("c", "d").unwrap();
}

#[test]
fn states_of_a_replaced_file() {
    let text = states_of(
        Tear::Page4k,
        &[
            ("create t; write B; sync t; rename t to f", |disk| {
                replacement(disk, true);
            }),
            ("as before; sync the directory", |disk| {
                replacement(disk, true);
                disk.sync_dir("").unwrap();
            }),
            ("create t; write B; rename t to f", |disk| {
                replacement(disk, false);
            }),
            ("as before; sync the directory", |disk| {
                replacement(disk, false);
                disk.sync_dir("").unwrap();
            }),
            (
                "create t; write B; rename t to n, which is new; sync the directory",
                |disk| {
                    put(disk, "t", b'B', 0, PAGE);
                    disk.rename("t", "n").unwrap();
                    disk.sync_dir("").unwrap();
                },
            ),
            ("create t; write B; sync t; rename t to f; sync f", |disk| {
                replacement(disk, true);
                let f = open(disk, "f");
                disk.sync_all(f).unwrap();
            }),
        ],
    );
    cenotaph_snapshots::golden!(
        "sim/disk",
        "cases_replaced",
        "A file replaced by a rename: old, new, zeros or empty, as the profile flushes and orders.",
        text
    );
}

#[test]
fn states_of_renames() {
    let text = states_of(
        Tear::Page4k,
        &[
            ("rename a to b; rename c to d", two_renames),
            ("as before; create o; sync o", |disk| {
                two_renames(disk);
                other(disk);
            }),
            ("rename d/x to e/x; sync e", |disk| {
                across(disk);
                disk.sync_dir("e").unwrap();
            }),
            ("rename d/x to e/x; sync d", |disk| {
                across(disk);
                disk.sync_dir("d").unwrap();
            }),
            ("rename directory d with three files to e", |disk| {
                settled_dir(disk, "d");
                for name in ["d/x", "d/y", "d/z"] {
                    settled(disk, name, b'A', 512);
                }
                disk.rename("d", "e").unwrap();
            }),
        ],
    );
    cenotaph_snapshots::golden!(
        "sim/disk",
        "cases_renamed",
        "Which of two renames survive, and both names of one that crossed directories.",
        text
    );
}

#[test]
fn states_of_a_removed_file() {
    let text = states_of(
        Tear::Page4k,
        &[
            ("remove f", |disk| {
                settled(disk, "f", b'A', PAGE);
                disk.remove("f").unwrap();
            }),
            ("remove f; sync the directory", |disk| {
                settled(disk, "f", b'A', PAGE);
                disk.remove("f").unwrap();
                disk.sync_dir("").unwrap();
            }),
            ("remove f; write Z to the open file", |disk| {
                let f = settled(disk, "f", b'A', PAGE);
                disk.remove("f").unwrap();
                write(disk, f, 0, &[b'Z'; PAGE]);
            }),
            (
                "remove f; write Z to the open file; sync its bytes",
                |disk| {
                    let f = settled(disk, "f", b'A', PAGE);
                    disk.remove("f").unwrap();
                    write(disk, f, 0, &[b'Z'; PAGE]);
                    disk.sync_data(f).unwrap();
                },
            ),
            (
                "remove f; write Z to the open file; sync all of it",
                |disk| {
                    let f = settled(disk, "f", b'A', PAGE);
                    disk.remove("f").unwrap();
                    write(disk, f, 0, &[b'Z'; PAGE]);
                    disk.sync_all(f).unwrap();
                },
            ),
            ("remove f; create f; write N; sync f", |disk| {
                settled(disk, "f", b'A', PAGE);
                disk.remove("f").unwrap();
                let f = put(disk, "f", b'N', 0, PAGE);
                disk.sync_all(f).unwrap();
            }),
        ],
    ) + &states_of(
        Tear::Sector512,
        &[("remove f; write Z to its two sectors", |disk| {
            let f = settled(disk, "f", b'A', 1024);
            disk.remove("f").unwrap();
            write(disk, f, 0, &[b'Z'; 1024]);
        })],
    );
    cenotaph_snapshots::golden!(
        "sim/disk",
        "cases_removed",
        "A removed file, back with old bytes or with bytes written since, or replaced by a new one.",
        text
    );
}

#[test]
fn states_of_linked_files() {
    let text = states_of(
        Tear::Page4k,
        &[
            ("link f to g; sync the directory; remove f", |disk| {
                settled(disk, "f", b'A', PAGE);
                disk.link("f", "g").unwrap();
                disk.sync_dir("").unwrap();
                disk.remove("f").unwrap();
            }),
            ("as before; create o; sync o", |disk| {
                settled(disk, "f", b'A', PAGE);
                disk.link("f", "g").unwrap();
                disk.sync_dir("").unwrap();
                disk.remove("f").unwrap();
                other(disk);
            }),
            ("two names of one file; write B by the second", |disk| {
                settled(disk, "f", b'A', PAGE);
                disk.link("f", "g").unwrap();
                disk.sync_dir("").unwrap();
                put(disk, "g", b'B', 0, PAGE);
            }),
        ],
    );
    cenotaph_snapshots::golden!(
        "sim/disk",
        "cases_linked",
        "Two names of one file: each is an entry of its own, and both show the same bytes.",
        text
    );
}

#[test]
fn states_of_a_new_directory() {
    let text = states_of(
        Tear::Page4k,
        &[
            (
                "create directory d; create d/a; write A; sync d/a",
                |disk| {
                    disk.create_dir("d").unwrap();
                    let a = put(disk, "d/a", b'A', 0, PAGE);
                    disk.sync_all(a).unwrap();
                },
            ),
            ("create directory d; create d/a; sync d", |disk| {
                disk.create_dir("d").unwrap();
                open(disk, "d/a");
                disk.sync_dir("d").unwrap();
            }),
            ("remove d/a; remove directory d", |disk| {
                settled_dir(disk, "d");
                settled(disk, "d/a", b'A', 512);
                disk.remove("d/a").unwrap();
                disk.remove_dir("d").unwrap();
            }),
        ],
    );
    cenotaph_snapshots::golden!(
        "sim/disk",
        "cases_directories",
        "A new directory whose parent is not synced, and one that goes after what was in it.",
        text
    );
}
