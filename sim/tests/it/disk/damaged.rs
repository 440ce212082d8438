//! Fault policy: what each way to tear may do to sectors in flight, and that it stops there.

use std::collections::BTreeSet;
use std::fmt::Write;

use cenotaph_sim::disk::{CrashKind, Disk, Profile, Tear};

use super::every::{every_crash, every_state};
use super::support::*;

fn overwritten(tear: Tear, size: usize) -> Disk {
    let mut disk = disk_with(Profile::PosixAdversarial, tear);
    let f = settled(&mut disk, "f", b'A', 1536);
    write(&mut disk, f, 512, &vec![b'B'; size]);
    disk
}

#[test]
fn states_of_damaged_sectors() {
    let mut text = String::new();
    let tears = [
        Tear::Sector512,
        Tear::Shorn,
        Tear::GarbageInRange,
        Tear::GarbageSector,
        Tear::Unreadable,
        Tear::GarbagePage,
    ];
    for tear in tears {
        for size in [100, 1024] {
            let disk = overwritten(tear, size);
            writeln!(
                text,
                "{tear:?}, {size} bytes written into the second sector"
            )
            .unwrap();
            for state in every_state(&disk) {
                writeln!(text, "  {state}").unwrap();
            }
        }
    }
    let mut disk = disk_with(Profile::PosixAdversarial, Tear::Shorn);
    let f = settled(&mut disk, "f", b'A', PAGE);
    write(&mut disk, f, 0, &[b'B'; PAGE]);
    writeln!(text, "Shorn, a page overwritten").unwrap();
    for state in every_state(&disk) {
        writeln!(text, "  {state}").unwrap();
    }
    cenotaph_snapshots::golden!(
        "sim/disk",
        "cases_damaged",
        "Damage strikes what was written and not synced: its bytes, its sector, or its page.",
        text
    );
}

#[test]
fn a_sector_torn_from_either_end_has_one_seam() {
    let disk = overwritten(Tear::EitherEnd, 512);
    let seams: BTreeSet<String> = every_state(&disk);
    let mut expected = set(["f=Ax1536", "f=Ax512 Bx512 Ax512"]);
    for new in 1..512 {
        let old = 512 - new;
        expected.insert(format!("f=Ax512 Bx{new} Ax{}", 512 + old));
        expected.insert(format!("f=Ax{} Bx{new} Ax512", 512 + old));
    }
    assert_eq!(seams, expected);
}

#[test]
fn only_a_power_cut_damages() {
    for tear in [Tear::Shorn, Tear::GarbageSector, Tear::Unreadable] {
        let sound = every_state(&overwritten(
            match tear {
                Tear::Shorn => Tear::Page4k,
                _ => Tear::Sector512,
            },
            512,
        ));
        let mut states = BTreeSet::new();
        every_crash(&overwritten(tear, 512), CrashKind::KernelPanic, |disk| {
            states.insert(tree(disk));
        });
        assert_eq!(states, sound, "{tear:?}");
    }
}

/// A disk whose file `f` has an unreadable second sector of three.
fn unreadable() -> Disk {
    let mut found = None;
    every_crash(
        &overwritten(Tear::Unreadable, 512),
        CrashKind::PowerCut,
        |disk| {
            if tree(disk) == "f=Ax512 !x512 Ax512" {
                found = Some(disk.clone());
            }
        },
    );
    found.expect("the written sector may become unreadable")
}

#[test]
fn an_unreadable_sector_refuses_reads_and_partial_writes() {
    let mut disk = unreadable();
    let f = open(&mut disk, "f");
    assert_eq!(disk.read_at(f, 0, 512).unwrap().as_ref(), [b'A'; 512]);
    let told = disk.read_at(f, 0, 513).unwrap_err().to_string();
    assert_eq!(told, "f: input/output error: a sector cannot be read");
    assert!(disk.read_at(f, 1023, 10).is_err());
    assert!(disk.write_at(f, 600, b"part").is_err());
    assert!(disk.write_at(f, 0, &[b'C'; 600]).is_err());
    disk.check();
    assert_eq!(tree(&mut disk), "f=Ax512 !x512 Ax512");
    disk.crash(CrashKind::KernelPanic, &mut Oldest);
    assert_eq!(tree(&mut disk), "f=Ax512 !x512 Ax512");
}

#[test]
fn an_unreadable_sector_heals_when_it_is_written_whole_and_synced() {
    let mut disk = unreadable();
    let f = open(&mut disk, "f");
    write(&mut disk, f, 512, &[b'C'; 512]);
    assert_eq!(tree(&mut disk), "f=Ax512 Cx512 Ax512");
    let states = every_state(&disk);
    assert_eq!(states, set(["f=Ax512 !x512 Ax512", "f=Ax512 Cx512 Ax512"]));
    disk.sync_data(f).unwrap();
    disk.check();
    assert_eq!(every_state(&disk), set(["f=Ax512 Cx512 Ax512"]));
}
