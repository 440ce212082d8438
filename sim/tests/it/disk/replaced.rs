//! Invariants of renames across a crash: old, new or both; never neither, unless one syncs only the old place.

use cenotaph_sim::disk::Disk;

use super::support::*;

fn replace(disk: &mut Disk) {
    settled(disk, "f", b'A', 512);
    let t = put(disk, "t", b'B', 0, 512);
    disk.sync_all(t).unwrap();
    disk.sync_dir("").unwrap();
    disk.rename("t", "f").unwrap();
}

#[test]
fn a_replacing_rename_leaves_old_new_or_both_names() {
    let states = ["f=Ax512; t=Bx512", "f=Bx512", "f=Bx512; t=Bx512"];
    expect_states(replace, ["f=Ax512; t=Bx512"], states);
}

#[test]
fn a_replacing_rename_of_an_unsynced_name_may_also_lose_it() {
    let build = |disk: &mut Disk| {
        settled(disk, "f", b'A', 512);
        let t = put(disk, "t", b'B', 0, 512);
        disk.sync_all(t).unwrap();
        disk.rename("t", "f").unwrap();
    };
    let states = ["f=Ax512", "f=Ax512; t=Bx512", "f=Bx512", "f=Bx512; t=Bx512"];
    expect_states(build, ["f=Ax512"], states);
}

#[test]
fn a_synced_rename_is_done() {
    let build = |disk: &mut Disk| {
        replace(disk);
        disk.sync_dir("").unwrap();
    };
    expect_states(build, ["f=Bx512"], ["f=Bx512"]);
}

#[test]
fn a_rename_keeps_the_inode_so_the_old_handle_syncs_the_new_name() {
    let build = |disk: &mut Disk| {
        let t = put(disk, "t", b'B', 0, 512);
        disk.rename("t", "f").unwrap();
        disk.sync_all(t).unwrap();
        disk.sync_dir("").unwrap();
    };
    expect_states(build, ["f=Bx512"], ["f=Bx512"]);
}

#[test]
fn two_renames_survive_in_any_combination() {
    let mut disk = adversarial();
    settled(&mut disk, "a", b'A', 512);
    settled(&mut disk, "c", b'C', 512);
    disk.rename("a", "b").unwrap();
    disk.rename("c", "d").unwrap();
    let first = ["a=Ax512", "b=Ax512", "a=Ax512; b=Ax512"];
    let second = ["c=Cx512", "d=Cx512", "c=Cx512; d=Cx512"];
    let all = first
        .iter()
        .flat_map(|one| second.iter().map(move |other| format!("{one}; {other}")));
    assert_eq!(outcomes(&disk, 1000), all.collect());
}

#[test]
fn a_chain_of_renames_never_loses_the_file() {
    let build = |disk: &mut Disk| {
        settled(disk, "a", b'A', 512);
        disk.rename("a", "b").unwrap();
        disk.rename("b", "c").unwrap();
    };
    let states = [
        "a=Ax512",
        "a=Ax512; b=Ax512",
        "a=Ax512; c=Ax512",
        "a=Ax512; b=Ax512; c=Ax512",
        "b=Ax512",
        "b=Ax512; c=Ax512",
        "c=Ax512",
    ];
    expect_states(build, ["a=Ax512"], states);
}

fn across(disk: &mut Disk) {
    settled_dir(disk, "d");
    settled_dir(disk, "e");
    settled(disk, "d/x", b'A', 512);
    disk.rename("d/x", "e/x").unwrap();
}

#[test]
fn syncing_the_new_place_of_a_rename_leaves_new_or_both() {
    let build = |disk: &mut Disk| {
        across(disk);
        disk.sync_dir("e").unwrap();
    };
    let both = "d/; d/x=Ax512; e/; e/x=Ax512";
    expect_states(build, [both], [both, "d/; e/; e/x=Ax512"]);
}

#[test]
fn syncing_only_the_old_place_of_a_rename_may_lose_the_file() {
    let build = |disk: &mut Disk| {
        across(disk);
        disk.sync_dir("d").unwrap();
    };
    expect_states(build, ["d/; e/"], ["d/; e/", "d/; e/; e/x=Ax512"]);
}

