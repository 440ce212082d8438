//! Invariants under test: a table with many sstables is compacted without being asked to, and again after a
//! failure.

use std::rc::Rc;
use std::time::Duration;

use cenotaph_engine::compaction::CompactionOptions;
use cenotaph_engine::error::Error;
use cenotaph_sim::fault::{FaultKind, RequestKind};
use cenotaph_sim::host::Host;

use super::support::Rig;
use crate::bench::{Bench, MACHINE, Point};
use crate::rows::support::{V, cell, row_cell};

const OPTIONS: CompactionOptions = CompactionOptions {
    sstables_min: 3,
    retry_millis: 50,
};

async fn background(host: &Host) -> Result<Rig, Error> {
    let rig = Rig::open_with(host, OPTIONS).await?;
    let schema = Rc::clone(&rig.schema);
    let compactor = Rc::clone(&rig.compactor);
    host.spawn("compactor", compactor.run(move || schema.borrow().clone()));
    Ok(rig)
}

async fn add(rig: &Rig, count: u32) -> Result<(), Error> {
    let parts = (0..count).map(|number| (number, row_cell(1, V, cell("v", 9))));
    rig.put_apart(parts.collect()).await?;
    rig.host.clock().sleep(Duration::from_millis(40)).await;
    Ok(())
}

fn run<R: Future<Output = Result<(), Error>> + 'static>(
    bench: &Bench,
    test: impl FnOnce(Host) -> R + 'static,
) {
    let ended = bench.run(test);
    ended.expect("nothing crashes").expect("nothing fails");
}

#[test]
fn a_table_is_compacted_when_it_has_too_many_sstables() {
    let bench = Bench::new(231);
    run(&bench, |host| async move {
        let rig = background(&host).await?;
        add(&rig, 2).await?;
        assert_eq!(rig.sstables_count(), 2);
        add(&rig, 1).await?;
        assert_eq!(rig.sstables_count(), 1);
        assert_eq!(rig.metrics.node.compactions.get(), 1);
        Ok(())
    });
}

#[test]
fn what_a_start_finds_counts_too() {
    let bench = Bench::new(232);
    run(&bench, |host| async move {
        let rig = Rig::open(&host).await?;
        add(&rig, 3).await?;
        assert_eq!(rig.sstables_count(), 3);
        Ok(())
    });
    run(&bench, |host| async move {
        let rig = background(&host).await?;
        host.clock().sleep(Duration::from_millis(40)).await;
        assert_eq!(rig.sstables_count(), 1);
        Ok(())
    });
}

#[test]
fn a_compaction_that_failed_is_tried_again_after_a_pause() {
    let bench = Bench::new(233);
    // Three flushes create three files; the fourth is the output.
    let output = Point {
        role: "data",
        kind: RequestKind::Write,
        ordinal: 3,
    };
    bench.strike(&output, FaultKind::NoSpace { machine: MACHINE });
    run(&bench, |host| async move {
        let rig = background(&host).await?;
        add(&rig, 3).await?;
        assert_eq!(rig.sstables_count(), 3);
        assert_eq!(rig.files().await.len(), 3, "the output is removed");
        host.clock().sleep(Duration::from_millis(100)).await;
        assert_eq!(rig.sstables_count(), 1);
        Ok(())
    });
    assert!(bench.all_struck());
    assert_eq!(bench.marks_count("compaction.failed"), 1);
    assert_eq!(bench.marks_count("compaction.done"), 1);
}
