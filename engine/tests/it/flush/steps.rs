//! Invariants under test: a flush moves what was written into sstables, gives the log back, and is seen by
//! readers as nothing at all.

use std::rc::Rc;
use std::time::Duration;

use cenotaph_engine::error::Error;
use cenotaph_engine::flush::{FlushError, FlushOptions};
use cenotaph_engine::rows::TableId;
use cenotaph_engine::store::StoreError;
use cenotaph_sim::fault::{FaultKind, RequestKind};
use cenotaph_sim::host::Host;

use super::small::{FLUSH, Small, TABLE};
use crate::bench::{Bench, MACHINE, Point};

fn small<R>(key: u64, test: impl FnOnce(Host) -> R + 'static) -> Bench
where
    R: Future<Output = Result<(), Error>> + 'static,
{
    let bench = Bench::new(key);
    bench
        .run(test)
        .expect("nothing crashes")
        .expect("nothing fails");
    bench
}

#[test]
fn a_flush_moves_rows_into_an_sstable_and_gives_the_log_back() {
    small(31, |host| async move {
        let small = Small::open(&host, FLUSH).await?;
        for number in 0..20 {
            small.write(TABLE, number).await?;
        }
        assert!(small.log.dirty().len() > 1, "several segments");
        small.flusher.flush_table(TABLE).await?;
        let view = small.store.table(TABLE)?.view();
        assert_eq!((view.sstables.len(), view.flushing.len()), (1, 0));
        assert!(view.current.memtable().is_empty());
        for number in 0..20 {
            assert!(small.holds(TABLE, number).await?);
        }
        let segments = small.log.dirty();
        assert!(segments.len() <= 2 && segments.iter().all(|(_, tables)| tables.is_empty()));
        let files = host.disk().list("commitlog").await.expect("it is there");
        assert_eq!(files.len(), segments.len());
        assert_eq!(small.store.violations(), Vec::<String>::new());
        Ok(())
    });
}

#[test]
fn a_flush_of_nothing_leaves_no_file_and_still_cleans_its_interval() {
    let bench = small(32, |host| async move {
        let small = Small::open(&host, FLUSH).await?;
        // A write that got its place in the log and never came to the memtable.
        let ticket = small.store.table(TABLE)?.ticket()?;
        let reservation = small.log.reserve(TABLE, b"never applied")?;
        small.log.commit(reservation).await?;
        drop(ticket);
        small.flusher.flush_table(TABLE).await?;
        assert!(
            small
                .log
                .dirty()
                .iter()
                .all(|(_, tables)| tables.is_empty())
        );
        assert_eq!(
            host.disk().list("data").await.expect("it is there"),
            Vec::<String>::new()
        );
        Ok(())
    });
    assert_eq!(bench.marks_count("flush.empty"), 1);
}

#[test]
fn a_flush_waits_for_the_writes_under_way() {
    small(33, |host| async move {
        let small = Rc::new(Small::open(&host, FLUSH).await?);
        small.write(TABLE, 1).await?;
        let ticket = small.store.table(TABLE)?.ticket()?;
        let flushing = Rc::clone(&small);
        let flush = host.spawn(
            "flush",
            async move { flushing.flusher.flush_table(TABLE).await },
        );
        host.clock().sleep(Duration::from_secs(1)).await;
        assert_eq!(small.store.table(TABLE)?.view().sstables.len(), 0);
        drop(ticket);
        flush.await.expect("it ends")?;
        assert_eq!(small.store.table(TABLE)?.view().sstables.len(), 1);
        Ok(())
    });
}

#[test]
fn a_row_is_never_missing_while_it_is_flushed() {
    small(34, |host| async move {
        let small = Rc::new(Small::open(&host, FLUSH).await?);
        let flushing = Rc::clone(&small);
        let flushes = host.spawn("flushes", async move {
            for number in 1..30 {
                flushing.write(TABLE, number).await?;
                flushing.flusher.flush_table(TABLE).await?;
            }
            Ok::<_, Error>(())
        });
        small.write(TABLE, 0).await?;
        for _ in 0..300 {
            assert!(small.holds(TABLE, 0).await?);
            assert_eq!(small.store.violations(), Vec::<String>::new());
            host.clock().sleep(Duration::from_micros(300)).await;
        }
        flushes.await.expect("it ends")
    });
}

#[test]
fn a_dropped_table_takes_no_writes_and_leaves_no_files() {
    small(35, |host| async move {
        let small = Rc::new(Small::open(&host, FLUSH).await?);
        small.write(TABLE, 1).await?;
        small.flusher.flush_table(TABLE).await?;
        small.write(TABLE, 2).await?;
        small.write(TableId(2), 3).await?;
        let table = small.store.table(TABLE)?;
        let flushing = Rc::clone(&small);
        let flush = host.spawn(
            "flush",
            async move { flushing.flusher.flush_table(TABLE).await },
        );
        host.clock().sleep(Duration::from_micros(500)).await;
        small.store.drop_table(TABLE).await?;
        small.log.discard_table(TABLE).await?;
        let refused = FlushError::Store(StoreError::NoTable { table: 1 });
        assert!([Ok(()), Err(refused)].contains(&flush.await.expect("it ends")));
        assert_eq!(table.ticket().err(), Some(StoreError::NoTable { table: 1 }));
        assert!(small.write(TABLE, 4).await.is_err());
        assert_eq!(
            host.disk().list("data").await.expect("it is there"),
            Vec::<String>::new()
        );
        assert!(
            small
                .log
                .dirty()
                .iter()
                .all(|(_, tables)| !tables.contains(&TABLE))
        );
        assert!(small.holds(TableId(2), 3).await?);
        small.flusher.flush_all().await?;
        Ok(())
    });
}

#[test]
fn a_large_memtable_is_flushed_in_the_background() {
    small(36, |host| async move {
        let options = FlushOptions {
            memtable_size_max: 2_000,
            ..FLUSH
        };
        let small = Small::open(&host, options).await?;
        small.flusher.start();
        for number in 0..200 {
            small.write(TABLE, number).await?;
        }
        assert!(small.metrics.node.flushes.get() > 3);
        assert!(small.store.table(TABLE)?.memtable_bytes() < 6_000);
        Ok(())
    });
}

#[test]
fn a_table_that_holds_back_a_large_log_is_flushed() {
    small(37, |host| async move {
        let options = FlushOptions {
            log_size_max: 5 * 1_024,
            ..FLUSH
        };
        let small = Small::open(&host, options).await?;
        small.flusher.start();
        small.write(TableId(2), 0).await?;
        for number in 0..300 {
            small.write(TABLE, number).await?;
            let size = small.log.dirty().len() as u64 * 1_024;
            assert!(size <= 5 * 1_024 + 8 * 1_024, "{size}");
        }
        assert_eq!(small.store.table(TableId(2))?.view().sstables.len(), 1);
        Ok(())
    });
}

#[test]
fn tables_whose_flushes_fail_keep_no_other_waiting() {
    let bench = Bench::new(38);
    // As many as flush by themselves, and both are busy with failing.
    for ordinal in [0, 1] {
        let point = Point {
            role: "data",
            kind: RequestKind::Open,
            ordinal,
        };
        bench.strike(&point, FaultKind::DiskError { machine: MACHINE });
    }
    let tables = [1, 2, 3].map(TableId);
    let ran = bench.run(move |host| async move {
        let options = FlushOptions {
            memtable_size_max: 1,
            ..FLUSH
        };
        let small = Small::open(&host, options).await?;
        small
            .store
            .add_table(tables[2], small.log.position(), Vec::new());
        small.flusher.start();
        for table in tables {
            small.write(table, 0).await?;
        }
        host.clock().sleep(Duration::from_millis(100)).await;
        let views = tables.map(|table| Ok(small.store.table(table)?.view()));
        let [first, second, last] = views
            .map(|view: Result<_, Error>| view.expect("the table is there").sstables[0].name().id);
        assert!(
            last < first && last < second,
            "the last comes before they are tried again"
        );
        Ok::<_, Error>(())
    });
    ran.expect("nothing crashes").expect("nothing fails");
    assert_eq!(bench.marks_count("flush.failed"), 2);
}
