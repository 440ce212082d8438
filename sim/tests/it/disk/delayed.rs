//! Invariants of blocks allocated at the sync: a full disk shows there, and takes what the sync was to write.

use std::fmt::Write;

use cenotaph_sim::disk::{
    Allocation, Constraints, CrashKind, Disk, DiskError, DiskOptions, Profile, Tear, Trouble,
};

use super::every::every_state;
use super::support::*;

fn small(profile: Profile, pages: u64) -> Disk {
    Disk::new(DiskOptions {
        profile,
        tear: Tear::Page4k,
        capacity_bytes: pages * PAGE as u64,
    })
}

#[test]
fn a_write_into_a_full_disk_shows_at_the_write_or_at_the_sync() {
    let mut text = String::new();
    for profile in Profile::honest() {
        let mut disk = small(profile, 3);
        settled(&mut disk, "old", b'A', 2 * PAGE);
        let f = open(&mut disk, "f");
        let mut count = 0;
        while let Ok(written) = disk.write_at(f, count as u64, &vec![b'B'; 3 * PAGE - count]) {
            count += written;
            if count == 3 * PAGE {
                break;
            }
        }
        let sync = disk.sync_all(f).map_err(|error| error.to_string());
        let again = disk.sync_all(f).map_err(|error| error.to_string());
        disk.check();
        let view = sketch(&contents(&mut disk, "f"));
        disk.evict_all();
        disk.check();
        let evicted = sketch(&contents(&mut disk, "f"));
        disk.remove("old").unwrap();
        disk.sync_dir("").unwrap();
        disk.crash(CrashKind::ProcessKill, &mut Oldest);
        writeln!(
            text,
            "{profile:?}: {count} bytes written; sync: {sync:?}, again: {again:?}; \
             shows {view}, evicted {evicted}; used without the old file: {} bytes",
            disk.used_bytes()
        )
        .unwrap();
        disk.check();
    }
    cenotaph_snapshots::golden!(
        "sim/disk",
        "cases_full",
        "Three blocks written where one is free: a short write, or a sync that fails and loses two.",
        text
    );
}

#[test]
fn a_log_that_goes_on_after_its_disk_was_full_has_a_hole_of_zeros() {
    const LARGE: usize = 4 << 20;
    let mut text = String::new();
    for thick in [Profile::Xfs, Profile::Btrfs, Profile::Ext4Ordered] {
        let profile = thin(thick);
        let mut disk = small(profile, 64);
        let log = settled(&mut disk, "log", b'A', 16 << 10);
        settled(&mut disk, "other", b'O', 60 * PAGE);
        write(&mut disk, log, 16 << 10, &vec![b'B'; LARGE]);
        let full = disk.sync_data(log).unwrap_err();
        assert!(matches!(full, DiskError::NoSpace { .. }), "{full}");
        assert_eq!(disk.sync_data(log), Ok(()), "it is told once");
        let view = sketch(&contents(&mut disk, "log"));
        disk.remove("other").unwrap();
        disk.sync_dir("").unwrap();
        disk.crash(CrashKind::ProcessKill, &mut Oldest);
        let log = open(&mut disk, "log");
        write(&mut disk, log, (16 << 10) + LARGE as u64, &[b'C'; PAGE]);
        disk.sync_data(log).unwrap();
        disk.check();
        let whole = sketch(&contents(&mut disk, "log"));
        disk.evict(log).unwrap();
        disk.check();
        let evicted = sketch(&contents(&mut disk, "log"));
        let shown: Vec<Trouble> = disk.take_shown().collect();
        assert_eq!(
            shown,
            [Trouble::FailedSync, Trouble::NoRoom, Trouble::Evicted]
        );
        let crashed: Vec<String> = every_state(&disk).into_iter().collect();
        writeln!(
            text,
            "{thick:?}, allocating at the sync\n  shows {view}\n  after C {whole}\n  evicted {evicted}\n  crashed {}",
            crashed.join(" or ")
        )
        .unwrap();
    }
    cenotaph_snapshots::golden!(
        "sim/disk",
        "cases_full_log",
        "Good records, four megabytes of zeros, good records: what a log is that goes on after a failed sync.",
        text
    );
}

/// The profile, with blocks allocated when bytes are written out.
fn thin(profile: Profile) -> Profile {
    Profile::Custom(Constraints {
        allocation: Allocation::AtSync,
        ..profile.constraints()
    })
}

#[test]
fn overwrites_and_promised_space_never_find_the_disk_full() {
    let mut disk = small(Profile::XfsThin, 4);
    let f = settled(&mut disk, "f", b'A', 2 * PAGE);
    let g = open(&mut disk, "g");
    disk.preallocate(g, 0, 2 * PAGE as u64).unwrap();
    let more = disk.preallocate(g, 0, 3 * PAGE as u64);
    assert!(matches!(more, Err(DiskError::NoSpace { .. })), "{more:?}");
    let h = put(&mut disk, "h", b'H', 0, PAGE);
    write(&mut disk, f, 0, &[b'B'; 2 * PAGE]);
    write(&mut disk, g, 0, &[b'G'; 2 * PAGE]);
    assert_eq!((disk.sync_all(f), disk.sync_all(g)), (Ok(()), Ok(())));
    assert!(matches!(disk.sync_all(h), Err(DiskError::NoSpace { .. })));
    disk.sync_dir("").unwrap();
    disk.check();
    assert_eq!(every_state(&disk), set(["f=Bx8192; g=Gx8192; h=0x4096"]));
}

#[test]
fn writeback_and_a_crash_find_no_more_blocks_than_a_sync() {
    for seed in 0..40 {
        let mut disk = small(Profile::XfsThin, 3);
        let f = put(&mut disk, "f", b'A', 0, 2 * PAGE);
        put(&mut disk, "g", b'B', 0, 2 * PAGE);
        let before = crashed(&disk, seed);
        assert!(before.used_bytes() <= 3 * PAGE as u64);
        disk.flush_some(&mut chance(seed));
        disk.check();
        assert!(crashed(&disk, seed).used_bytes() <= 3 * PAGE as u64);
        let _ = disk.sync_all(f);
        disk.check();
        let states = every_state(&disk);
        assert!(
            states
                .iter()
                .all(|state| !state.contains("Bx8192") || !state.contains("Ax8192"))
        );
    }
}
