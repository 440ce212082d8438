//! Invariants under test: a compaction makes one sstable of all, without what may be forgotten, and no reader or
//! replay can tell.

use std::rc::Rc;

use cenotaph_engine::compaction::StoneCounts;
use cenotaph_engine::error::Error;
use cenotaph_engine::keys::Slice;
use cenotaph_engine::rows::Partition;
use cenotaph_engine::schema::Change;
use cenotaph_sim::host::Host;

use super::support::{BEGIN, GRACE, LONG_AGO, Rig, TABLE, rig, table_name};
use crate::bench::Bench;
use crate::rows::support::{
    V, W, cell, deletion_at, expiring, merge_in_order, row_cell, row_deletion, tombstone,
};
use crate::sstable::build::key;

#[test]
fn many_sstables_become_one_and_no_reader_can_tell() {
    let (bench, ()) = rig(201, |rig| async move {
        let parts: Vec<(u32, Partition)> = (0..12)
            .map(|step| (step % 5, row_cell(1, V, cell("v", i64::from(step)))))
            .collect();
        rig.put_apart(parts).await?;
        let mut before = Vec::new();
        for number in 0..6 {
            before.push(rig.merged(number).await?);
        }
        let settled = rig.persisted();
        let report = rig.compact().await?;
        assert_eq!((report.inputs_count, report.outputs_count), (12, 1));
        assert_eq!(report.purged, StoneCounts::default());
        for number in 0..6 {
            assert_eq!(rig.merged(number).await?, before[number as usize]);
        }
        assert_eq!(rig.persisted(), settled);
        assert_eq!(rig.files().await.len(), 1);
        Ok(())
    });
    assert_eq!(bench.marks_count("compaction.done"), 1);
    assert_eq!(bench.marks_count("compaction.purged"), 0);
}

#[test]
fn a_deletion_and_what_it_covers_go_together() {
    let (bench, ()) = rig(202, |rig| async move {
        let data = row_cell(1, V, cell("v", 10));
        let deleted = row_deletion(1, deletion_at(11, LONG_AGO));
        rig.put_apart(vec![(1, data), (1, deleted)]).await?;
        let settled = rig.persisted();
        let report = rig.compact().await?;
        assert_eq!((report.outputs_count, report.purged.rows), (0, 1));
        assert_eq!((rig.sstables_count(), rig.files().await.len()), (0, 0));
        assert_eq!(
            rig.persisted(),
            settled,
            "an output that is not loses nothing"
        );
        rig.put(1, row_cell(1, V, cell("late", 9))).await?;
        assert!(!rig.merged(1).await?.is_empty());
        Ok(())
    });
    assert_eq!(bench.marks_count("compaction.nothing-left"), 1);
}

#[test]
fn a_partition_with_only_purgeable_data_is_not_in_the_output() {
    rig(203, |rig| async move {
        let dead = row_cell(1, V, tombstone(10, LONG_AGO));
        rig.put_apart(vec![(1, dead), (2, row_cell(1, V, cell("v", 1)))])
            .await?;
        rig.compact().await?;
        let view = rig.table().view();
        let [output] = &view.sstables[..] else {
            panic!("one output: {view:?}")
        };
        assert_eq!(output.statistics().totals.partition_count, 1);
        assert!(output.get(&key(1), &Slice::ALL).await?.is_none());
        Ok(())
    });
}

#[test]
fn within_its_grace_a_tombstone_stays() {
    let (bench, ()) = rig(204, |rig| async move {
        let recent = row_cell(1, V, tombstone(10, BEGIN - 5));
        let data = row_cell(1, V, cell("v", 9));
        rig.put_apart(vec![(1, data), (1, recent.clone())]).await?;
        let report = rig.compact().await?;
        assert_eq!(report.now_seconds - report.gc_before_seconds, GRACE);
        assert_eq!((report.kept_by_grace.cells, report.outputs_count), (1, 1));
        assert_eq!(rig.merged(1).await?, recent);
        Ok(())
    });
    assert_eq!(bench.marks_count("compaction.kept-by-grace"), 1);
}

