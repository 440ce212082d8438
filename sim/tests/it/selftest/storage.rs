//! Steps of the self-tests of disks: cut the power over what was not synced, fail each kind of request.

use std::cell::RefCell;
use std::rc::Rc;

use bytes::Bytes;
use cenotaph_sim::disk::{Access, CrashKind, Disk, KeyedChance, Profile};
use cenotaph_sim::entropy::StreamKey;
use cenotaph_sim::fault::{Anchor, Fault, FaultKind, RequestKind};
use cenotaph_sim::host::{Host, OpenMode};

use super::table::hold;
use crate::support::{disk, machine, quiet, until, world};

/// Over many power cuts, unsynced bytes of an open file and unsynced names are sometimes lost and
/// sometimes kept; what was synced is always there.
pub(super) fn a_power_cut_takes_what_was_not_synced() -> Result<(), String> {
    const CUTS: u32 = 64;
    let (mut bytes_lost, mut names_lost) = (0, 0);
    for key in 0..CUTS {
        let mut disk = Disk::new(disk(Profile::PosixAdversarial));
        let open =
            |disk: &mut Disk, name: &str| disk.open(name, Access::Create).expect("an empty disk");
        let file = open(&mut disk, "file");
        disk.write_at(file, 0, b"durable").expect("space");
        disk.sync_all(file).expect("an honest disk");
        disk.sync_dir("").expect("an honest disk");
        disk.write_at(file, 4096, b"unsynced").expect("space");
        open(&mut disk, "name");
        let key = StreamKey(u64::from(key));
        disk.crash(CrashKind::PowerCut, &mut KeyedChance { key });
        let file = disk
            .open("file", Access::Read)
            .map_err(|error| format!("a synced name is gone: {error}"))?;
        let read = |offset, size| disk.read_at(file, offset, size).expect("readable");
        hold(read(0, 7)[..] == b"durable"[..], || {
            "synced bytes are gone".to_owned()
        })?;
        bytes_lost += u32::from(read(4096, 8)[..] != b"unsynced"[..]);
        names_lost += u32::from(disk.stat("name").is_err());
    }
    for (what, lost) in [("bytes", bytes_lost), ("names", names_lost)] {
        hold((1..CUTS).contains(&lost), || {
            format!("unsynced {what} were lost in {lost} of {CUTS} cuts")
        })?;
    }
    Ok(())
}

type Results = Rc<RefCell<Vec<(RequestKind, bool)>>>;

/// Makes one request of each kind that can fail, and notes which did.
async fn one_of_each(host: Host, results: Results) {
    let disk = host.disk();
    let note = |kind: RequestKind, failed: bool| results.borrow_mut().push((kind, failed));
    let file = disk.open("f", OpenMode::Create).await;
    note(RequestKind::Open, file.is_err());
    let file = match file {
        Ok(file) => file,
        Err(_) => disk.open("f", OpenMode::Create).await.expect("struck once"),
    };
    let written = file.write_at(0, Bytes::from_static(b"word")).await;
    note(RequestKind::Write, written.is_err());
    note(RequestKind::Read, file.read_at(0, 4).await.is_err());
    note(RequestKind::Sync, file.sync_all().await.is_err());
    note(RequestKind::Truncate, file.truncate(2).await.is_err());
    note(
        RequestKind::Preallocate,
        file.preallocate(0, 8192).await.is_err(),
    );
    note(RequestKind::Link, disk.link("f", "f.link").await.is_err());
    note(
        RequestKind::Rename,
        disk.rename("f", "f.new").await.is_err(),
    );
    note(RequestKind::List, disk.list("").await.is_err());
    note(RequestKind::CreateDir, disk.create_dir("d").await.is_err());
    note(RequestKind::SyncDir, disk.sync_dir("").await.is_err());
    note(RequestKind::RemoveDir, disk.remove_dir("d").await.is_err());
    note(RequestKind::Lock, disk.lock("f.lock").await.is_err());
    note(RequestKind::Remove, disk.remove("f.link").await.is_err());
}

/// Whether a fault that is anchored at the first request of this kind strikes, and the request fails.
fn is_struck(kind: RequestKind, role: &str) -> bool {
    let mut world = world(1);
    let results = Results::default();
    let log = Rc::clone(&results);
    let node = quiet(move |host| one_of_each(host, Rc::clone(&log)));
    let address = world.add_machine(machine("n1"), node);
    let anchor = format!("n1/1/{role}/{}/0", kind.name());
    world.add_fault(Fault {
        anchor: Anchor::Disk(anchor.parse().expect("an anchor")),
        kind: FaultKind::DiskError { machine: address },
    });
    world.boot(address);
    world.run(until(1_000));
    let failed = results.borrow().contains(&(kind, true));
    failed && world.marks().count("fault.disk.error") == 1
}

/// A fault at a request of any kind makes it fail. Lengths are known without asking the drive, so
/// they cannot.
pub(super) fn every_kind_of_request_can_fail() -> Result<(), String> {
    for kind in RequestKind::ALL {
        let role = match kind {
            RequestKind::Len => continue,
            RequestKind::List | RequestKind::SyncDir => "root",
            RequestKind::CreateDir | RequestKind::RemoveDir => "d",
            _ => "f",
        };
        hold(is_struck(kind, role), || {
            format!("a fault at the first {} strikes nothing", kind.name())
        })?;
    }
    Ok(())
}
