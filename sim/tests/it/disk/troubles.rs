//! Fault policy: what a file system in trouble refuses, and what comes of names, handles and writes then.

use std::collections::BTreeSet;

use bytes::Bytes;
use cenotaph_sim::disk::{Access, CrashKind, Disk, DiskError, Mount, Profile, Trouble};

use super::every::every_state;
use super::support::*;

fn shown(disk: &mut Disk) -> Vec<Trouble> {
    disk.take_shown().collect()
}

/// What each kind of call answers.
fn answers(disk: &mut Disk) -> Vec<String> {
    let f = disk.open("f", Access::Write);
    let mut answers = vec![format!(
        "open {:?}",
        f.as_ref().map(drop).map_err(DiskError::to_string)
    )];
    let mut told = |call: &str, answer: Result<(), DiskError>| {
        answers.push(format!(
            "{call} {:?}",
            answer.map_err(|error| error.to_string())
        ));
    };
    if let Ok(f) = f {
        told("read", disk.read_at(f, 0, 1).map(drop));
        told("write", disk.write_at(f, 0, b"x").map(drop));
        told("truncate", disk.truncate(f, 1));
        told("preallocate", disk.preallocate(f, 0, 1));
        told("sync", disk.sync_all(f));
    }
    told("create", disk.open("new", Access::Create).map(drop));
    told("stat", disk.stat("f").map(drop));
    told("list", disk.list("").map(drop));
    told("rename", disk.rename("f", "g"));
    told("link", disk.link("f", "g"));
    told("remove", disk.remove("f"));
    told("create_dir", disk.create_dir("d"));
    told("sync_dir", disk.sync_dir(""));
    answers
}

#[test]
fn a_file_system_in_trouble_refuses_what_it_cannot_do() {
    let mut text = String::new();
    for mount in [Mount::ReadOnly, Mount::ShutDown, Mount::Gone] {
        let mut disk = adversarial();
        settled(&mut disk, "f", b'A', 100);
        disk.remount(mount);
        text += &format!("{mount:?}\n");
        for answer in answers(&mut disk) {
            text += &format!("  {answer}\n");
        }
        disk.check();
    }
    cenotaph_snapshots::golden!(
        "sim/disk",
        "refused_mounts",
        "What a disk answers when it serves reads only, has shut down, or is gone.",
        text
    );
}

#[test]
fn what_was_not_synced_when_the_file_system_stopped_writing_is_lost() {
    for mount in [Mount::ReadOnly, Mount::ShutDown] {
        let mut disk = disk(Profile::Strict);
        let f = settled(&mut disk, "f", b'A', 100);
        write(&mut disk, f, 0, &[b'B'; 100]);
        disk.remount(mount);
        assert!(disk.sync_all(f).is_err());
        disk.flush_some(&mut chance(1));
        disk.crash(CrashKind::ProcessKill, &mut Oldest);
        assert_eq!(disk.mount(), mount, "the kernel lives on");
        disk.crash(CrashKind::KernelPanic, &mut Oldest);
        assert_eq!(disk.mount(), Mount::ReadWrite);
        assert_eq!(tree(&mut disk), "f=Ax100");
        let shown = shown(&mut disk);
        assert!(
            shown == [Trouble::ReadOnly] || shown == [Trouble::ShutDown],
            "{shown:?}"
        );
    }
}

#[test]
fn a_drive_that_keeps_no_order_may_leave_nothing_to_mount() {
    let mut disk = disk(Profile::CacheUnsafe);
    let f = settled(&mut disk, "f", b'A', 512);
    disk.drain_drive();
    write(&mut disk, f, 0, &[b'B'; 512]);
    disk.sync_all(f).unwrap();
    assert_eq!(every_state(&disk), set(["gone", "f=Ax512", "f=Bx512"]));
    let mut gone = (0..200)
        .map(|seed| crashed(&disk, seed))
        .find(|disk| disk.mount() == Mount::Gone)
        .expect("one power cut in a few does it");
    gone.crash(CrashKind::PowerCut, &mut Oldest);
    gone.remount(Mount::ReadWrite);
    assert_eq!(gone.mount(), Mount::Gone, "for good");
    disk.crash(CrashKind::KernelPanic, &mut Oldest);
    assert_eq!(tree(&mut disk), "f=Bx512");
}

#[test]
fn a_name_may_lead_to_an_inode_that_was_never_written() {
    let mut disk = disk(Profile::Ext2);
    let f = put(&mut disk, "f", b'A', 0, 100);
    disk.sync_dir("").unwrap();
    let states = every_state(&disk);
    let expected = ["f=unclean", "f=empty", "f=0x100", "f=?x100", "f=Ax100"];
    assert_eq!(states, set(expected));
    disk.sync_data(f).unwrap();
    assert_eq!(every_state(&disk), set(["f=Ax100"]));
}

