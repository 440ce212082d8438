//! Invariants of space: counted by pages, short writes at the end, given back when nothing needs it.

use cenotaph_sim::disk::{CrashKind, Disk, DiskError, DiskOptions, Profile, Tear, pages_alive};

use super::support::*;

fn small(profile: Profile, pages: u64) -> Disk {
    let capacity_bytes = pages * PAGE as u64;
    Disk::new(DiskOptions {
        profile,
        tear: Tear::Sector512,
        capacity_bytes,
    })
}

#[test]
fn a_write_into_a_nearly_full_disk_is_short_and_the_next_is_refused() {
    for profile in PROFILES {
        let mut disk = small(profile, 3);
        settled(&mut disk, "old", b'A', 2 * PAGE);
        let f = open(&mut disk, "f");
        assert_eq!(disk.write_at(f, 0, &[b'B'; 3 * PAGE]), Ok(PAGE));
        let full = disk.write_at(f, PAGE as u64, b"B");
        assert!(matches!(full, Err(DiskError::NoSpace { .. })), "{full:?}");
        assert_eq!(disk.size(f), Ok(PAGE as u64));
        assert_eq!(
            disk.write_at(f, 1, &[b'C'; PAGE]),
            Ok(PAGE - 1),
            "overwriting needs no space"
        );
        disk.check();
        disk.remove("old").unwrap();
        assert!(
            disk.write_at(f, PAGE as u64, b"B").is_err(),
            "the removal is not durable yet"
        );
        disk.sync_dir("").unwrap();
        assert!(
            disk.write_at(f, PAGE as u64, b"B").is_err(),
            "a handle still leads there"
        );
        disk.crash(CrashKind::ProcessKill, &mut Oldest);
        assert_eq!(disk.used_bytes(), PAGE as u64);
    }
}

#[test]
fn space_of_a_cut_comes_back_with_the_next_sync() {
    let mut disk = small(Profile::PosixAdversarial, 4);
    let f = settled(&mut disk, "f", b'A', 4 * PAGE);
    disk.truncate(f, 1).unwrap();
    assert_eq!(disk.used_bytes(), 4 * PAGE as u64);
    disk.sync_data(f).unwrap();
    assert_eq!(disk.used_bytes(), PAGE as u64);
    disk.check();
}

#[test]
fn preallocated_space_cannot_run_out() {
    let mut disk = small(Profile::PosixAdversarial, 4);
    let f = open(&mut disk, "f");
    let too_much = disk.preallocate(f, 0, 5 * PAGE as u64);
    assert!(matches!(too_much, Err(DiskError::NoSpace { .. })));
    assert_eq!(
        (disk.used_bytes(), disk.size(f)),
        (0, Ok(0)),
        "all or nothing"
    );
    disk.preallocate(f, 0, 3 * PAGE as u64).unwrap();
    assert_eq!(disk.size(f), Ok(3 * PAGE as u64));
    put(&mut disk, "g", b'B', 0, PAGE);
    let g = open(&mut disk, "g");
    assert!(disk.write_at(g, PAGE as u64, b"B").is_err());
    write(&mut disk, f, 0, &[b'A'; 3 * PAGE]);
    disk.check();
}

#[test]
fn a_crash_never_leaves_more_than_the_disk_holds() {
    let mut disk = small(Profile::PosixAdversarial, 4);
    let f = settled(&mut disk, "f", b'A', 3 * PAGE);
    disk.truncate(f, 0).unwrap();
    let g = open(&mut disk, "g");
    assert_eq!(disk.write_at(g, 0, &[b'B'; 3 * PAGE]), Ok(PAGE));
    for seed in 0..100 {
        assert!(crashed(&disk, seed).used_bytes() <= 4 * PAGE as u64);
    }
}

#[test]
fn a_file_ends_at_the_largest_size() {
    let mut disk = adversarial();
    let f = open(&mut disk, "f");
    for end in [cenotaph_sim::disk::FILE_SIZE_MAX, u64::MAX] {
        let refused = disk.write_at(f, end, b"x");
        assert!(
            matches!(refused, Err(DiskError::FileTooLarge { .. })),
            "{refused:?}"
        );
    }
    write(&mut disk, f, cenotaph_sim::disk::FILE_SIZE_MAX - 1, b"x");
    assert_eq!(disk.used_bytes(), PAGE as u64, "holes take no space");
    assert_eq!(disk.read_at(f, u64::MAX, 10), Ok(bytes::Bytes::new()));
}

#[test]
fn five_thousand_runs_leave_no_page_behind() {
    let before = pages_alive();
    for seed in 0..5000 {
        let mut disk = adversarial();
        let f = settled(&mut disk, "f", b'A', 100);
        write(&mut disk, f, 100, &[b'B'; 9000]);
        let mut fork = disk.clone();
        disk.remove("f").unwrap();
        fork.fail_sync(f);
        disk.crash(CrashKind::PowerCut, &mut chance(seed));
        put(&mut fork, "g", b'C', 0, 5000);
        fork.crash(CrashKind::PowerCut, &mut chance(seed));
        assert!(pages_alive() > before);
    }
    assert_eq!(pages_alive(), before);
}
