//! Invariants under test: a flush that fails loses nothing, gives nothing of the log back, and the next one
//! makes up for it; whatever crashes when.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::rc::Rc;

use cenotaph_engine::commitlog::{Fate, IntervalSet, Replay, ReplayFilter};
use cenotaph_engine::error::{Class, Classify, Error, IoFailure};
use cenotaph_engine::flush::FlushError;
use cenotaph_engine::keys::{DecoratedKey, Slice};
use cenotaph_engine::metrics::Metrics;
use cenotaph_engine::rows::{Mutation, TableId};
use cenotaph_engine::store::{ManifestOptions, open_manifest, open_sstables};
use cenotaph_sim::disk::CrashKind;
use cenotaph_sim::fault::FaultKind;
use cenotaph_sim::host::Host;

use super::small::{FLUSH, Small, TABLE, value};
use crate::bench::{Bench, CRASH_KINDS, MACHINE, Point, crash_fault, for_each_point};
use crate::commitlog::ALL;
use crate::sstable::build::key;

/// How a script with one failure ended.
struct Ended {
    /// Why the flush failed, when it did.
    failure: Option<FlushError>,
    /// Files in the end, besides the sstables that are read.
    files_left_count: u64,
}

/// Writes, flushes, tries again, writes and flushes once more. What stops the log ends the script.
async fn script(host: Host) -> Result<Ended, Error> {
    let small = Small::open(&host, FLUSH).await?;
    for number in 0..8 {
        small.write(TABLE, number).await?;
    }
    let failure = small.flusher.flush_table(TABLE).await.err();
    let segments_count = small.log.dirty().len();
    if failure.is_some() {
        let needed = small.log.dirty();
        assert!(
            needed.iter().any(|(_, tables)| tables.contains(&TABLE)),
            "the log stays"
        );
        assert_eq!(small.store.table(TABLE)?.view().flushing.len(), 1);
    }
    for number in 0..8 {
        assert!(small.holds(TABLE, number).await?, "{number} is readable");
    }
    small.write(TABLE, 100).await?;
    small.flusher.flush_table(TABLE).await?;
    for number in (0..8).chain([100]) {
        assert!(small.holds(TABLE, number).await?, "{number} is readable");
    }
    assert!(small.log.dirty().len() <= segments_count + 1);
    assert!(
        small
            .log
            .dirty()
            .iter()
            .all(|(_, tables)| tables.is_empty()),
        "the log is given back"
    );
    assert_eq!(small.store.violations(), Vec::<String>::new());
    let listed = host.disk().list("data").await;
    let listed = listed.map_err(|error| IoFailure::new("list", "data", &error));
    let files_count = listed?.len();
    let sstables_count = small.store.table(TABLE)?.view().sstables.len();
    Ok(Ended {
        failure,
        files_left_count: (files_count - sstables_count) as u64,
    })
}

/// Whether the sstables that the manifest knows hold a row.
pub(super) async fn in_sstables(host: Host, number: u32) -> bool {
    let options = ManifestOptions::default();
    let manifest = open_manifest(&host, options)
        .await
        .expect("the manifest is whole");
    let metrics = Metrics::default();
    let opened = open_sstables(&host.disk(), &manifest, &metrics).await;
    let tables = opened.expect("the sstables are whole");
    for sstable in tables.get(&TABLE).into_iter().flatten() {
        let found = sstable
            .get(&key(number), &Slice::ALL)
            .await
            .expect("the sstable is whole");
        if let Some(partition) = found {
            let (_, row) = partition.rows.iter().next().expect("one row");
            assert_eq!(row.cells[0].1.value, value());
            return true;
        }
    }
    false
}

