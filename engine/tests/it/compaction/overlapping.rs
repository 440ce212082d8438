//! Invariants under test: tombstones of sstables outside a compaction take what they cover inside, are not copied, and
//! whatever they took stays dead, through crashes and failures and when they are purged themselves.

use std::rc::Rc;
use std::time::Duration;

use cenotaph_engine::compaction::CompactionReport;
use cenotaph_engine::error::Error;
use cenotaph_engine::keys::Slice;
use cenotaph_engine::rows::{DeletionTime, Partition};
use cenotaph_engine::schema::{PurgeOptions, TombstoneOption};
use cenotaph_sim::fault::FaultKind;
use cenotaph_sim::host::Host;

use super::support::{LONG_AGO, Rig, compact_beside_flush, prepared, rig};
use crate::bench::{CRASH_KINDS, MACHINE, crash_fault, for_each_point};
use crate::rows::support::{V, W, cell, merge_in_order, row_cell, row_deletion, tombstone};
use crate::sstable::build::key;

fn options(overlapping: TombstoneOption) -> PurgeOptions {
    PurgeOptions {
        only_purge_repaired_tombstones: true,
        provide_overlapping_tombstones: overlapping,
    }
}

const DELETED: DeletionTime = DeletionTime {
    timestamp: 10,
    local_deletion_seconds: LONG_AGO,
};

/// Two rows in a repaired sstable; the deletion of one, and of a cell of the other, in an unrepaired one.
async fn put_both(rig: &Rig, overlapping: TombstoneOption) -> Result<(), Error> {
    rig.set_options(options(overlapping));
    let rows = merge_in_order(&[
        row_cell(1, V, cell("of a dead row", 5)),
        row_cell(2, V, cell("a dead cell", 5)),
        row_cell(2, W, cell("alive", 5)),
    ]);
    rig.put_apart(vec![(1, rows)]).await?;
    rig.mark_repaired().await?;
    let deletions = merge_in_order(&[
        row_deletion(1, DELETED),
        row_cell(2, V, tombstone(10, LONG_AGO)),
    ]);
    rig.put_apart(vec![(1, deletions)]).await
}

/// What the only repaired sstable has of the partition.
async fn repaired_part(rig: &Rig) -> Result<Option<Partition>, Error> {
    let repaired = rig.repaired();
    let index = repaired.iter().position(Option::is_some);
    let view = rig.table().view();
    let sstable = &view.sstables[index.expect("there is one")];
    Ok(sstable.get(&key(1), &Slice::ALL).await?)
}

#[test]
fn without_the_option_what_is_covered_elsewhere_stays() {
    rig(291, |rig| async move {
        put_both(&rig, TombstoneOption::None).await?;
        let before = repaired_part(&rig).await?;
        assert_eq!(rig.compact().await?.shaded_count, 0);
        assert_eq!(repaired_part(&rig).await?, before);
        Ok(())
    });
}

#[test]
fn row_tombstones_take_what_they_cover_and_are_not_copied() {
    let (bench, ()) = rig(292, |rig| async move {
        put_both(&rig, TombstoneOption::Row).await?;
        let before = rig.merged(1).await?;
        assert_eq!(rig.compact().await?.shaded_count, 1);
        let left = merge_in_order(&[
            row_cell(2, V, cell("a dead cell", 5)),
            row_cell(2, W, cell("alive", 5)),
        ]);
        assert_eq!(repaired_part(&rig).await?, Some(left));
        assert_eq!(rig.merged(1).await?, before);
        Ok(())
    });
    assert_eq!(bench.marks_count("compaction.shaded"), 1);
}

#[test]
fn cell_tombstones_take_cells_as_well() {
    rig(293, |rig| async move {
        put_both(&rig, TombstoneOption::Cell).await?;
        let before = rig.merged(1).await?;
        assert_eq!(rig.compact().await?.shaded_count, 2);
        assert_eq!(
            repaired_part(&rig).await?,
            Some(row_cell(2, W, cell("alive", 5)))
        );
        assert_eq!(rig.merged(1).await?, before);
        Ok(())
    });
}

#[test]
fn from_unrepaired_inputs_nothing_is_taken() {
    rig(294, |rig| async move {
        rig.set_options(options(TombstoneOption::Cell));
        rig.put_apart(vec![(1, row_deletion(1, DELETED))]).await?;
        rig.mark_repaired().await?;
        rig.put_apart(vec![(1, row_cell(1, V, cell("late", 5)))])
            .await?;
        let report = rig.compact().await?;
        assert_eq!((report.shaded_count, report.outputs_count), (0, 2));
        assert_eq!(report.kept_by_sstable.rows, 1);
        Ok(())
    });
}