#[test]
fn an_inode_that_was_never_written_can_only_be_removed_or_replaced() {
    let mut disk = disk(Profile::Ext2);
    open(&mut disk, "f");
    settled(&mut disk, "g", b'B', 10);
    disk.crash(CrashKind::PowerCut, &mut Oldest);
    disk.check();
    let told = disk.open("f", Access::Write).unwrap_err();
    assert_eq!(told.to_string(), "f: structure needs cleaning");
    assert!(disk.lock("f").is_err() && disk.link("f", "h").is_err() && disk.stat("f").is_err());
    disk.rename("f", "h").unwrap();
    disk.rename("g", "h").unwrap();
    disk.sync_dir("").unwrap();
    disk.check();
    assert_eq!(tree(&mut disk), "h=Bx10");
    assert_eq!(shown(&mut disk), [Trouble::Unclean]);
}

#[test]
fn a_close_over_the_network_writes_out_and_tells_of_failures() {
    let mut disk = disk(Profile::Nfs);
    let f = settled(&mut disk, "f", b'A', 100);
    write(&mut disk, f, 0, &[b'B'; 100]);
    assert_eq!(disk.close_reporting(f), Ok(()));
    assert_eq!(every_state(&disk), set(["f=Bx100"]));
    let (one, other) = (open(&mut disk, "f"), open(&mut disk, "f"));
    write(&mut disk, one, 0, &[b'C'; 100]);
    disk.fail_sync(one);
    assert!(
        disk.close_reporting(other).is_err(),
        "an open handle hears of it at its close"
    );
    assert_eq!(disk.close_reporting(one), Ok(()));
    assert!(disk.close_reporting(one).is_err(), "it is closed");
}

#[test]
fn a_rename_over_the_network_is_whole() {
    let mut disk = disk(Profile::Nfs);
    settled_dir(&mut disk, "d");
    let f = settled(&mut disk, "f", b'A', 10);
    settled(&mut disk, "d/g", b'B', 10);
    disk.close(f);
    disk.rename("f", "d/g").unwrap();
    assert_eq!(
        every_state(&disk),
        set(["d/; d/g=Ax10", "d/; d/g=Bx10; f=Ax10"])
    );
    disk.sync_dir("d").unwrap();
    assert_eq!(every_state(&disk), set(["d/; d/g=Ax10"]));
}

#[test]
fn a_stale_handle_is_refused_until_it_is_closed() {
    let mut disk = adversarial();
    let f = settled(&mut disk, "f", b'A', 10);
    disk.make_stale(f).unwrap();
    let told = disk.read_at(f, 0, 1).unwrap_err();
    assert_eq!(told.to_string(), "f: stale file handle");
    assert!(disk.write_at(f, 0, b"x").is_err() && disk.sync_all(f).is_err());
    disk.close(f);
    disk.check();
    let f = open(&mut disk, "f");
    assert!(disk.read_at(f, 0, 1).is_ok());
    assert_eq!(shown(&mut disk), [Trouble::Stale]);
}

#[test]
fn a_write_that_hung_lands_over_newer_ones_without_its_handle() {
    let mut disk = adversarial();
    let f = settled(&mut disk, "f", b'A', 10);
    let late = disk.hang_write(f, 2, Bytes::from_static(b"LATE")).unwrap();
    assert_eq!(contents(&mut disk, "f"), [b'A'; 10]);
    write(&mut disk, f, 0, &[b'B'; 10]);
    disk.sync_all(f).unwrap();
    disk.crash(CrashKind::ProcessKill, &mut Oldest);
    assert_eq!(disk.land_write(&late), 4);
    disk.check();
    assert_eq!(contents(&mut disk, "f"), b"BBLATEBBBB");
    let states: BTreeSet<String> = every_state(&disk);
    assert_eq!(states.len(), 2, "it is as unsynced as any write");
    assert_eq!(shown(&mut disk), [Trouble::LateWrite]);
    disk.remove("f").unwrap();
    disk.sync_dir("").unwrap();
    assert_eq!(disk.land_write(&late), 0, "the file is gone");
}

#[test]
fn each_trouble_has_a_mark_of_its_own() {
    let marks: BTreeSet<&str> = Trouble::ALL.iter().map(|trouble| trouble.mark()).collect();
    assert_eq!(marks.len(), Trouble::ALL.len());
}
