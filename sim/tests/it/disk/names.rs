//! Invariants of names across a crash: made, removed, linked, and below directories.

use cenotaph_sim::disk::{CrashKind, Disk};

use super::support::*;

#[test]
fn a_created_file_is_absent_or_empty() {
    expect_states(
        |disk| {
            open(disk, "f");
        },
        ["nothing"],
        ["f=empty", "nothing"],
    );
}

#[test]
fn a_synced_file_may_lose_its_name_but_not_its_bytes() {
    let build = |disk: &mut Disk| {
        let f = put(disk, "f", b'A', 0, PAGE);
        disk.sync_all(f).unwrap();
    };
    expect_states(build, ["nothing"], ["f=Ax4096", "nothing"]);
}

#[test]
fn a_synced_name_survives_whatever_its_bytes_do() {
    let build = |disk: &mut Disk| {
        put(disk, "f", b'A', 0, PAGE);
        disk.sync_dir("").unwrap();
    };
    let mut strict = disk(PROFILES[0]);
    build(&mut strict);
    assert_eq!(outcomes(&strict, 50), set(["f=empty"]));
    let mut adversarial = adversarial();
    build(&mut adversarial);
    let states = outcomes(&adversarial, 2000);
    let listed = set([
        "f=empty", "f=0x4096", "f=?x4096", "f=Ax512", "f=Ax1024", "f=Ax4096",
    ]);
    assert!(listed.is_subset(&states), "{states:?}");
    let made_of = |state: &str, parts: &[&str]| {
        let text = state.strip_prefix("f=").unwrap();
        text.split(' ')
            .all(|run| parts.iter().any(|part| run.starts_with(part)))
    };
    assert!(
        states
            .iter()
            .all(|state| made_of(state, &["empty", "0x", "?x", "Ax"])),
        "{states:?}"
    );
}

#[test]
fn bytes_and_name_both_synced_both_survive() {
    expect_states(
        |disk| {
            settled(disk, "f", b'A', PAGE);
        },
        ["f=Ax4096"],
        ["f=Ax4096"],
    );
}

#[test]
fn a_removed_file_may_come_back_until_its_directory_is_synced() {
    let remove = |disk: &mut Disk| {
        settled(disk, "f", b'A', PAGE);
        disk.remove("f").unwrap();
    };
    expect_states(remove, ["f=Ax4096"], ["f=Ax4096", "nothing"]);
    let synced = |disk: &mut Disk| {
        remove(disk);
        disk.sync_dir("").unwrap();
    };
    expect_states(synced, ["nothing"], ["nothing"]);
}

#[test]
fn a_file_that_comes_back_shows_what_was_written_after_its_removal() {
    let build = |disk: &mut Disk| {
        let f = settled(disk, "f", b'A', 1024);
        disk.remove("f").unwrap();
        write(disk, f, 0, &[b'Z'; 1024]);
        disk.sync_all(f).unwrap();
    };
    expect_states(build, ["f=Zx1024"], ["f=Zx1024", "nothing"]);
    let unsynced = |disk: &mut Disk| {
        let f = settled(disk, "f", b'A', 1024);
        disk.remove("f").unwrap();
        write(disk, f, 0, &[b'Z'; 1024]);
    };
    let mixtures = [
        "f=Ax1024",
        "f=Zx1024",
        "f=Ax512 Zx512",
        "f=Zx512 Ax512",
        "nothing",
    ];
    expect_states(unsynced, ["f=Ax1024"], mixtures);
}

#[test]
fn a_removed_and_made_again_name_leads_to_the_old_file_the_new_one_or_none() {
    let build = |disk: &mut Disk| {
        settled(disk, "f", b'A', 512);
        disk.remove("f").unwrap();
        let new = put(disk, "f", b'N', 0, 512);
        disk.sync_all(new).unwrap();
    };
    expect_states(build, ["f=Ax512"], ["f=Ax512", "f=Nx512", "nothing"]);
}

#[test]
fn a_synced_link_survives_the_removal_of_the_other_name() {
    for profile in PROFILES {
        let mut disk = disk(profile);
        settled(&mut disk, "f", b'A', PAGE);
        disk.link("f", "g").unwrap();
        disk.sync_dir("").unwrap();
        assert_eq!(disk.stat("g").unwrap().links, 2);
        disk.remove("f").unwrap();
        assert_eq!(disk.stat("g").unwrap().links, 1);
        for seed in 0..100 {
            let crashed = crashed(&disk, seed);
            let names = crashed.list("").unwrap();
            assert_eq!(crashed.stat("g").unwrap().links as usize, names.len());
        }
    }
    let build = |disk: &mut Disk| {
        settled(disk, "f", b'A', PAGE);
        disk.link("f", "g").unwrap();
        disk.sync_dir("").unwrap();
        disk.remove("f").unwrap();
    };
    expect_states(
        build,
        ["f=Ax4096; g=Ax4096"],
        ["f=Ax4096; g=Ax4096", "g=Ax4096"],
    );
}

#[test]
fn two_names_of_one_file_show_the_same_bytes() {
    let build = |disk: &mut Disk| {
        settled(disk, "f", b'A', 1024);
        disk.link("f", "g").unwrap();
        disk.sync_dir("").unwrap();
        let g = open(disk, "g");
        write(disk, g, 0, &[b'B'; 1024]);
    };
    let both = ["Ax1024", "Bx1024", "Ax512 Bx512", "Bx512 Ax512"]
        .map(|text| format!("f={text}; g={text}"));
    expect_states(
        build,
        [both[0].as_str()],
        [&both[0], &both[1], &both[2], &both[3]],
    );
}

#[test]
fn an_unsynced_directory_takes_all_below_it_along() {
    let build = |disk: &mut Disk| {
        disk.create_dir("d").unwrap();
        let a = put(disk, "d/a", b'A', 0, 512);
        disk.sync_all(a).unwrap();
    };
    expect_states(build, ["nothing"], ["nothing", "d/", "d/; d/a=Ax512"]);
    let names_synced = |disk: &mut Disk| {
        build(disk);
        disk.sync_dir("d").unwrap();
    };
    expect_states(names_synced, ["nothing"], ["nothing", "d/; d/a=Ax512"]);
    let mut disk = adversarial();
    names_synced(&mut disk);
    let mut gone = disk.clone();
    let report = gone.crash(CrashKind::PowerCut, &mut Oldest);
    assert_eq!((report.inodes_freed, gone.used_bytes()), (2, 0));
}

#[test]
fn a_directory_never_goes_before_the_names_in_it() {
    let build = |disk: &mut Disk| {
        settled_dir(disk, "d");
        settled(disk, "d/x", b'A', 512);
        disk.remove("d/x").unwrap();
        disk.remove_dir("d").unwrap();
    };
    let states = ["d/; d/x=Ax512", "d/", "nothing"];
    expect_states(build, ["d/; d/x=Ax512"], states);
}

#[test]
fn names_come_back_only_as_they_once_were() {
    let build = |disk: &mut Disk| {
        open(disk, "a");
        disk.remove("a").unwrap();
        disk.create_dir("a").unwrap();
    };
    expect_states(build, ["nothing"], ["nothing", "a=empty", "a/"]);
}