#[test]
fn a_memtable_with_older_data_of_the_key_keeps_the_tombstone() {
    let (bench, ()) = rig(205, |rig| async move {
        let dead = row_cell(1, V, tombstone(10, LONG_AGO));
        rig.put_apart(vec![(1, dead.clone())]).await?;
        rig.put(1, row_cell(1, V, cell("late", 10))).await?;
        let report = rig.compact().await?;
        assert_eq!((report.kept_by_memtable.cells, report.purged.cells), (1, 0));
        assert_eq!(rig.merged(1).await?, dead);
        rig.flush().await?;
        // Both are inputs now.
        let report = rig.compact().await?;
        assert_eq!((report.purged.cells, report.outputs_count), (1, 0));
        Ok(())
    });
    assert_eq!(bench.marks_count("compaction.kept-by-memtable"), 1);
}

#[cfg(feature = "planted")]
#[test]
fn with_p01_what_lies_in_the_memtable_comes_back() {
    use cenotaph_engine::planted::{Plant, choose};

    let _guard = choose(Some(Plant::P01));
    rig(205, |rig| async move {
        let dead = row_cell(1, V, tombstone(10, LONG_AGO));
        rig.put_apart(vec![(1, dead)]).await?;
        let late = row_cell(1, V, cell("late", 10));
        rig.put(1, late.clone()).await?;
        rig.compact().await?;
        assert_eq!(rig.merged(1).await?, late);
        Ok(())
    });
}

/// A tombstone in an sstable; in the memtable what it covers, replaced by something newer.
async fn replaced_in_memtable(rig: Rc<Rig>) -> Result<(u64, u64), Error> {
    let dead = row_cell(1, V, tombstone(10, LONG_AGO));
    rig.put_apart(vec![(1, dead)]).await?;
    rig.put(1, row_cell(1, V, cell("covered", 9))).await?;
    rig.put(1, row_cell(1, V, cell("newer", 11))).await?;
    let report = rig.compact().await?;
    Ok((report.kept_by_memtable.cells, report.purged.cells))
}

#[test]
fn older_data_that_a_memtable_held_keeps_the_tombstone_as_the_log_may_bring_it_back() {
    let (_, counts) = rig(213, replaced_in_memtable);
    assert_eq!(counts, (1, 0));
}

#[cfg(feature = "planted")]
#[test]
fn with_c03_the_tombstone_goes() {
    use cenotaph_engine::planted::{Plant, choose};

    let _guard = choose(Some(Plant::C03));
    let (_, counts) = rig(213, replaced_in_memtable);
    assert_eq!(counts, (0, 1));
}

#[test]
fn a_memtable_without_the_key_or_with_newer_data_keeps_nothing() {
    rig(206, |rig| async move {
        let dead = || row_cell(1, V, tombstone(10, LONG_AGO));
        rig.put_apart(vec![(1, dead()), (2, dead())]).await?;
        rig.put(3, row_cell(1, V, cell("other key", 1))).await?;
        rig.put(2, row_cell(1, V, cell("newer", 11))).await?;
        let report = rig.compact().await?;
        assert_eq!((report.purged.cells, report.outputs_count), (2, 0));
        Ok(())
    });
}

#[test]
fn an_expired_cell_becomes_a_tombstone_and_then_nothing() {
    let (bench, ()) = rig(207, |rig| async move {
        let expired = row_cell(1, V, expiring("v", 10, 5, BEGIN - 10));
        let older = row_cell(1, V, cell("older", 9));
        rig.put_apart(vec![(1, older), (1, expired)]).await?;
        let report = rig.compact().await?;
        assert_eq!(report.converted_count, 1);
        assert_eq!(
            rig.merged(1).await?,
            row_cell(1, V, tombstone(10, BEGIN - 15))
        );
        let pause = std::time::Duration::from_secs(u64::from(GRACE));
        rig.host.clock().sleep(pause).await;
        let report = rig.compact().await?;
        assert_eq!((report.purged.cells, report.outputs_count), (1, 0));
        Ok(())
    });
    assert_eq!(bench.marks_count("compaction.converted"), 1);
}

