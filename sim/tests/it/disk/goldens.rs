//! Vocabulary of goldens: every state that a power cut may leave, case by case.

use std::fmt::Write;

use cenotaph_sim::disk::{Disk, Tear};

use super::support::*;

/// The states after a power cut under each profile, one a line.
fn states(build: impl Fn(&mut Disk)) -> String {
    let mut text = String::new();
    for profile in PROFILES {
        let mut disk = disk_with(profile, Tear::Page4k);
        build(&mut disk);
        let states = outcomes(&disk, 2000);
        writeln!(text, "{profile:?}, {} states:", states.len()).unwrap();
        for state in states {
            writeln!(text, "  {state}").unwrap();
        }
    }
    text
}

#[test]
fn states_of_a_new_file_whose_name_is_synced() {
    let text = states(|disk| {
        put(disk, "f", b'A', 0, 2 * PAGE);
        disk.sync_dir("").unwrap();
    });
    cenotaph_snapshots::golden!(
        "sim/disk",
        "new_file_name_synced",
        "Syncing a directory keeps a new file's name, and promises nothing about its bytes.",
        text
    );
}

#[test]
fn states_of_a_replacement_that_was_not_synced_before_its_rename() {
    let text = states(|disk| {
        settled(disk, "f", b'A', PAGE);
        put(disk, "t", b'B', 0, PAGE);
        disk.rename("t", "f").unwrap();
        disk.sync_dir("").unwrap();
    });
    cenotaph_snapshots::golden!(
        "sim/disk",
        "replaced_without_sync",
        "A rename that is durable before its file's bytes leaves an empty, zero, stale or full file.",
        text
    );
}

#[test]
fn states_of_a_cut_and_an_append() {
    let text = states(|disk| {
        let f = settled(disk, "f", b'A', 2 * PAGE);
        disk.truncate(f, 1000).unwrap();
        write(disk, f, 1000, &[b'C'; 3000]);
    });
    cenotaph_snapshots::golden!(
        "sim/disk",
        "cut_and_append",
        "A cut may be undone while the append after it survived: old records show again.",
        text
    );
}

#[test]
fn states_of_a_rename_across_directories() {
    let text = states(|disk| {
        settled_dir(disk, "d");
        settled_dir(disk, "e");
        settled(disk, "d/x", b'A', PAGE);
        disk.rename("d/x", "e/y").unwrap();
    });
    cenotaph_snapshots::golden!(
        "sim/disk",
        "rename_across_directories",
        "An unsynced rename leaves the old name, the new one, or both.",
        text
    );
}

#[test]
fn states_of_a_removed_file_that_was_overwritten() {
    let text = states(|disk| {
        let f = settled(disk, "f", b'A', 2 * PAGE);
        disk.remove("f").unwrap();
        write(disk, f, 0, &[b'Z'; 2 * PAGE]);
    });
    cenotaph_snapshots::golden!(
        "sim/disk",
        "removed_then_overwritten",
        "A removed file may come back with bytes written after its removal.",
        text
    );
}

#[test]
fn states_of_a_directory_built_and_renamed_into_place() {
    let text = states(|disk| {
        disk.create_dir("new").unwrap();
        let a = put(disk, "new/a", b'A', 0, 100);
        disk.sync_all(a).unwrap();
        disk.sync_dir("new").unwrap();
        disk.rename("new", "d").unwrap();
    });
    cenotaph_snapshots::golden!(
        "sim/disk",
        "directory_renamed_into_place",
        "A directory is at its old name, at its new one, or gone with all below it.",
        text
    );
}

#[test]
fn states_of_two_appends_of_which_the_first_is_lost() {
    let text = states(|disk| {
        let f = settled(disk, "f", b'A', PAGE);
        write(disk, f, PAGE as u64, &[b'B'; PAGE]);
        disk.fail_sync(f);
        write(disk, f, 2 * PAGE as u64, &[b'C'; PAGE]);
    });
    cenotaph_snapshots::golden!(
        "sim/disk",
        "append_after_a_failed_sync",
        "Bytes whose writeback failed never survive, not even when later ones do.",
        text
    );
}
