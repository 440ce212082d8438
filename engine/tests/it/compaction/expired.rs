//! Invariants under test: an sstable in which all is dead and past its grace goes unread, when nothing that it may
//! cover is anywhere else; else it is merged as any other.

use cenotaph_engine::compaction::CompactionReport;
use cenotaph_engine::error::Error;
use cenotaph_engine::rows::{Liveness, Partition};
use cenotaph_engine::sstable::HEADER_SIZE;
use cenotaph_sim::host::Host;

use super::support::{BEGIN, GRACE, LONG_AGO, Rig, rig};
use crate::bench::Bench;
use crate::rows::support::{
    V, W, cell, deletion_at, expiring, merge_in_order, row_cell, row_deletion, row_marker,
    tombstone,
};

/// Dead since long ago, with write times up to 20.
fn expired() -> Partition {
    merge_in_order(&[
        row_cell(1, V, tombstone(20, LONG_AGO)),
        row_cell(1, W, expiring("w", 15, 5, LONG_AGO)),
        row_deletion(2, deletion_at(18, LONG_AGO)),
        row_marker(3, Liveness::expiring(19, 5, LONG_AGO)),
    ])
}

/// Damages the first block of rows of an sstable, so that nobody can read it whole; then compacts.
fn compact_damaged(key: u64, other: Partition) -> Result<CompactionReport, Error> {
    let bench = Bench::new(key);
    let path = bench.run(|host: Host| async move {
        let rig = Rig::open(&host).await?;
        rig.put_apart(vec![(1, expired())]).await?;
        let path = rig.table().view().sstables[0].name().path();
        rig.put_apart(vec![(1, other)]).await?;
        Ok::<_, Error>(path)
    });
    let path = path.expect("nothing crashes").expect("nothing fails");
    bench.flip(&path, u64::from(HEADER_SIZE), 0);
    let report = bench.run(|host: Host| async move {
        let rig = Rig::open(&host).await?;
        let report = rig.compact().await?;
        assert_eq!(rig.files().await.len(), 1);
        Ok(report)
    });
    report.expect("nothing crashes")
}

#[test]
fn below_anything_else_of_its_keys_it_goes_unread() {
    let report = compact_damaged(271, row_cell(1, V, cell("v", 21)));
    let report = report.expect("the damage is not met");
    assert_eq!((report.inputs_count, report.unread_count), (2, 1));
    assert_eq!((report.purged.cells, report.purged.rows), (2, 1));
    assert_eq!(report.outputs_count, 1);
}

#[test]
fn with_something_as_old_elsewhere_it_is_read() {
    let error = compact_damaged(272, row_cell(1, V, cell("v", 20)));
    assert!(error.expect_err("the damage is met").is_corruption());
}

#[test]
fn when_all_go_unread_nothing_is_written() {
    let (bench, ()) = rig(273, |rig| async move {
        rig.put_apart(vec![(1, expired()), (1, expired()), (2, expired())])
            .await?;
        let report = rig.compact().await?;
        assert_eq!((report.unread_count, report.outputs_count), (3, 0));
        assert_eq!((rig.sstables_count(), rig.files().await.len()), (0, 0));
        assert!(rig.merged(1).await?.is_empty());
        Ok(())
    });
    assert_eq!(bench.marks_count("compaction.unread"), 1);
}

#[test]
fn other_keys_do_not_matter() {
    rig(274, |rig| async move {
        let far = (1..40).map(|number| (number, row_cell(1, V, cell("v", 1))));
        rig.put(0, expired()).await?;
        rig.flush().await?;
        let expired_key = rig.table().view().sstables[0].statistics().first.clone();
        for (number, part) in far {
            if crate::sstable::build::key(number) > expired_key {
                rig.put(number, part).await?;
            }
        }
        rig.flush().await?;
        assert_eq!(rig.compact().await?.unread_count, 1);
        Ok(())
    });
}

#[test]
fn anything_alive_or_within_its_grace_keeps_it() {
    let alive = [
        row_cell(4, V, cell("alive", 3)),
        row_marker(4, Liveness::plain(3)),
        row_cell(4, V, tombstone(3, BEGIN - GRACE + 1)),
        row_cell(4, V, expiring("v", 3, 5, BEGIN + 9)),
    ];
    for (step, part) in (0..).zip(alive) {
        rig(275 + step, |rig| async move {
            rig.put_apart(vec![(1, merge_in_order(&[expired(), part.clone()]))])
                .await?;
            let report = rig.compact().await?;
            assert_eq!((report.unread_count, report.outputs_count), (0, 1));
            assert_eq!(rig.merged(1).await?, part);
            Ok(())
        });
    }
}

#[test]
fn a_memtable_that_ever_held_something_as_old_keeps_it() {
    rig(281, |rig| async move {
        rig.put_apart(vec![(1, expired())]).await?;
        rig.put(2, row_cell(1, V, cell("as old", 20))).await?;
        rig.put(2, row_cell(1, V, cell("newer", 30))).await?;
        let report = rig.compact().await?;
        assert_eq!((report.unread_count, report.purged.cells), (0, 2));
        rig.flush().await?;
        rig.put_apart(vec![(1, expired())]).await?;
        rig.put(2, row_cell(1, V, cell("newer", 31))).await?;
        assert_eq!(rig.compact().await?.unread_count, 1);
        Ok(())
    });
}

#[test]
fn one_that_stays_keeps_those_that_it_keeps() {
    rig(282, |rig| async move {
        // The second covers the first, and something alive covers neither but is below the third.
        let parts = [
            row_cell(1, V, tombstone(10, LONG_AGO)),
            row_cell(1, V, tombstone(20, LONG_AGO)),
            merge_in_order(&[
                row_cell(1, W, tombstone(15, LONG_AGO)),
                row_cell(2, V, tombstone(40, LONG_AGO)),
            ]),
            row_cell(1, W, cell("alive", 30)),
        ];
        rig.put_apart(parts.into_iter().map(|part| (1, part)).collect())
            .await?;
        let report = rig.compact().await?;
        assert_eq!(
            report.unread_count, 1,
            "only the first is below all that stays"
        );
        assert_eq!(rig.merged(1).await?, row_cell(1, W, cell("alive", 30)));
        Ok(())
    });
}
