//! Invariants of failures: what a failed sync loses, who hears of it, what a killed process keeps.

use cenotaph_sim::disk::{Access, CrashKind, DiskError};

use super::support::*;

fn is_io<T>(result: Result<T, DiskError>) -> bool {
    matches!(result, Err(DiskError::Io { .. }))
}

#[test]
fn a_failed_sync_is_reported_once_to_each_handle_open_at_the_time() {
    for profile in PROFILES {
        let mut disk = disk(profile);
        let f = settled(&mut disk, "f", b'A', 4 * PAGE);
        let earlier = disk.open("f", Access::Write).unwrap();
        let reader = disk.open("f", Access::Read).unwrap();
        write(&mut disk, f, 0, &[b'B'; 4 * PAGE]);
        assert!(is_io::<()>(Err(disk.fail_sync(f))));
        assert_eq!(
            contents(&mut disk, "f"),
            [b'B'; 4 * PAGE],
            "the cache keeps the new bytes"
        );
        assert_eq!(
            disk.sync_all(f),
            Ok(()),
            "a second sync believes the pages clean"
        );
        assert!(is_io(disk.sync_all(earlier)));
        assert_eq!(disk.sync_all(earlier), Ok(()));
        assert!(is_io(disk.sync_data(reader)));
        let later = disk.open("f", Access::Write).unwrap();
        assert_eq!(disk.sync_all(later), Ok(()));
        disk.check();
    }
}

#[test]
fn a_lost_writeback_shows_the_old_bytes_once_evicted_and_after_a_crash() {
    for profile in PROFILES {
        let mut disk = disk(profile);
        let f = settled(&mut disk, "f", b'A', 4 * PAGE);
        write(&mut disk, f, 0, &[b'B'; 4 * PAGE]);
        disk.fail_sync(f);
        disk.sync_all(f).unwrap();
        assert_eq!(outcomes(&disk, 50), set(["f=Ax16384"]));
        disk.evict(f).unwrap();
        disk.check();
        assert_eq!(contents(&mut disk, "f"), [b'A'; 4 * PAGE]);
        assert_eq!(outcomes(&disk, 50), set(["f=Ax16384"]));
    }
}

#[test]
fn a_log_that_goes_on_after_a_failed_sync_has_a_hole_of_zeros() {
    for profile in PROFILES {
        let mut disk = disk(profile);
        let f = settled(&mut disk, "f", b'A', PAGE);
        write(&mut disk, f, PAGE as u64, &[b'B'; 1 << 20]);
        disk.fail_sync(f);
        let end = disk.size(f).unwrap();
        assert_eq!(end, PAGE as u64 + (1 << 20), "the length stays grown");
        write(&mut disk, f, end, &[b'C'; PAGE]);
        assert_eq!(disk.sync_data(f), Ok(()));
        assert_eq!(tree(&mut disk), "f=Ax4096 Bx1048576 Cx4096");
        disk.check();
        let used = disk.used_bytes();
        disk.evict_all();
        disk.check();
        let hole = "f=Ax4096 0x1048576 Cx4096";
        assert_eq!(tree(&mut disk), hole);
        assert_eq!(disk.used_bytes(), used - (1 << 20), "a hole takes no space");
        assert_eq!(outcomes(&disk, 20), set([hole]));
    }
}

#[test]
fn rewriting_a_byte_of_a_lost_page_brings_the_whole_page_back() {
    for profile in PROFILES {
        let mut disk = disk(profile);
        let f = settled(&mut disk, "f", b'A', 2 * PAGE);
        write(&mut disk, f, 0, &[b'B'; 2 * PAGE]);
        disk.fail_sync(f);
        write(&mut disk, f, 10, b"C");
        disk.check();
        disk.sync_all(f).unwrap();
        assert_eq!(outcomes(&disk, 20), set(["f=Bx10 Cx1 Bx4085 Ax4096"]));
    }
}

#[test]
fn a_cut_is_no_part_of_a_lost_writeback() {
    let mut disk = adversarial();
    let f = settled(&mut disk, "f", b'A', 3 * PAGE);
    disk.truncate(f, 1000).unwrap();
    write(&mut disk, f, 1000, &[b'B'; 2 * PAGE]);
    disk.fail_sync(f);
    disk.check();
    disk.sync_all(f).unwrap();
    disk.check();
    disk.evict(f).unwrap();
    disk.check();
    assert_eq!(
        tree(&mut disk),
        "f=Ax1000 0x8192",
        "not the bytes from before the cut"
    );
    assert_eq!(outcomes(&disk, 20), set(["f=Ax1000 0x8192"]));
}

