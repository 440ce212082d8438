//! Invariants under test: a table that purges repaired tombstones only keeps the others, and never mixes the two;
//! what comes of repaired sstables is repaired, and stays so across a start.

use std::rc::Rc;

use cenotaph_engine::compaction::CompactionOptions;
use cenotaph_engine::error::Error;
use cenotaph_engine::rows::Partition;
use cenotaph_engine::schema::PurgeOptions;
use cenotaph_sim::host::Host;

use super::support::{BEGIN, LONG_AGO, Rig, rig};
use crate::bench::{Bench, CRASH_KINDS, crash_fault, for_each_point};
use crate::rows::support::{V, cell, deletion_at, row_cell, row_deletion, tombstone};

const ONLY_REPAIRED: PurgeOptions = PurgeOptions {
    only_purge_repaired_tombstones: true,
    provide_overlapping_tombstones: cenotaph_engine::schema::TombstoneOption::None,
};

fn dead() -> Partition {
    row_cell(1, V, tombstone(10, LONG_AGO))
}

#[test]
fn what_is_not_repaired_keeps_its_tombstones_however_old() {
    let (bench, ()) = rig(261, |rig| async move {
        rig.set_options(ONLY_REPAIRED);
        rig.put_apart(vec![(1, row_cell(1, V, cell("v", 9))), (1, dead())])
            .await?;
        let report = rig.compact().await?;
        assert_eq!((report.purged.cells, report.kept_by_repair.cells), (0, 1));
        assert_eq!(rig.merged(1).await?, dead());
        assert_eq!(rig.mark_repaired().await?, 1);
        let report = rig.compact().await?;
        assert_eq!((report.purged.cells, report.outputs_count), (1, 0));
        Ok(())
    });
    assert_eq!(bench.marks_count("compaction.kept-by-repair"), 1);
}

#[test]
fn without_the_option_nobody_asks_what_is_repaired() {
    rig(262, |rig| async move {
        rig.put_apart(vec![(1, dead())]).await?;
        assert_eq!(rig.compact().await?.purged.cells, 1);
        Ok(())
    });
}

#[test]
fn repaired_and_unrepaired_sstables_are_compacted_apart() {
    let (bench, ()) = rig(263, |rig| async move {
        rig.set_options(ONLY_REPAIRED);
        let alive = |number| (number, row_cell(1, V, cell("v", 9)));
        rig.put_apart(vec![alive(1), alive(2)]).await?;
        assert_eq!(rig.mark_repaired().await?, 2);
        rig.put_apart(vec![alive(1), alive(3), alive(4)]).await?;
        let report = rig.compact().await?;
        assert_eq!((report.inputs_count, report.outputs_count), (5, 2));
        assert_eq!(rig.repaired().iter().flatten().count(), 1);
        let view = rig.table().view();
        let counts = view.sstables.iter();
        let counts = counts.map(|sstable| sstable.statistics().totals.partition_count);
        assert_eq!(counts.collect::<Vec<_>>(), [2, 3], "repaired ones first");
        rig.set_options(PurgeOptions::default());
        let report = rig.compact().await?;
        assert_eq!((report.inputs_count, report.outputs_count), (2, 1));
        assert_eq!(rig.repaired(), [None], "one input was not");
        Ok(())
    });
    assert_eq!(bench.marks_count("compaction.done"), 3);
}

#[test]
fn an_unrepaired_sstable_with_older_data_keeps_a_repaired_tombstone() {
    rig(264, |rig| async move {
        rig.set_options(ONLY_REPAIRED);
        rig.put_apart(vec![(1, dead())]).await?;
        rig.mark_repaired().await?;
        rig.put_apart(vec![(1, row_cell(1, V, cell("late", 9)))])
            .await?;
        let report = rig.compact().await?;
        assert_eq!((report.kept_by_sstable.cells, report.purged.cells), (1, 0));
        assert_eq!(rig.merged(1).await?, dead());
        rig.mark_repaired().await?;
        assert_eq!(rig.compact().await?.outputs_count, 0, "both go at once");
        Ok(())
    });
}

