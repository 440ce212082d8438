//! Invariants of bytes and lengths across a crash.

use std::collections::BTreeSet;

use cenotaph_sim::disk::{Disk, Profile, Tear};

use super::support::*;

/// Every mixture of two letters over the file's sectors.
fn mixtures(sectors: usize, old: u8, new: u8) -> BTreeSet<String> {
    let file = |mask: usize| -> Vec<u8> {
        let letter = |sector: usize| if mask >> sector & 1 == 1 { new } else { old };
        (0..sectors)
            .flat_map(|sector| vec![letter(sector); 512])
            .collect()
    };
    (0..1 << sectors)
        .map(|mask| format!("f={}", sketch(&file(mask))))
        .collect()
}

#[test]
fn an_overwrite_leaves_any_mixture_of_sectors() {
    let build = |disk: &mut Disk| {
        let f = settled(disk, "f", b'A', PAGE);
        write(disk, f, 0, &[b'B'; PAGE]);
    };
    let mut sectors = adversarial();
    build(&mut sectors);
    assert_eq!(outcomes(&sectors, 12_000), mixtures(8, b'A', b'B'));
    let mut pages = disk_with(Profile::PosixAdversarial, Tear::Page4k);
    build(&mut pages);
    assert_eq!(outcomes(&pages, 100), set(["f=Ax4096", "f=Bx4096"]));
    let mut strict = disk(Profile::Strict);
    build(&mut strict);
    assert_eq!(outcomes(&strict, 20), set(["f=Ax4096"]));
}

#[test]
fn a_synced_overwrite_is_done() {
    let build = |disk: &mut Disk| {
        let f = settled(disk, "f", b'A', PAGE);
        write(disk, f, 0, &[b'B'; PAGE]);
        disk.sync_data(f).unwrap();
    };
    expect_states(build, ["f=Bx4096"], ["f=Bx4096"]);
}

#[test]
fn an_append_may_show_zeros_or_stale_bytes_or_a_shorter_file() {
    let mut disk = disk_with(Profile::PosixAdversarial, Tear::Page4k);
    let f = settled(&mut disk, "f", b'A', PAGE);
    write(&mut disk, f, PAGE as u64, &[b'B'; PAGE]);
    let appended = [
        "f=Ax4096",
        "f=Ax4096 0x4096",
        "f=Ax4096 ?x4096",
        "f=Ax4096 Bx4096",
    ];
    assert_eq!(outcomes(&disk, 400), set(appended));
}

#[test]
fn a_data_sync_carries_the_length() {
    let build = |disk: &mut Disk| {
        let f = settled(disk, "f", b'A', PAGE);
        write(disk, f, PAGE as u64, &[b'B'; PAGE]);
        disk.sync_data(f).unwrap();
    };
    expect_states(build, ["f=Ax4096 Bx4096"], ["f=Ax4096 Bx4096"]);
}

#[test]
fn an_undone_cut_may_keep_the_append_after_it() {
    let build = |disk: &mut Disk| {
        let f = settled(disk, "f", b'A', 2 * PAGE);
        disk.truncate(f, 1000).unwrap();
        write(disk, f, 1000, &[b'C'; 3000]);
    };
    let mut adversarial = disk_with(Profile::PosixAdversarial, Tear::Page4k);
    build(&mut adversarial);
    let states = outcomes(&adversarial, 1000);
    let listed = set([
        "f=Ax8192",
        "f=Ax1000 Cx3000",
        // A reader of the log meets its old records again, behind the new one.
        "f=Ax1000 Cx3000 0x96 Ax4096",
    ]);
    assert!(listed.is_subset(&states), "{states:?}");
    let mut strict = disk(Profile::Strict);
    build(&mut strict);
    assert_eq!(outcomes(&strict, 20), set(["f=Ax8192"]));
}

#[test]
fn a_cut_happened_or_not() {
    let build = |disk: &mut Disk| {
        let f = settled(disk, "f", b'A', PAGE);
        disk.truncate(f, 512).unwrap();
    };
    expect_states(build, ["f=Ax4096"], ["f=Ax4096", "f=Ax512"]);
}