#[test]
fn a_failed_sync_leaves_other_files_alone() {
    let mut disk = adversarial();
    let f = settled(&mut disk, "f", b'A', 512);
    let g = settled(&mut disk, "g", b'A', 512);
    write(&mut disk, f, 0, &[b'B'; 512]);
    write(&mut disk, g, 0, &[b'B'; 512]);
    disk.fail_sync(f);
    assert_eq!(disk.sync_all(g), Ok(()));
    assert_eq!(outcomes(&disk, 20), set(["f=Ax512; g=Bx512"]));
}

#[test]
fn a_killed_process_loses_nothing_it_wrote() {
    for profile in PROFILES {
        let mut disk = disk(profile);
        let f = put(&mut disk, "f", b'A', 0, 700);
        disk.create_dir("d").unwrap();
        disk.rename("f", "d/f").unwrap();
        let lock = disk.lock("lock").unwrap();
        assert!(matches!(disk.lock("lock"), Err(DiskError::Locked { .. })));
        let before = tree(&mut disk);
        let report = disk.crash(CrashKind::ProcessKill, &mut Oldest);
        disk.check();
        assert_eq!(report, Default::default());
        assert_eq!(tree(&mut disk), before);
        assert!(matches!(
            disk.read_at(f, 0, 1),
            Err(DiskError::BadHandle { .. })
        ));
        disk.unlock(lock);
        disk.lock("lock").unwrap();
        let mut power = disk.clone();
        power.crash(CrashKind::PowerCut, &mut Oldest);
        assert_eq!(tree(&mut power), "nothing", "what was unsynced stayed so");
    }
}

#[test]
fn a_killed_process_frees_its_removed_files() {
    let mut disk = adversarial();
    put(&mut disk, "f", b'A', 0, PAGE);
    disk.remove("f").unwrap();
    disk.sync_dir("").unwrap();
    assert_eq!(disk.used_bytes(), PAGE as u64, "a handle still leads there");
    let report = disk.crash(CrashKind::ProcessKill, &mut Oldest);
    assert_eq!((report.inodes_freed, disk.used_bytes()), (1, 0));
}

#[test]
fn a_kernel_panic_loses_what_a_power_cut_loses() {
    let mut disk = adversarial();
    put(&mut disk, "f", b'A', 0, 3 * PAGE);
    disk.sync_dir("").unwrap();
    for seed in 0..50 {
        let mut panic = disk.clone();
        let report = panic.crash(CrashKind::KernelPanic, &mut chance(seed));
        let mut power = disk.clone();
        assert_eq!(report, power.crash(CrashKind::PowerCut, &mut chance(seed)));
        assert_eq!(panic.hash(), power.hash());
    }
}

#[test]
fn a_report_counts_what_was_kept_and_lost() {
    let mut disk = adversarial();
    let f = settled(&mut disk, "f", b'A', 2 * PAGE);
    write(&mut disk, f, 0, &[b'B'; PAGE]);
    write(&mut disk, f, 2 * PAGE as u64, &[b'B'; PAGE]);
    open(&mut disk, "g");
    for seed in 0..100 {
        let report = disk.clone().crash(CrashKind::PowerCut, &mut chance(seed));
        assert_eq!(
            report.units_kept + report.units_lost + report.units_between,
            16
        );
        assert_eq!(report.lengths_kept + report.lengths_lost, 1);
        assert_eq!(report.names_kept + report.names_lost, 1);
        assert_eq!(report.inodes_freed, report.names_lost);
        assert!(report.pages_torn <= 2);
    }
    let report = disk.crash(CrashKind::PowerCut, &mut Oldest);
    assert_eq!(
        (report.units_lost, report.names_lost, report.lengths_lost),
        (16, 1, 1)
    );
}

#[test]
fn a_refusal_names_path_and_cause() {
    let mut disk = adversarial();
    let handle = settled(&mut disk, "f", b'A', 1);
    disk.create_dir("d").unwrap();
    disk.create_dir("d/e").unwrap();
    let reader = disk.open("f", Access::Read).unwrap();
    disk.close(handle);
    let told = |result: Result<(), DiskError>| {
        let error = result.unwrap_err();
        format!("{error} ({:?})", std::io::Error::from(error.clone()).kind())
    };
    let told = [
        told(disk.open("x", Access::Read).map(drop)),
        told(disk.open("f", Access::CreateNew).map(drop)),
        told(disk.open("d", Access::Write).map(drop)),
        told(disk.open("f/x", Access::Create).map(drop)),
        told(disk.remove_dir("d")),
        told(disk.rename("d", "d/e/d")),
        told(disk.list("/d").map(drop)),
        told(disk.create_dir("d/../e")),
        told(disk.write_at(reader, 0, b"x").map(drop)),
        told(disk.truncate(reader, 0)),
        told(disk.size(handle).map(drop)),
        told(Err(disk.fail_sync(reader))),
    ];
    cenotaph_snapshots::golden!(
        "sim/disk",
        "refusals",
        "Every refusal names the path and the cause, and has a kind of the standard library.",
        told.join("\n")
    );
}