#[test]
fn a_tombstone_in_a_memtable_takes_nothing() {
    rig(295, |rig| async move {
        rig.set_options(options(TombstoneOption::Cell));
        let data = row_cell(1, V, cell("v", 5));
        rig.put_apart(vec![(1, data.clone())]).await?;
        rig.mark_repaired().await?;
        rig.put(1, row_deletion(1, DELETED)).await?;
        assert_eq!(rig.compact().await?.shaded_count, 0);
        assert_eq!(repaired_part(&rig).await?, Some(data));
        Ok(())
    });
}

/// Rows in sstables, their deletions in a memtable whose flush begins so much before the compaction. None when it has
/// ended by then.
async fn flush_during(rig: Rc<Rig>, after: Duration) -> Result<Option<CompactionReport>, Error> {
    const KEYS: u32 = 60;
    rig.set_options(PurgeOptions {
        only_purge_repaired_tombstones: false,
        ..options(TombstoneOption::Row)
    });
    for number in 0..KEYS {
        rig.put(number, row_cell(1, V, cell("v", 5))).await?;
        if number % 20 == 19 {
            rig.flush().await?;
        }
    }
    for number in 0..KEYS {
        rig.put(number, row_deletion(1, DELETED)).await?;
    }
    let Some(report) = compact_beside_flush(&rig, after).await? else {
        return Ok(None);
    };
    for number in 0..KEYS {
        assert_eq!(rig.merged(number).await?, row_deletion(1, DELETED));
    }
    // Nothing is left that the deletions cover, or it is an input beside them.
    rig.compact().await?;
    for number in 0..KEYS {
        assert!(rig.merged(number).await?.is_empty());
    }
    Ok(Some(report))
}

#[test]
fn what_a_flush_brings_during_a_compaction_takes_what_is_not_read_yet() {
    let mut counts = Vec::new();
    for step in 1_u64.. {
        let after = Duration::from_micros(step * 300);
        let (_, report) = rig(296, move |rig| flush_during(rig, after));
        let Some(report) = report else { break };
        counts.push(report.shaded_count);
    }
    assert!(
        counts.contains(&60) && counts.iter().any(|count| *count < 60),
        "{counts:?}"
    );
}

async fn prepare(host: Host) -> Result<(), Error> {
    put_both(&Rig::open(&host).await?, TombstoneOption::Cell).await
}

/// Compacts, then marks all as repaired and compacts again, so that the tombstones go.
async fn compact_to_the_end(rig: &Rig) -> Result<(), Error> {
    rig.set_options(options(TombstoneOption::Cell));
    rig.compact().await?;
    rig.mark_repaired().await?;
    rig.compact().await?;
    Ok(())
}

/// What is dead is dead: whatever form the partition has, it shows one cell.
async fn check(rig: &Rig) -> Result<(), Error> {
    let mut merged = rig.merged(1).await?;
    merged.rows.retain(|_, row| row.is_visible(0));
    for row in merged.rows.values_mut() {
        row.cells.retain(|(_, cell)| cell.is_live(0));
    }
    assert_eq!(merged, row_cell(2, W, cell("alive", 5)));
    Ok(())
}

#[test]
fn what_was_taken_stays_dead_after_a_crash_at_any_request() {
    for how in CRASH_KINDS {
        let points_count = for_each_point(|point| {
            let bench = prepared(297, prepare);
            bench.strike(&point, crash_fault(how));
            bench.run(|host: Host| async move {
                let rig = Rig::open(&host).await?;
                compact_to_the_end(&rig).await
            });
            if !bench.all_struck() {
                return false;
            }
            let after = bench.run(|host: Host| async move {
                let rig = Rig::open(&host).await?;
                check(&rig).await?;
                compact_to_the_end(&rig).await?;
                check(&rig).await
            });
            after.expect("nothing crashes").expect("nothing fails");
            true
        });
        assert!(points_count > 40, "{points_count}");
    }
}

#[test]
fn what_was_taken_stays_dead_when_any_request_fails() {
    let faults: [fn() -> FaultKind; 2] = [
        || FaultKind::DiskError { machine: MACHINE },
        || FaultKind::FailSync { machine: MACHINE },
    ];
    for fault in faults {
        for_each_point(|point| {
            let bench = prepared(298, prepare);
            bench.strike(&point, fault());
            let ended = bench.run(|host: Host| async move {
                let rig = Rig::open(&host).await?;
                let failed = compact_to_the_end(&rig).await.is_err();
                check(&rig).await?;
                if failed {
                    compact_to_the_end(&rig).await?;
                    check(&rig).await?;
                }
                Ok::<_, Error>(())
            });
            if !bench.all_struck() {
                return false;
            }
            let _failed_at_open = ended.expect("nothing crashes");
            let after = bench.run(|host: Host| async move {
                let rig = Rig::open(&host).await?;
                check(&rig).await
            });
            after.expect("nothing crashes").expect("nothing fails");
            true
        });
    }
}
