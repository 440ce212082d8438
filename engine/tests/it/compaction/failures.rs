//! Invariants under test: whatever fails or crashes in a compaction, its table holds what it held, in all its inputs
//! or in its output, and a later compaction succeeds.

use std::cell::RefCell;
use std::rc::Rc;

use cenotaph_engine::error::Error;
use cenotaph_engine::rows::Partition;
use cenotaph_sim::fault::FaultKind;
use cenotaph_sim::host::Host;

use super::support::{LONG_AGO, Rig, prepared};
use crate::bench::{CRASH_KINDS, MACHINE, Point, crash_fault, for_each_point};
use crate::rows::support::{V, W, cell, deletion_at, merge_in_order, row_cell, row_deletion};

const KEYS: u32 = 4;

/// Data, its deletion, and other data, in one sstable each.
async fn prepare(host: Host) -> Result<(), Error> {
    let rig = Rig::open(&host).await?;
    for number in 0..KEYS {
        rig.put(number, row_cell(1, V, cell("covered", 9))).await?;
    }
    rig.flush().await?;
    for number in 0..KEYS {
        rig.put(number, row_deletion(1, deletion_at(10, LONG_AGO)))
            .await?;
    }
    rig.flush().await?;
    for number in 0..KEYS {
        rig.put(number, row_cell(2, W, cell("alive", 8))).await?;
    }
    rig.flush().await
}

/// The two forms of each partition: before the compaction, and after.
fn forms() -> [Partition; 2] {
    let alive = row_cell(2, W, cell("alive", 8));
    let dead = row_deletion(1, deletion_at(10, LONG_AGO));
    [merge_in_order(&[alive.clone(), dead]), alive]
}

/// All partitions have one and the same of the two forms.
async fn check(rig: &Rig) -> Result<bool, Error> {
    let [before, after] = forms();
    let first = rig.merged(0).await?;
    assert!(first == before || first == after, "{first:?}");
    for number in 1..KEYS {
        assert_eq!(rig.merged(number).await?, first, "a mix");
    }
    assert_eq!(rig.store.violations(), Vec::<String>::new());
    Ok(first == after)
}

/// Compacts, twice when the first fails.
async fn compact(host: Host) -> Result<(), Error> {
    let rig = Rig::open(&host).await?;
    let failed = rig.compact().await.err();
    if let Some(error) = &failed {
        assert!(!error.is_corruption(), "{error}");
        assert!(!check(&rig).await?, "a failed compaction changes nothing");
        rig.compact().await?;
    }
    assert!(check(&rig).await?);
    Ok(())
}

#[test]
fn a_crash_at_any_request_leaves_all_before_or_all_after() {
    for how in CRASH_KINDS {
        let points_count = for_each_point(|point| {
            let bench = prepared(241, prepare);
            bench.strike(&point, crash_fault(how));
            bench.run(compact);
            if !bench.all_struck() {
                return false;
            }
            let after = bench.run(|host| async move {
                let rig = Rig::open(&host).await?;
                check(&rig).await?;
                rig.compact().await?;
                check(&rig).await
            });
            let after = after.expect("nothing crashes");
            assert!(after.expect("nothing fails"), "{how:?} {point:?}");
            true
        });
        assert!(points_count > 30, "{points_count}");
    }
}

/// Fails each request; where the start itself fails there is nothing to see.
fn fail_each(fault: impl Fn() -> FaultKind) {
    let failures: Rc<RefCell<Vec<Point>>> = Rc::default();
    for_each_point(|point| {
        let bench = prepared(242, prepare);
        bench.strike(&point, fault());
        let ended = bench.run(compact).expect("nothing crashes");
        if bench.marks_count("compaction.failed") > 0 {
            failures.borrow_mut().push(point);
            ended.expect("the second attempt succeeds");
            let files = bench.with_disk(|disk| disk.list("data"));
            let files_count = files.expect("the directory is there").len() as u64;
            // Unless the very removal failed.
            let left_count = bench.marks_count("data.file-left");
            assert_eq!(files_count, 1 + left_count, "{point:?}");
        }
        bench.all_struck()
    });
    assert!(failures.borrow().len() > 3, "{failures:?}");
}

#[test]
fn a_full_disk_costs_the_output_only() {
    fail_each(|| FaultKind::NoSpace { machine: MACHINE });
}

#[test]
fn a_failed_request_costs_the_output_only() {
    fail_each(|| FaultKind::DiskError { machine: MACHINE });
}

#[test]
fn a_failed_sync_costs_the_output_only() {
    fail_each(|| FaultKind::FailSync { machine: MACHINE });
}

#[cfg(feature = "planted")]
#[test]
fn with_p06_a_crash_leaves_what_the_deletion_covered() {
    use cenotaph_engine::planted::{Plant, choose};

    let _guard = choose(Some(Plant::P06));
    let back: Rc<RefCell<Vec<Point>>> = Rc::default();
    for_each_point(|point| {
        let bench = prepared(241, prepare);
        bench.strike(&point, crash_fault(CRASH_KINDS[2]));
        bench.run(compact);
        if !bench.all_struck() {
            return false;
        }
        let after = bench.run(|host| async move {
            let rig = Rig::open(&host).await?;
            rig.merged(0).await
        });
        let after = after.expect("nothing crashes").expect("nothing fails");
        if !forms().contains(&after) {
            back.borrow_mut().push(point);
        }
        true
    });
    assert!(!back.borrow().is_empty(), "no crash shows P06");
}
