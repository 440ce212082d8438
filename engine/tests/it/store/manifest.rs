//! Invariants under test: whatever crashes and fails, what a commit answered is there, and a commit without an
//! answer is there whole or not at all; ids never come twice.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

use cenotaph_engine::error::Classify;
use cenotaph_engine::metrics::Metrics;
use cenotaph_engine::record::ensure_dir;
use cenotaph_engine::sstable::SstableName;
use cenotaph_engine::store::{
    Edit, Manifest, ManifestOptions, StoreError, open_manifest, remove_unknown_files,
};
use cenotaph_sim::fault::{FaultKind, RequestKind};
use cenotaph_sim::host::{Host, OpenMode};

use super::content::{added, adds, name};
use crate::bench::{Bench, CRASH_KINDS, MACHINE, Point, crash_fault, for_each_point};

pub(super) const OPTIONS: ManifestOptions = ManifestOptions {
    file_size_max: 1 << 20,
    id_block_size: 4,
};

/// Small enough that a file is replaced every few edits.
const TIGHT: ManifestOptions = ManifestOptions {
    file_size_max: 300,
    id_block_size: 4,
};

pub(super) fn held(manifest: &Manifest) -> BTreeSet<SstableName> {
    manifest.with_contents(|contents| contents.sstables().map(|added| added.name).collect())
}

/// What the manifest holds after a restart.
pub(super) fn held_after_restart(bench: &Bench) -> Result<BTreeSet<SstableName>, StoreError> {
    let opened = bench.run(|host| async move {
        open_manifest(&host, OPTIONS)
            .await
            .map(|manifest| held(&manifest))
    });
    opened.expect("nothing crashes here")
}

/// What the writer was told.
#[derive(Debug, Default)]
struct Told {
    acknowledged: RefCell<BTreeSet<SstableName>>,
    begun: Cell<Option<SstableName>>,
    ids: RefCell<Vec<u64>>,
}

/// Opens the manifest and adds one sstable after another, retrying what fails, `count` times.
async fn add_many(host: Host, told: Rc<Told>, first: u64, count: u64) -> Result<(), StoreError> {
    let manifest = open_manifest(&host, TIGHT).await?;
    for id in first..first + count {
        let new_id = manifest.next_id().await?;
        told.ids.borrow_mut().push(new_id);
        told.begun.set(Some(name(1, id)));
        while let Err(error) = manifest.commit(&adds(&[added(1, id)])).await {
            assert!(!error.is_corruption(), "{error}");
        }
        told.acknowledged.borrow_mut().insert(name(1, id));
    }
    Ok(())
}

fn check_held(bench: &Bench, told: &Told, context: &str) {
    let held = held_after_restart(bench).unwrap_or_else(|error| panic!("{context}: {error}"));
    let acknowledged = told.acknowledged.borrow();
    let mut with_begun = acknowledged.clone();
    with_begun.extend(told.begun.get());
    assert!(
        held == *acknowledged || held == with_begun,
        "{context}: {held:?} {told:?}"
    );
}

fn check_ids(told: &Told, context: &str) {
    let ids = told.ids.borrow();
    let distinct: BTreeSet<u64> = ids.iter().copied().collect();
    assert_eq!(
        distinct.len(),
        ids.len(),
        "{context}: an id came twice: {ids:?}"
    );
    assert!(ids.is_sorted(), "{context}: {ids:?}");
}

#[test]
fn edits_are_there_after_every_crash_at_every_request() {
    for how in CRASH_KINDS {
        let points_count = for_each_point(|point| {
            let (bench, told) = (Bench::new(11), Rc::new(Told::default()));
            bench.strike(&point, crash_fault(how));
            let writer = Rc::clone(&told);
            bench.run(|host| add_many(host, writer, 0, 8));
            if !bench.all_struck() {
                return false;
            }
            let context = format!("{how:?} {point:?}");
            check_held(&bench, &told, &context);
            let (writer, first) = (Rc::clone(&told), 100);
            let again = bench.run(move |host| add_many(host, writer, first, 3));
            again
                .expect("nothing crashes")
                .unwrap_or_else(|error| panic!("{context}: {error}"));
            check_ids(&told, &context);
            true
        });
        assert!(points_count > 50, "{points_count}");
    }
}

#[test]
fn a_second_crash_while_starting_loses_nothing() {
    for how in CRASH_KINDS {
        for_each_point(|point| {
            let (bench, told) = (Bench::new(12), Rc::new(Told::default()));
            let writer = Rc::clone(&told);
            bench.run_then_crash(how, |host| add_many(host, writer, 0, 5));
            bench.strike(&point, crash_fault(how));
            bench.run(|host| async move { open_manifest(&host, OPTIONS).await.map(drop) });
            if !bench.all_struck() {
                return false;
            }
            check_held(&bench, &told, &format!("{how:?} {point:?}"));
            true
        });
    }
}

/// Strikes with `fault` at each request of a writer that tries again, then crashes.
fn survives_failures(fault: impl Fn() -> FaultKind) {
    for_each_point(|point: Point| {
        let (bench, told) = (Bench::new(13), Rc::new(Told::default()));
        bench.strike(&point, fault());
        let writer = Rc::clone(&told);
        let end = bench.run_then_crash(CRASH_KINDS[2], |host| add_many(host, writer, 0, 8));
        if !bench.all_struck() {
            return false;
        }
        let context = format!("{point:?}");
        if let Some(Err(error)) = end {
            assert!(!error.is_corruption(), "{context}: {error}");
        }
        check_held(&bench, &told, &context);
        check_ids(&told, &context);
        true
    });
}

#[test]
fn an_edit_can_be_tried_again_after_an_io_error() {
    survives_failures(|| FaultKind::DiskError { machine: MACHINE });
}

