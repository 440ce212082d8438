//! Invariants of single appends in a log: every record boundary and every tear is reachable.

use std::collections::BTreeSet;

use super::support::*;

#[test]
fn a_log_ends_at_any_record_or_sector() {
    let mut disk = adversarial();
    let log = settled(&mut disk, "log", b'A', 300);
    for (index, letter) in b"BCD".iter().enumerate() {
        write(&mut disk, log, 300 + 300 * index as u64, &[*letter; 300]);
    }
    let sizes: BTreeSet<u64> = (0..500)
        .map(|seed| crashed(&disk, seed).stat("log").unwrap().size)
        .collect();
    assert_eq!(sizes, BTreeSet::from([300, 512, 600, 900, 1024, 1200]));
}

#[test]
fn a_record_across_sectors_may_lose_either_end() {
    let mut disk = adversarial();
    let log = settled(&mut disk, "log", b'A', 500);
    write(&mut disk, log, 500, &[b'B'; 100]);
    let states = outcomes(&disk, 1000);
    for state in [
        "log=Ax500",
        "log=Ax500 Bx100",
        "log=Ax500 Bx12",
        "log=Ax500 Bx12 0x88",
        "log=Ax500 Bx12 ?x88",
        "log=Ax500 0x12 Bx88",
        "log=Ax500 0x100",
    ] {
        assert!(states.contains(state), "{state} not in {states:?}");
    }
}

#[test]
fn many_unsynced_appends_keep_their_oldest_and_newest_state() {
    let mut disk = adversarial();
    let log = settled(&mut disk, "log", b'A', 100);
    for index in 0..3000 {
        write(&mut disk, log, 100 + 100 * index, &[b'B'; 100]);
    }
    disk.check();
    let states: BTreeSet<u64> = (0..300)
        .map(|seed| crashed(&disk, seed).stat("log").unwrap().size)
        .collect();
    assert!(
        states.contains(&100) && states.contains(&300_100),
        "{states:?}"
    );
    assert!(states.len() > 20, "some lengths between remain possible");
}

#[test]
fn many_unsynced_overwrites_keep_their_oldest_and_newest_version() {
    let mut disk = adversarial();
    let file = settled(&mut disk, "f", b'A', 512);
    for index in 0..1000_u32 {
        let letter = if index == 999 {
            b'Z'
        } else {
            b'B' + (index % 20) as u8
        };
        write(&mut disk, file, 0, &[letter; 512]);
    }
    disk.check();
    let states = outcomes(&disk, 400);
    assert!(
        states.contains("f=Ax512") && states.contains("f=Zx512"),
        "{states:?}"
    );
}
