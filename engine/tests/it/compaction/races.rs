//! Invariants under test: whatever ends during a compaction, nothing dead comes back and nothing alive is lost.

use std::rc::Rc;
use std::time::Duration;

use cenotaph_engine::compaction::CompactionReport;
use cenotaph_engine::error::Error;
use cenotaph_engine::rows::Partition;

use super::support::{LONG_AGO, Rig, TABLE, compact_beside_flush, rig};
use crate::rows::support::{V, cell, row_cell, tombstone};

/// Enough that a flush is shorter than a compaction.
const KEYS: u32 = 60;

fn dead() -> Partition {
    row_cell(1, V, tombstone(10, LONG_AGO))
}

/// Tombstones, in three sstables.
async fn flush_dead(rig: &Rig) -> Result<(), Error> {
    for number in 0..KEYS {
        rig.put(number, dead()).await?;
        if number % 20 == 19 {
            rig.flush().await?;
        }
    }
    Ok(())
}

/// Tombstones in sstables, what they cover in the memtable.
async fn dead_beside_memtable(rig: &Rig) -> Result<(), Error> {
    flush_dead(rig).await?;
    for number in 0..KEYS {
        rig.put(number, row_cell(1, V, cell("covered", 9))).await?;
    }
    Ok(())
}

/// Flushes, and compacts so much later: what the one brings, the other has no part in unless it has ended before.
/// None when it has.
async fn flush_during(rig: Rc<Rig>, after: Duration) -> Result<Option<CompactionReport>, Error> {
    dead_beside_memtable(&rig).await?;
    let Some(report) = compact_beside_flush(&rig, after).await? else {
        return Ok(None);
    };
    for number in 0..KEYS {
        assert_eq!(
            rig.merged(number).await?,
            dead(),
            "{number} after {after:?}"
        );
    }
    assert_eq!(rig.store.violations(), Vec::<String>::new());
    Ok(Some(report))
}

#[test]
fn a_flush_that_ends_during_a_compaction_brings_nothing_back() {
    let (mut by_memtable, mut by_sstable, mut mixed_count) = (0, 0, 0);
    for step in 1_u64.. {
        let after = Duration::from_micros(step * 300);
        let (_, report) = rig(221, move |rig| flush_during(rig, after));
        let Some(report) = report else { break };
        let (memtable, sstable) = (report.kept_by_memtable.cells, report.kept_by_sstable.cells);
        assert_eq!(report.purged.total(), 0, "{after:?}");
        assert_eq!(memtable + sstable, u64::from(KEYS));
        by_memtable += memtable;
        by_sstable += sstable;
        mixed_count += usize::from(memtable > 0 && sstable > 0);
    }
    assert!(by_memtable > 0 && by_sstable > 0 && mixed_count > 0);
}

#[test]
fn a_flushed_sstable_that_cannot_hold_the_key_keeps_nothing() {
    let (_, purged_beside) = rig(222, |rig| async move {
        flush_dead(&rig).await?;
        rig.put(1_000, row_cell(1, V, cell("another key", 1)))
            .await?;
        let flushing = Rc::clone(&rig);
        let flush = rig
            .host
            .spawn("flush", async move { flushing.flush().await });
        let report = rig.compact().await?;
        flush.await.expect("it ends")?;
        assert_eq!(rig.sstables_count(), 1, "what was flushed");
        Ok(report.purged.cells)
    });
    assert_eq!(purged_beside, u64::from(KEYS));
}

#[test]
fn two_compactions_at_a_time_take_turns() {
    rig(223, |rig| async move {
        let parts = (0..6).map(|number| (number, row_cell(1, V, cell("v", 9))));
        rig.put_apart(parts.collect()).await?;
        let other = Rc::clone(&rig);
        let second = rig
            .host
            .spawn("second", async move { other.compact().await });
        assert_eq!(rig.compact().await?.inputs_count, 6);
        assert_eq!(second.await.expect("it ends")?.inputs_count, 1);
        assert_eq!(rig.sstables_count(), 1);
        Ok(())
    });
}

#[test]
fn a_table_that_is_dropped_during_its_compaction_leaves_no_files() {
    for step in 0..24 {
        let after = Duration::from_micros(step * 400);
        rig(224, move |rig| async move {
            let parts = (0..6).map(|number| (number, row_cell(1, V, cell("v", 9))));
            rig.put_apart(parts.collect()).await?;
            let dropping = Rc::clone(&rig);
            let drop = rig.host.spawn("drop", async move {
                dropping.host.clock().sleep(after).await;
                dropping.store.drop_table(TABLE).await
            });
            let compactor = Rc::clone(&rig.compactor);
            let schema = || Rc::clone(&rig.schema.borrow());
            match compactor.compact_table(TABLE, &schema).await {
                Ok(report) => assert_eq!(report.outputs_count, 1),
                Err(error) => assert!(error.is_table_gone(), "{error}"),
            }
            drop.await.expect("it ends")?;
            assert_eq!(rig.files().await, Vec::<String>::new(), "{after:?}");
            Ok(())
        });
    }
}
