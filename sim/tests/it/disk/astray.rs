//! Invariants of writes that go astray: the sync succeeds, one sector is old, another may be foreign.

use cenotaph_sim::disk::{Disk, DiskError, Handle};

use super::every::every_state;
use super::support::*;

fn two_files() -> (Disk, Handle) {
    let mut disk = adversarial();
    let f = settled(&mut disk, "f", b'A', 2048);
    settled(&mut disk, "g", b'G', 2048);
    (disk, f)
}

fn left(disk: &mut Disk) -> String {
    disk.check();
    let left = tree(disk);
    assert_eq!(every_state(disk), set([&left]), "all of it is durable");
    left
}

#[test]
fn a_lost_write_leaves_its_sector_as_it_was() {
    let (mut disk, f) = two_files();
    write(&mut disk, f, 0, &[b'B'; 2048]);
    disk.sync_astray(f, 2, None).unwrap();
    assert_eq!(left(&mut disk), "f=Bx1024 Ax512 Bx512; g=Gx2048");
    disk.sync_all(f).unwrap();
    assert_eq!(left(&mut disk), "f=Bx1024 Ax512 Bx512; g=Gx2048");
}

#[test]
fn a_misdirected_write_lands_in_another_file_and_each_side_heals_by_itself() {
    let (mut disk, f) = two_files();
    let g = open(&mut disk, "g");
    write(&mut disk, f, 0, &[b'B'; 2048]);
    disk.sync_astray(f, 2, Some(("g", 1))).unwrap();
    assert_eq!(
        left(&mut disk),
        "f=Bx1024 Ax512 Bx512; g=Gx512 Bx512 Gx1024"
    );
    let mut other = disk.clone();
    write(&mut disk, f, 1024, &[b'C'; 512]);
    disk.sync_data(f).unwrap();
    assert_eq!(
        left(&mut disk),
        "f=Bx1024 Cx512 Bx512; g=Gx512 Bx512 Gx1024"
    );
    write(&mut other, g, 512, &[b'H'; 512]);
    other.sync_data(g).unwrap();
    assert_eq!(
        left(&mut other),
        "f=Bx1024 Ax512 Bx512; g=Gx512 Hx512 Gx1024"
    );
}

#[test]
fn a_write_past_the_end_of_another_file_shows_nothing_beyond_it() {
    let mut disk = adversarial();
    let f = settled(&mut disk, "f", b'A', 512);
    settled(&mut disk, "g", b'G', 700);
    write(&mut disk, f, 0, &[b'B'; 512]);
    disk.sync_astray(f, 0, Some(("g", 1))).unwrap();
    assert_eq!(left(&mut disk), "f=Ax512; g=Gx512 Bx188");
    let g = open(&mut disk, "g");
    disk.truncate(g, 1024).unwrap();
    assert_eq!(tree(&mut disk), "f=Ax512; g=Gx512 Bx188 0x324");
}

#[test]
fn a_lost_append_shows_zeros() {
    let (mut disk, f) = two_files();
    write(&mut disk, f, 2048, &[b'B'; 600]);
    disk.sync_astray(f, 4, None).unwrap();
    assert_eq!(left(&mut disk), "f=Ax2048 0x512 Bx88; g=Gx2048");
}

#[test]
fn a_write_goes_astray_only_between_sectors_of_two_files() {
    let (mut disk, f) = two_files();
    disk.create_dir("d").unwrap();
    let refused = [
        disk.sync_astray(f, 4, None),
        disk.sync_astray(f, u64::MAX, None),
        disk.sync_astray(f, 0, Some(("f", 1))),
        disk.sync_astray(f, 0, Some(("g", 4))),
    ];
    for refusal in refused {
        assert!(
            matches!(refusal, Err(DiskError::Invalid { .. })),
            "{refusal:?}"
        );
    }
    let missing = disk.sync_astray(f, 0, Some(("x", 0)));
    assert!(matches!(missing, Err(DiskError::NotFound { .. })));
    let directory = disk.sync_astray(f, 0, Some(("d", 0)));
    assert!(matches!(directory, Err(DiskError::IsADirectory { .. })));
}