#[test]
fn a_cut_that_grows_again_never_shows_what_it_took() {
    let build = |disk: &mut Disk| {
        let f = settled(disk, "f", b'A', PAGE);
        disk.truncate(f, 100).unwrap();
        disk.truncate(f, 8192).unwrap();
    };
    let states = ["f=Ax4096", "f=Ax100", "f=Ax100 0x8092"];
    expect_states(build, ["f=Ax4096"], states);
}

#[test]
fn what_a_synced_cut_took_never_comes_back() {
    let build = |disk: &mut Disk| {
        let f = settled(disk, "f", b'A', PAGE);
        disk.truncate(f, 100).unwrap();
        disk.sync_all(f).unwrap();
        disk.truncate(f, 8192).unwrap();
    };
    expect_states(build, ["f=Ax100"], ["f=Ax100", "f=Ax100 0x8092"]);
}

#[test]
fn a_preallocated_range_reads_as_zeros_never_as_stale_bytes() {
    let mut disk = disk_with(Profile::PosixAdversarial, Tear::Page4k);
    let f = settled(&mut disk, "f", b'A', 0);
    disk.preallocate(f, 0, 4 * PAGE as u64).unwrap();
    disk.sync_all(f).unwrap();
    write(&mut disk, f, 0, &[b'B'; PAGE]);
    write(&mut disk, f, 2 * PAGE as u64, &[b'C'; PAGE]);
    let all = [
        "f=0x16384",
        "f=Bx4096 0x12288",
        "f=0x8192 Cx4096 0x4096",
        "f=Bx4096 0x4096 Cx4096 0x4096",
    ];
    assert_eq!(outcomes(&disk, 400), set(all));
    disk.sync_data(f).unwrap();
    assert_eq!(outcomes(&disk, 50), set([all[3]]));
}

#[test]
fn two_overwrites_leave_old_first_or_second() {
    let build = |disk: &mut Disk| {
        let f = settled(disk, "f", b'O', 512);
        write(disk, f, 0, &[b'A'; 512]);
        write(disk, f, 0, &[b'B'; 512]);
    };
    expect_states(build, ["f=Ox512"], ["f=Ox512", "f=Ax512", "f=Bx512"]);
}

#[test]
fn nothing_older_than_the_last_sync_comes_back() {
    let build = |disk: &mut Disk| {
        let f = settled(disk, "f", b'O', 512);
        for letter in *b"ABC" {
            write(disk, f, 0, &[letter; 512]);
            if letter == b'A' {
                disk.sync_data(f).unwrap();
            }
        }
    };
    expect_states(build, ["f=Ax512"], ["f=Ax512", "f=Bx512", "f=Cx512"]);
}

#[test]
fn an_overwrite_of_a_synced_file_puts_only_its_own_sector_at_risk() {
    let build = |disk: &mut Disk| {
        let f = settled(disk, "f", b'A', PAGE);
        write(disk, f, 1024, &[b'B'; 512]);
    };
    let states = ["f=Ax4096", "f=Ax1024 Bx512 Ax2560"];
    expect_states(build, ["f=Ax4096"], states);
}

#[test]
fn files_survive_independently_of_each_other() {
    let build = |disk: &mut Disk| {
        let f = settled(disk, "f", b'A', 512);
        let g = settled(disk, "g", b'A', 512);
        write(disk, f, 0, &[b'B'; 512]);
        write(disk, g, 0, &[b'B'; 512]);
    };
    let states = [
        "f=Ax512; g=Ax512",
        "f=Bx512; g=Ax512",
        "f=Ax512; g=Bx512",
        "f=Bx512; g=Bx512",
    ];
    expect_states(build, ["f=Ax512; g=Ax512"], states);
}

#[test]
fn two_writes_into_one_sector_survive_as_a_prefix() {
    let build = |disk: &mut Disk| {
        let f = settled(disk, "f", b'A', 512);
        write(disk, f, 0, &[b'B'; 100]);
        write(disk, f, 300, &[b'C'; 100]);
    };
    let states = ["f=Ax512", "f=Bx100 Ax412", "f=Bx100 Ax200 Cx100 Ax112"];
    expect_states(build, ["f=Ax512"], states);
}