#[test]
fn an_edit_can_be_tried_again_after_a_failed_sync() {
    survives_failures(|| FaultKind::FailSync { machine: MACHINE });
}

#[test]
fn an_edit_can_be_tried_again_after_a_full_disk() {
    survives_failures(|| FaultKind::NoSpace { machine: MACHINE });
}

#[test]
fn a_large_manifest_is_replaced_by_a_short_one() {
    let bench = Bench::new(14);
    let files = bench.run(|host| async move {
        let manifest = open_manifest(&host, TIGHT).await?;
        for id in 0..100 {
            manifest.commit(&adds(&[added(1, id)])).await?;
            manifest
                .commit(&Edit {
                    removed: vec![name(1, id)],
                    ..Edit::default()
                })
                .await?;
        }
        Ok::<_, StoreError>(
            host.disk()
                .list("manifest")
                .await
                .expect("the directory is there"),
        )
    });
    let files = files.expect("nothing crashes").expect("nothing fails");
    let [file] = &files[..] else {
        panic!("one file at a time: {files:?}")
    };
    let stat = bench
        .with_disk(|disk| disk.stat(&format!("manifest/{file}")))
        .expect("it is there");
    assert!(stat.size < 1_000, "{stat:?}");
}

#[test]
fn unknown_files_go_and_known_ones_stay() {
    let bench = Bench::new(15);
    let left = bench.run(|host| async move {
        let manifest = open_manifest(&host, OPTIONS).await?;
        for file in ["data/1-1.sst", "data/1-2.sst", "data/0x.tmp"] {
            host.disk()
                .open(file, OpenMode::CreateNew)
                .await
                .expect("a new file");
        }
        manifest.commit(&adds(&[added(1, 2)])).await?;
        let metrics = Metrics::default();
        remove_unknown_files(&host, &manifest, &metrics).await?;
        assert_eq!(metrics.node.unknown_files_removed.get(), 2);
        Ok::<_, StoreError>(
            host.disk()
                .list("data")
                .await
                .expect("the directory is there"),
        )
    });
    assert_eq!(
        left.expect("nothing crashes").expect("nothing fails"),
        ["1-2.sst"]
    );
    assert_eq!(bench.marks_count("data.unknown-file-removed"), 2);
}

#[test]
fn a_missing_sstable_refuses_to_start_and_removes_nothing() {
    let bench = Bench::new(16);
    let (error, left) = bench
        .run(|host| async move {
            let manifest = open_manifest(&host, OPTIONS).await.expect("a new disk");
            host.disk()
                .open("data/1-1.sst", OpenMode::CreateNew)
                .await
                .expect("a new file");
            manifest
                .commit(&adds(&[added(1, 2)]))
                .await
                .expect("nothing fails");
            let removed = remove_unknown_files(&host, &manifest, &Metrics::default()).await;
            (
                removed.expect_err("data/1-2.sst is missing"),
                host.disk().list("data").await,
            )
        })
        .expect("nothing crashes");
    assert_eq!(
        error.to_string(),
        "the manifest names data/1-2.sst, which does not exist"
    );
    assert!(error.is_corruption());
    assert_eq!(left.expect("the directory is there"), ["1-1.sst"]);
}

#[test]
fn a_missing_manifest_beside_other_files_refuses_to_start_and_removes_nothing() {
    for (dir, file) in [("data", "data/1-2.sst"), ("commitlog", "commitlog/1.log")] {
        let bench = Bench::new(17);
        let (error, left) = bench
            .run(move |host| async move {
                let disk = host.disk();
                ensure_dir(&disk, dir).await.expect("a new directory");
                disk.open(file, OpenMode::CreateNew)
                    .await
                    .expect("a new file");
                let opened = open_manifest(&host, OPTIONS).await;
                (
                    opened.expect_err("there is no manifest"),
                    disk.list(dir).await,
                )
            })
            .expect("nothing crashes");
        let expected =
            format!("no valid manifest beside {file}: refusing to start, nothing was removed");
        assert_eq!(error.to_string(), expected);
        assert!(error.is_corruption());
        assert_eq!(left.expect("the directory is there").len(), 1);
    }
}

/// A start's new file does not become durable; the next start finds it in the page cache, which is evicted at any
/// of its requests.
#[test]
fn a_manifest_that_leaves_the_page_cache_while_it_is_read_takes_nothing_with_it() {
    let points_count = for_each_point(|point| {
        let bench = Bench::new(18);
        bench.run_then_crash(CRASH_KINDS[0], |host| async move {
            let manifest = open_manifest(&host, OPTIONS).await.expect("a new disk");
            let committed = manifest.commit(&adds(&[added(1, 1)])).await;
            committed.expect("nothing fails");
        });
        let header = Point {
            role: "manifest",
            kind: RequestKind::Sync,
            ordinal: 1,
        };
        bench.strike(&header, FaultKind::FailSync { machine: MACHINE });
        let failed = bench.run_then_crash(CRASH_KINDS[0], |host| async move {
            open_manifest(&host, OPTIONS).await.is_err()
        });
        assert_eq!(failed, Some(true), "the header's sync fails");
        bench.strike(&point, FaultKind::Evict { machine: MACHINE });
        let opened = bench.run_then_crash(CRASH_KINDS[2], |host| async move {
            open_manifest(&host, OPTIONS)
                .await
                .map(|manifest| held(&manifest))
        });
        let expected = Ok(BTreeSet::from([name(1, 1)]));
        assert_eq!(opened, Some(expected.clone()), "{point:?}");
        assert_eq!(held_after_restart(&bench), expected, "{point:?}");
        bench.all_struck()
    });
    assert!(points_count > 8, "{points_count}");
}
