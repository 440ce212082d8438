//! Invariants of listed images: those that every crash leaves, each with its own hash, within the bounds.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use cenotaph_sim::disk::states::{Bounds, Search, Seen};
use cenotaph_sim::disk::{CrashKind, CrashPoint, Disk, Profile, Tear};

use super::every::every_crash;
use super::support::*;
use cenotaph_sim::disk::states::{STEPS, Step, after, sequences};

/// The images of every crash, by the answers to all questions one after the other.
fn crashed_images(disk: &Disk) -> BTreeSet<u128> {
    let mut hashes = BTreeSet::new();
    every_crash(disk, CrashKind::PowerCut, |fork| {
        hashes.insert(fork.image_hash());
    });
    hashes
}

/// The images as they are listed; each is made too, to see that it has the hash it says.
fn listed_images(disk: &Disk, bounds: Bounds) -> BTreeSet<u128> {
    let mut hashes = BTreeSet::new();
    let point = CrashPoint::new(disk, CrashKind::PowerCut);
    let went = point.images(bounds, &mut |image| {
        if hashes.insert(image.hash()) {
            let made = image.disk();
            if hashes.len() % 16 == 1 {
                made.check();
            }
            assert_eq!(made.image_hash(), image.hash(), "{image:?}");
        }
        ControlFlow::Continue(())
    });
    assert!(went.is_continue());
    hashes
}

/// The images of recoveries that read everything.
fn recovered_images(disk: &Disk, bounds: Bounds) -> BTreeSet<u128> {
    let mut hashes = BTreeSet::new();
    let mut search = Search::new(bounds, u64::MAX);
    search.recover(disk, CrashKind::PowerCut, |mut crashed, _| {
        tree(&mut crashed);
        hashes.insert(crashed.image_hash());
    });
    hashes
}

#[test]
fn the_images_listed_are_those_that_every_crash_leaves() {
    for sequence in sequences(&STEPS, 1).chain(sequences(&STEPS, 2).step_by(11)) {
        for profile in Profile::NAMED {
            let disk = after(profile, &sequence);
            let crashed = crashed_images(&disk);
            assert_eq!(
                listed_images(&disk, Bounds::NONE),
                crashed,
                "{profile:?}, {sequence:?}"
            );
            assert_eq!(
                recovered_images(&disk, Bounds::NONE),
                crashed,
                "{profile:?}, {sequence:?}"
            );
        }
    }
}

/// Files with parts of sectors, a cut, and an append, under this tear.
fn torn(profile: Profile, tear: Tear) -> Disk {
    let mut disk = disk_with(profile, tear);
    let f = settled(&mut disk, "f", b'A', 700);
    let g = settled(&mut disk, "g", b'B', 900);
    write(&mut disk, f, 600, &[b'C'; 500]);
    disk.truncate(g, 300).unwrap();
    write(&mut disk, g, 300, &[b'D'; 100]);
    disk
}

#[test]
fn the_images_listed_are_those_that_every_crash_leaves_however_it_tears() {
    let tears = Tear::ALL
        .into_iter()
        .filter(|&tear| tear != Tear::EitherEnd);
    let profiles = [
        Profile::PosixAdversarial,
        Profile::HonestPrefix,
        Profile::Ext4Ordered,
        Profile::Xfs,
        Profile::Btrfs,
        Profile::LyingDrive,
    ];
    for tear in tears {
        for profile in profiles {
            let disk = torn(profile, tear);
            let crashed = crashed_images(&disk);
            assert_eq!(
                listed_images(&disk, Bounds::NONE),
                crashed,
                "{profile:?}, {tear:?}"
            );
            assert_eq!(
                recovered_images(&disk, Bounds::NONE),
                crashed,
                "{profile:?}, {tear:?}"
            );
        }
    }
}

#[test]
fn images_within_bounds_are_those_that_recoveries_within_them_read() {
    for deviations in 0..=2 {
        let bounds = Bounds::deviations(deviations);
        for profile in [
            Profile::PosixAdversarial,
            Profile::HonestPrefix,
            Profile::Xfs,
            Profile::Ext2,
        ] {
            for tear in [
                Tear::Sector512,
                Tear::Unreadable,
                Tear::GarbagePage,
                Tear::Atomic,
            ] {
                let disk = torn(profile, tear);
                assert_eq!(
                    listed_images(&disk, bounds),
                    recovered_images(&disk, bounds),
                    "{profile:?}, {tear:?}, {deviations}"
                );
            }
        }
    }
}