#[test]
fn a_rename_into_a_lost_directory_did_not_happen() {
    let build = |disk: &mut Disk| {
        settled(disk, "x", b'A', 512);
        disk.create_dir("d").unwrap();
        disk.rename("x", "d/x").unwrap();
    };
    let states = [
        "x=Ax512",
        "d/; x=Ax512",
        "d/; d/x=Ax512; x=Ax512",
        "d/; d/x=Ax512",
    ];
    expect_states(build, ["x=Ax512"], states);
}

#[test]
fn a_file_moved_out_of_a_removed_directory_is_not_lost() {
    let build = |disk: &mut Disk| {
        settled_dir(disk, "d");
        settled(disk, "d/x", b'A', 512);
        disk.rename("d/x", "x").unwrap();
        disk.remove_dir("d").unwrap();
    };
    let states = [
        "d/; d/x=Ax512",
        "d/; d/x=Ax512; x=Ax512",
        "d/; x=Ax512",
        "x=Ax512",
    ];
    expect_states(build, ["d/; d/x=Ax512"], states);
}

#[test]
fn a_directory_moves_with_all_its_files_or_not_at_all() {
    let build = |disk: &mut Disk| {
        settled_dir(disk, "d");
        for name in ["d/a", "d/b", "d/c"] {
            settled(disk, name, b'A', 512);
        }
        disk.rename("d", "e").unwrap();
    };
    let old = "d/; d/a=Ax512; d/b=Ax512; d/c=Ax512";
    let new = "e/; e/a=Ax512; e/b=Ax512; e/c=Ax512";
    expect_states(build, [old], [old, new]);
    let synced = |disk: &mut Disk| {
        build(disk);
        disk.sync_dir("").unwrap();
    };
    expect_states(synced, [new], [new]);
}

#[test]
fn a_directory_moved_between_directories_is_in_one_of_them() {
    let build = |disk: &mut Disk| {
        settled_dir(disk, "d");
        settled_dir(disk, "e");
        disk.create_dir("d/s").unwrap();
        disk.sync_dir("d").unwrap();
        settled(disk, "d/s/x", b'A', 512);
        disk.rename("d/s", "e/s").unwrap();
    };
    let old = "d/; d/s/; d/s/x=Ax512; e/";
    let new = "d/; e/; e/s/; e/s/x=Ax512";
    expect_states(build, [old], [old, new]);
    for place in ["d", "e"] {
        let synced = |disk: &mut Disk| {
            build(disk);
            disk.sync_dir(place).unwrap();
        };
        expect_states(synced, [new], [new]);
    }
}

#[test]
fn directories_that_swap_parents_never_hold_each_other() {
    let mut disk = adversarial();
    settled_dir(&mut disk, "a");
    settled_dir(&mut disk, "b");
    settled(&mut disk, "a/x", b'A', 512);
    disk.rename("a", "b/a").unwrap();
    disk.rename("b/a", "a").unwrap();
    disk.rename("b", "a/b").unwrap();
    let states = outcomes(&disk, 1000);
    let all = set([
        "a/; a/x=Ax512; b/",
        "b/; b/a/; b/a/x=Ax512",
        "a/; a/b/; a/x=Ax512",
    ]);
    assert_eq!(states, all);
}

#[test]
fn moves_of_directories_survive_independently() {
    let build = |disk: &mut Disk| {
        settled_dir(disk, "a");
        settled_dir(disk, "c");
        disk.rename("a", "b").unwrap();
        disk.rename("c", "d").unwrap();
    };
    expect_states(build, ["a/; c/"], ["a/; c/", "b/; c/", "a/; d/", "b/; d/"]);
}

#[test]
fn a_removed_directory_takes_no_directory_along_that_had_moved_out() {
    let build = |disk: &mut Disk| {
        settled_dir(disk, "d");
        settled_dir(disk, "e");
        disk.create_dir("d/s").unwrap();
        disk.sync_dir("d").unwrap();
        settled(disk, "d/s/x", b'A', 512);
        disk.rename("d/s", "e/s").unwrap();
        disk.remove_dir("d").unwrap();
        disk.sync_dir("").unwrap();
    };
    let moved = "e/; e/s/; e/s/x=Ax512";
    expect_states(build, [moved], [moved]);
}
