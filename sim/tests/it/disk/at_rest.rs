//! Fault policy: damage to sectors, reads and whole files at rest stays where it was put, until it is mended.

use cenotaph_sim::disk::{
    Cluster, CrashKind, Damage, Disk, Handle, Profile, SECTOR_SIZE, SectorDamage, Trouble,
};
use cenotaph_sim::entropy::StreamKey;

use super::every::every_state;
use super::support::*;

fn two_files() -> (Disk, Handle, Handle) {
    let mut disk = adversarial();
    let f = settled(&mut disk, "f", b'A', 4 * SECTOR_SIZE);
    let g = settled(&mut disk, "g", b'B', 4 * SECTOR_SIZE);
    (disk, f, g)
}

#[test]
fn an_unreadable_sector_hides_its_bytes_until_it_is_mended() {
    let (mut disk, f, _) = two_files();
    disk.damage(
        "f",
        Damage::Unreadable {
            sector: 1,
            count: 2,
        },
    )
    .unwrap();
    disk.check();
    for _ in 0..3 {
        assert!(
            disk.read_at(f, 600, 1).is_err(),
            "the same read gives the same answer"
        );
    }
    assert_eq!(tree(&mut disk), "f=Ax512 !x1024 Ax512; g=Bx2048");
    assert_eq!(every_state(&disk).len(), 1);
    disk.crash(CrashKind::PowerCut, &mut chance(1));
    assert_eq!(tree(&mut disk), "f=Ax512 !x1024 Ax512; g=Bx2048");
    disk.mend("f").unwrap();
    disk.check();
    assert_eq!(tree(&mut disk), "f=Ax2048; g=Bx2048");
    let shown: Vec<Trouble> = disk.take_shown().collect();
    assert_eq!(shown, [Trouble::Unreadable, Trouble::Damaged]);
}

#[test]
fn reads_of_one_sector_show_another_until_it_is_written_or_mended() {
    let (mut disk, f, _) = two_files();
    disk.misdirect_reads("f", 1, ("g", 3)).unwrap();
    disk.check();
    assert_eq!(tree(&mut disk), "f=Ax512 Bx512 Ax1024; g=Bx2048");
    assert_eq!(&disk.read_at(f, 510, 4).unwrap()[..], b"AABB");
    assert_eq!(&disk.read_at(f, 1022, 4).unwrap()[..], b"BBAA");
    disk.crash(CrashKind::PowerCut, &mut chance(1));
    assert_eq!(
        tree(&mut disk),
        "f=Ax512 Bx512 Ax1024; g=Bx2048",
        "a boot heals nothing"
    );
    let mut mended = disk.clone();
    mended.mend("f").unwrap();
    assert_eq!(tree(&mut mended), "f=Ax2048; g=Bx2048");
    let f = open(&mut disk, "f");
    write(&mut disk, f, 512, &[b'C'; 512]);
    assert_eq!(tree(&mut disk), "f=Ax512 Cx512 Ax1024; g=Bx2048");
    assert!(
        disk.take_shown()
            .any(|trouble| trouble == Trouble::MisdirectedRead)
    );
    assert!(
        disk.misdirect_reads("f", 4, ("g", 0)).is_err(),
        "outside the file"
    );
}

#[test]
fn a_file_rolls_back_to_its_copy_durably_and_under_its_name() {
    let (mut disk, f, _) = two_files();
    let copy = disk.copy_of("f").unwrap();
    write(&mut disk, f, 0, &[b'C'; 5000]);
    disk.sync_all(f).unwrap();
    disk.roll_back("f", &copy).unwrap();
    disk.check();
    assert_eq!(every_state(&disk), set(["f=Ax2048; g=Bx2048"]));
    write(&mut disk, f, 2048, b"DDDD");
    disk.sync_all(f).unwrap();
    disk.check();
    assert_eq!(every_state(&disk), set(["f=Ax2048 Dx4; g=Bx2048"]));
}

#[test]
fn files_swap_and_go_durably() {
    let (mut disk, _, g) = two_files();
    write(&mut disk, g, 0, &[b'C'; 100]);
    disk.swap_files("f", "g").unwrap();
    disk.check();
    assert_eq!(every_state(&disk), set(["f=Cx100 Bx1948; g=Ax2048"]));
    disk.lose_file("g").unwrap();
    disk.check();
    assert_eq!(every_state(&disk), set(["f=Cx100 Bx1948"]));
    assert!(disk.lose_file("g").is_err() && disk.copy_of("").is_err());
}

#[test]
fn a_cluster_strikes_neighbours_the_same_ones_for_the_same_key() {
    let mut text = String::new();
    let hows = [
        SectorDamage::FlipBit,
        SectorDamage::Zero,
        SectorDamage::Garbage,
        SectorDamage::Unreadable,
    ];
    for how in hows {
        let mut twice = [0, 1].map(|_| {
            let mut disk = disk_with(Profile::Xfs, cenotaph_sim::disk::Tear::Sector512);
            settled(&mut disk, "f", b'w', 40 * SECTOR_SIZE + 7);
            let cluster = Cluster {
                sector: 38,
                spread: 4,
                count: 3,
            };
            let struck = disk
                .damage_cluster("f", cluster, how, StreamKey(8))
                .unwrap();
            disk.check();
            (struck, tree(&mut disk))
        });
        assert_eq!(twice[0], twice[1]);
        let (struck, tree) = std::mem::take(&mut twice[0]);
        text += &format!("{how:?}, {struck} sectors: {tree}\n");
    }
    cenotaph_snapshots::golden!(
        "sim/disk",
        "clusters",
        "Damage that strikes some of the sectors near one sector, each kind once.",
        text
    );
}