#[test]
fn wider_bounds_reach_more_and_no_bounds_reach_all() {
    let disk = torn(Profile::PosixAdversarial, Tear::Sector512);
    let all = listed_images(&disk, Bounds::NONE);
    let mut before = BTreeSet::new();
    for deviations in 0..4 {
        let images = listed_images(&disk, Bounds::deviations(deviations));
        assert!(images.is_superset(&before) && images.len() > before.len());
        assert!(images.is_subset(&all));
        before = images;
    }
    assert_eq!(listed_images(&disk, Bounds::deviations(99)), all);
}

#[test]
fn an_image_says_what_deviates_and_where_metadata_ends() {
    let steps = [Step::Write(0, 0), Step::Rename("d/g", "f")];
    let point = CrashPoint::new(&after(Profile::Xfs, &steps), CrashKind::PowerCut);
    let mut told = BTreeSet::new();
    let _ = point.images(Bounds::deviations(1), &mut |image| {
        let made = tree(&mut image.disk());
        told.insert(format!(
            "{:?} but {} registers, {:?}: {made}",
            image.base(),
            image.deviations().len(),
            image.history()
        ));
        ControlFlow::Continue(())
    });
    let told: Vec<String> = told.into_iter().collect();
    assert_eq!(
        told,
        [
            "Newest but 0 registers, Some((0, 1)): d/; d/g=Bx4096; f=Px4096",
            "Newest but 0 registers, Some((1, 1)): d/; f=Bx4096",
            "Newest but 1 registers, Some((0, 1)): d/; d/g=Bx4096; f=Ax4096",
            "Oldest but 0 registers, Some((0, 1)): d/; d/g=Bx4096; f=Ax4096",
            "Oldest but 0 registers, Some((1, 1)): d/; f=Bx4096",
            "Oldest but 1 registers, Some((0, 1)): d/; d/g=Bx4096; f=Px4096",
        ]
    );
}

#[test]
fn an_image_that_was_met_is_not_recovered_from_again() {
    let steps = [Step::Write(0, 0), Step::Write(1, 0)];
    let mut search = Search::new(Bounds::NONE, 5);
    let mut made = Vec::new();
    for length in 0..=steps.len() {
        let disk = after(Profile::Xfs, &steps[..length]);
        search.images(&disk, CrashKind::PowerCut, |image| {
            made.push(tree(&mut image.disk()));
        });
    }
    let states: BTreeSet<&String> = made.iter().collect();
    assert_eq!((made.len(), states.len()), (4, 4), "{made:?}");
    let progress = search.progress();
    assert_eq!((progress.images, progress.images_merged), (7, 3));
    assert_eq!((progress.points, progress.points_merged), (3, 0));
    search.images(&after(Profile::Xfs, &steps), CrashKind::PowerCut, |_| ());
    assert_eq!(search.progress().points_merged, 1);
}

#[test]
fn a_search_ends_with_its_budget_and_says_so() {
    let disk = torn(Profile::PosixAdversarial, Tear::Sector512);
    let mut search = Search::new(Bounds::NONE, 10);
    let mut recoveries = 0;
    search.recover(&disk, CrashKind::PowerCut, |mut crashed, _| {
        tree(&mut crashed);
        recoveries += 1;
    });
    assert_eq!((recoveries, search.progress().points_cut), (10, 1));
    let mut search = Search::new(Bounds::NONE, 10);
    let mut images = 0;
    search.images(&disk, CrashKind::PowerCut, |_| images += 1);
    assert_eq!((images, search.progress().points_cut), (10, 1));
}

#[test]
fn a_set_of_hashes_holds_what_was_put_in() {
    let mut seen = Seen::default();
    let mut naive = BTreeSet::new();
    for number in 0..5000_u128 {
        let hash = (number * number % 977) << (number % 3);
        assert_eq!(seen.insert(hash), naive.insert(hash));
        assert_eq!(seen.len(), naive.len());
    }
}