#[test]
fn an_output_is_repaired_since_the_earliest_of_its_inputs() {
    rig(265, |rig| async move {
        let alive = |number| (number, row_cell(1, V, cell("v", 9)));
        rig.put_apart(vec![alive(1)]).await?;
        rig.mark_repaired().await?;
        rig.host
            .clock()
            .sleep(std::time::Duration::from_secs(5))
            .await;
        rig.put_apart(vec![alive(2)]).await?;
        assert_eq!(rig.mark_repaired().await?, 1, "the first is so already");
        let [Some(first), Some(second)] = rig.repaired()[..] else {
            panic!("both are repaired")
        };
        assert!(first >= BEGIN && second >= first + 5);
        rig.compact().await?;
        assert_eq!(rig.repaired(), [Some(first)]);
        Ok(())
    });
}

#[test]
fn the_background_counts_each_kind_by_itself() {
    let bench = Bench::new(266);
    let ended = bench.run(|host: Host| async move {
        let options = CompactionOptions {
            sstables_min: 2,
            retry_millis: 5,
        };
        let rig = Rc::new(Rig::open_with(&host, options).await?);
        rig.set_options(ONLY_REPAIRED);
        let schema = {
            let rig = Rc::clone(&rig);
            move || Rc::clone(&rig.schema.borrow())
        };
        let compactor = Rc::clone(&rig.compactor);
        rig.host.spawn("compactor", compactor.run(schema));
        let clock = rig.host.clock();
        let pause = || clock.sleep(std::time::Duration::from_secs(1));
        let alive = |number| (number, row_cell(1, V, cell("v", 9)));
        rig.put_apart(vec![alive(1)]).await?;
        rig.mark_repaired().await?;
        rig.put_apart(vec![alive(2)]).await?;
        pause().await;
        assert_eq!(rig.sstables_count(), 2, "one of each kind is few");
        rig.put_apart(vec![alive(3)]).await?;
        pause().await;
        assert_eq!(rig.sstables_count(), 2, "two unrepaired ones became one");
        Ok::<_, Error>(())
    });
    ended.expect("nothing crashes").expect("nothing fails");
}

/// A tombstone in a repaired sstable, and one in an unrepaired one.
async fn prepare(host: Host) -> Result<(), Error> {
    let rig = Rig::open(&host).await?;
    rig.put_apart(vec![(1, row_deletion(1, deletion_at(10, LONG_AGO)))])
        .await?;
    rig.mark_repaired().await?;
    rig.put_apart(vec![(2, row_deletion(1, deletion_at(10, LONG_AGO)))])
        .await
}

#[test]
fn a_crash_at_any_request_marks_all_or_none() {
    for how in CRASH_KINDS {
        let points_count = for_each_point(|point| {
            let bench = Bench::new(267);
            let prepared = bench.run(prepare);
            prepared.expect("nothing crashes").expect("nothing fails");
            bench.strike(&point, crash_fault(how));
            let told = bench.run(|host: Host| async move {
                let rig = Rig::open(&host).await?;
                rig.mark_repaired().await
            });
            if !bench.all_struck() {
                return false;
            }
            let after = bench.run(move |host: Host| async move {
                let rig = Rig::open(&host).await?;
                rig.set_options(ONLY_REPAIRED);
                let repaired = rig.repaired();
                assert!(repaired[0].is_some(), "a mark stays");
                assert!(told.is_none() || repaired[1].is_some(), "it was told so");
                let kept = u64::from(repaired[1].is_none());
                assert_eq!(rig.compact().await?.kept_by_repair.rows, kept);
                assert_eq!(rig.compact().await?.inputs_count, kept);
                Ok::<_, Error>(())
            });
            after.expect("nothing crashes").expect("nothing fails");
            true
        });
        assert!(points_count > 10, "{points_count}");
    }
}
