//! Fault policy: a failed request told step by step, and a write that the power cut interrupts.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::ControlFlow;

use cenotaph_sim::disk::states::Bounds;
use cenotaph_sim::disk::{Access, CrashKind, CrashPoint, Disk, Handle, Profile, Tear};

use super::every::every_state;
use super::support::*;

fn told(disk: &mut Disk, handle: Handle) -> String {
    match disk.sync_data(handle) {
        Ok(()) => "ok".to_owned(),
        Err(error) => error.to_string(),
    }
}

/// Four blocks overwritten by one request, or with a gap by two; one block of it cannot be written.
fn failing_block(profile: Profile, has_gap: bool) -> String {
    let mut text = String::new();
    let mut disk = disk_with(profile, Tear::Page4k);
    let f = settled(&mut disk, "f", b'A', 4 * PAGE);
    let before = disk.open("f", Access::Write).unwrap();
    write(&mut disk, f, 0, &[b'B'; 2 * PAGE]);
    let rest = if has_gap { 3 } else { 2 };
    write(
        &mut disk,
        f,
        rest * 4096,
        &vec![b'B'; (4 - rest as usize) * PAGE],
    );
    let failed = disk.fail_sync_at(f, 4096);
    disk.check();
    let after = disk.open("f", Access::Write).unwrap();
    writeln!(text, "  sync: {failed}").unwrap();
    writeln!(text, "  again: {}", told(&mut disk, f)).unwrap();
    writeln!(text, "  a handle from before: {}", told(&mut disk, before)).unwrap();
    writeln!(text, "  again: {}", told(&mut disk, before)).unwrap();
    writeln!(text, "  a handle from after: {}", told(&mut disk, after)).unwrap();
    writeln!(text, "  shows: {}", sketch(&contents(&mut disk, "f"))).unwrap();
    let crashed: Vec<String> = every_state(&disk).into_iter().collect();
    writeln!(text, "  crashed: {}", crashed.join(" or ")).unwrap();
    disk.evict(f).unwrap();
    disk.check();
    writeln!(text, "  evicted: {}", sketch(&contents(&mut disk, "f"))).unwrap();
    write(&mut disk, f, 4096, &[b'C'; PAGE]);
    writeln!(text, "  block 1 rewritten: {}", told(&mut disk, f)).unwrap();
    let crashed: Vec<String> = every_state(&disk).into_iter().collect();
    writeln!(text, "  crashed: {}", crashed.join(" or ")).unwrap();
    text
}

#[test]
fn states_after_one_block_of_a_request_failed() {
    let mut text = String::new();
    for (title, has_gap) in [
        ("one request of four blocks", false),
        ("two requests", true),
    ] {
        let first = failing_block(Profile::Strict, has_gap);
        for profile in Profile::honest() {
            assert_eq!(failing_block(profile, has_gap), first, "{profile:?}");
        }
        writeln!(
            text,
            "{title}, block 1 fails, every honest profile\n{first}"
        )
        .unwrap();
    }
    cenotaph_snapshots::golden!(
        "sim/disk",
        "cases_failed_block",
        "A block that cannot be written takes its request along: told once a handle, kept until evicted.",
        text
    );
}

#[test]
fn each_sector_of_a_write_in_flight_is_old_new_or_unreadable_by_itself() {
    const SECTORS: u64 = 10;
    let mut disk = disk_with(Profile::PosixAdversarial, Tear::Unreadable);
    let f = settled(&mut disk, "f", b'A', 12 * 512);
    write(&mut disk, f, 512, &[b'B'; 512 * SECTORS as usize]);
    let point = CrashPoint::new(&disk, CrashKind::PowerCut);
    let mut hashes = BTreeSet::new();
    let mut shown = vec![BTreeSet::new(); SECTORS as usize + 2];
    let mut number = 0_u64;
    let went = point.images(Bounds::NONE, &mut |image| {
        hashes.insert(image.hash());
        number += 1;
        if number % 997 == 1 {
            let mut disk = image.disk();
            let f = open(&mut disk, "f");
            for (sector, shown) in shown.iter_mut().enumerate() {
                let read = disk.read_at(f, 512 * sector as u64, 512);
                shown.insert(read.map_or('!', |bytes| {
                    assert!(bytes.iter().all(|byte| *byte == bytes[0]));
                    char::from(bytes[0])
                }));
            }
        }
        ControlFlow::Continue(())
    });
    assert!(went.is_continue());
    assert_eq!((hashes.len(), number), (3_usize.pow(10), 3_u64.pow(10)));
    let in_flight = BTreeSet::from(['A', 'B', '!']);
    assert!(
        shown[1..=10].iter().all(|sector| *sector == in_flight),
        "{shown:?}"
    );
    assert_eq!(
        (&shown[0], &shown[11]),
        (&BTreeSet::from(['A']), &BTreeSet::from(['A']))
    );
}