/// Fails each request of the script once; gives how many flushes failed and were made up for.
fn fail_each(roles: &[&str], fault: impl Fn() -> FaultKind) -> usize {
    let mut recovered_count = 0;
    for_each_point(|point: Point| {
        if !roles.contains(&point.role) {
            return false;
        }
        let bench = Bench::new(41);
        bench.strike(&point, fault());
        let ended = bench.run_then_crash(CrashKind::PowerCut, script);
        if !bench.all_struck() {
            return false;
        }
        // A failure of the log, or before the first write, ends the script; a failed flush does not.
        if let Some(Ok(ended)) = ended {
            if let Some(failure) = ended.failure {
                assert_ne!(Class::Corruption, failure.class());
                recovered_count += 1;
            }
            // Unless the very removal failed.
            let left_count = bench.marks_count("data.file-left");
            assert_eq!(ended.files_left_count, left_count, "{point:?}");
            for number in (0..8).chain([100]) {
                let held = bench.run(move |host| in_sstables(host, number));
                assert_eq!(held, Some(true), "{point:?}: {number} is durable");
            }
        }
        true
    });
    recovered_count
}

#[test]
fn a_flush_makes_up_for_an_io_error() {
    assert!(
        fail_each(&["data", "manifest"], || FaultKind::DiskError {
            machine: MACHINE
        }) > 8
    );
}

#[test]
fn a_flush_makes_up_for_a_failed_sync() {
    assert!(
        fail_each(&["data", "manifest"], || FaultKind::FailSync {
            machine: MACHINE
        }) > 2
    );
}

#[test]
fn a_flush_makes_up_for_a_full_disk() {
    assert!(
        fail_each(&["data", "manifest"], || FaultKind::NoSpace {
            machine: MACHINE
        }) > 2
    );
}

/// Every table is live, and this is in its sstables.
struct Persisted(IntervalSet);

impl ReplayFilter for Persisted {
    fn fate(&self, _: TableId) -> Fate<'_> {
        Fate::Live(&self.0)
    }
}

/// The keys of what a start would replay after a crash.
pub(super) async fn replayable(host: &Host) -> BTreeSet<DecoratedKey> {
    let opened = open_manifest(host, ManifestOptions::default()).await;
    let manifest = opened.expect("the manifest is whole");
    let filter = Persisted(manifest.with_contents(|contents| contents.persisted(TABLE)));
    let opened = Replay::open(host, Rc::default(), ALL).await;
    let mut replay = opened.expect("the log is there");
    let mut replayed = BTreeSet::new();
    while let Some(records) = replay
        .next_segment(&filter)
        .await
        .expect("the log is whole")
    {
        for record in records {
            let mutation = Mutation::decode(&record.mutation).expect("a whole mutation");
            replayed.insert(mutation.key);
        }
    }
    replayed
}

/// For each row whether the log or the sstables hold it after a crash: what a start can find.
pub(super) async fn findable(host: Host, numbers: Vec<u32>) -> Vec<bool> {
    let replayed = replayable(&host).await;
    let mut found = Vec::new();
    for number in numbers {
        found.push(replayed.contains(&key(number)) || in_sstables(host.clone(), number).await);
    }
    found
}

/// Writes and flushes, and notes what is acknowledged.
async fn acknowledge(host: Host, acknowledged: Rc<Cell<u32>>) -> Result<(), Error> {
    let small = Small::open(&host, FLUSH).await?;
    for number in 0..12 {
        small.write(TABLE, number).await?;
        acknowledged.set(number + 1);
        if number % 4 == 3 {
            small.flusher.flush_table(TABLE).await?;
        }
    }
    Ok(())
}

/// Crashes at each request; gives the points after which some acknowledged row was nowhere.
fn losses(how: CrashKind, seed: u64) -> Vec<String> {
    let mut losses = Vec::new();
    for_each_point(|point| {
        let (bench, acknowledged) = (Bench::new(seed), Rc::<Cell<u32>>::default());
        bench.strike(&point, crash_fault(how));
        let noted = Rc::clone(&acknowledged);
        bench.run(|host| acknowledge(host, noted));
        if !bench.all_struck() {
            return false;
        }
        let numbers: Vec<u32> = (0..acknowledged.get()).collect();
        let found = bench
            .run(|host| findable(host, numbers))
            .expect("nothing crashes");
        if !found.iter().all(|found| *found) {
            losses.push(format!("{how:?} {point:?}: {found:?}"));
        }
        true
    });
    losses
}

#[test]
fn an_acknowledged_row_is_somewhere_after_every_crash_at_every_request() {
    for how in CRASH_KINDS {
        assert_eq!(losses(how, 42), Vec::<String>::new());
    }
}