#[test]
fn a_second_compaction_finds_nothing_to_do() {
    rig(208, |rig| async move {
        let parts = (0..8).map(|step| {
            let dead = row_cell(2, V, tombstone(10, LONG_AGO));
            let alive = row_cell(1, W, expiring("w", 3, 5, BEGIN + 900));
            (step % 3, merge_in_order(&[dead, alive]))
        });
        rig.put_apart(parts.collect()).await?;
        rig.compact().await?;
        let mut once = Vec::new();
        for number in 0..3 {
            once.push(rig.merged(number).await?);
        }
        let report = rig.compact().await?;
        assert_eq!((report.inputs_count, report.outputs_count), (1, 1));
        assert_eq!(report.purged, StoneCounts::default());
        for number in 0..3 {
            assert_eq!(rig.merged(number).await?, once[number as usize]);
        }
        Ok(())
    });
}

#[test]
fn without_sstables_there_is_nothing_to_compact() {
    let (bench, ()) = rig(209, |rig| async move {
        rig.put(1, row_cell(1, V, cell("v", 1))).await?;
        let report = rig.compact().await?;
        assert_eq!((report.inputs_count, report.outputs_count), (0, 0));
        assert_eq!(
            rig.compactor
                .compact_all(&|| rig.schema.borrow().clone())
                .await?,
            report
        );
        Ok(())
    });
    assert_eq!(bench.marks_count("compaction.done"), 0);
}

#[test]
fn cells_that_died_with_their_column_leave_the_disk() {
    rig(210, |rig| async move {
        let both = merge_in_order(&[
            row_cell(1, V, cell("kept", 100)),
            row_cell(1, W, cell("dropped", 100)),
            row_cell(2, W, cell("dropped", 99)),
            row_cell(3, W, cell("later", 101)),
        ]);
        rig.put_apart(vec![(1, both)]).await?;
        let drop = Change::DropColumn {
            table: table_name(),
            column: "w".into(),
            dropped_micros: 100,
        };
        let dropped = rig.schema.borrow().apply(&drop).expect("it fits");
        *rig.schema.borrow_mut() = Rc::new(dropped);
        rig.compact().await?;
        let left = merge_in_order(&[
            row_cell(1, V, cell("kept", 100)),
            row_cell(3, W, cell("later", 101)),
        ]);
        assert_eq!(rig.merged(1).await?, left);
        Ok(())
    });
}

#[test]
fn whoever_holds_an_earlier_view_reads_on() {
    rig(211, |rig| async move {
        let parts = (0..3).map(|step| (step, row_cell(1, V, cell("v", 10))));
        rig.put_apart(parts.collect()).await?;
        let earlier = rig.table().view();
        rig.compact().await?;
        assert_eq!(rig.files().await.len(), 1, "the inputs have no names");
        for number in 0..3 {
            let input = &earlier.sstables[number as usize];
            assert!(input.get(&key(number), &Slice::ALL).await?.is_some());
        }
        Ok(())
    });
}

#[test]
fn after_a_restart_the_output_is_there_and_the_inputs_are_not() {
    let bench = Bench::new(212);
    let before = bench.run(|host: Host| async move {
        let rig = Rig::open(&host).await?;
        let parts = (0..3).map(|step| (step, row_cell(1, V, cell("v", 10))));
        rig.put_apart(parts.collect()).await?;
        rig.compact().await?;
        Ok::<_, cenotaph_engine::error::Error>((rig.files().await, rig.persisted()))
    });
    let (files, settled) = before.expect("nothing crashes").expect("nothing fails");
    let after = bench.run(|host: Host| async move {
        let rig = Rig::open(&host).await?;
        for number in 0..3 {
            assert!(!rig.merged(number).await?.is_empty());
        }
        assert!(rig.store.table(TABLE).is_ok());
        Ok::<_, cenotaph_engine::error::Error>((rig.files().await, rig.persisted()))
    });
    let after = after.expect("nothing crashes").expect("nothing fails");
    assert_eq!(after, (files, settled));
}
