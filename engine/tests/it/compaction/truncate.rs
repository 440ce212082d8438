//! Invariants under test: a truncation takes all that was written before it, and nothing that comes after, whatever
//! runs beside it.

use std::rc::Rc;
use std::time::Duration;

use cenotaph_engine::commitlog::Position;
use cenotaph_engine::error::Error;
use cenotaph_engine::rows::Partition;

use super::support::{Rig, TABLE, rig};
use crate::rows::support::{V, cell, row_cell};

fn value() -> Partition {
    row_cell(1, V, cell("v", 9))
}

async fn truncate(rig: &Rig) -> Result<(), Error> {
    let position = || rig.log.position();
    let interval = rig.store.truncate_table(&rig.table(), position).await?;
    assert_eq!(interval.lower, Position::NONE);
    rig.log.discard(TABLE, interval).await?;
    Ok(())
}

#[test]
fn a_truncation_takes_sstables_memtables_and_their_log() {
    rig(251, |rig| async move {
        rig.put_apart(vec![(1, value()), (2, value())]).await?;
        for number in 3..40 {
            rig.put(number, value()).await?;
        }
        truncate(&rig).await?;
        for number in 0..40 {
            assert!(rig.merged(number).await?.is_empty(), "{number}");
        }
        assert_eq!(rig.files().await, Vec::<String>::new());
        let view = rig.table().view();
        assert_eq!((view.sstables.len(), view.flushing.len()), (0, 0));
        let dirty = rig.log.dirty();
        assert!(dirty.len() <= 2 && dirty.iter().all(|(_, tables)| tables.is_empty()));
        rig.put(1, value()).await?;
        rig.flush().await?;
        assert_eq!(rig.merged(1).await?, value());
        assert_eq!(rig.store.violations(), Vec::<String>::new());
        Ok(())
    });
}

#[test]
fn what_a_failed_flush_left_goes_too() {
    rig(252, |rig| async move {
        rig.put(1, value()).await?;
        // Sealed and never flushed, as after a failure.
        rig.table().switch(|| rig.log.position()).await;
        rig.put(2, value()).await?;
        truncate(&rig).await?;
        rig.flush().await?;
        for number in 1..3 {
            assert!(rig.merged(number).await?.is_empty(), "{number}");
        }
        assert_eq!(rig.files().await, Vec::<String>::new());
        Ok(())
    });
}

#[test]
fn a_write_under_way_goes_with_its_memtable() {
    rig(253, |rig| async move {
        let ticket = rig.table().ticket()?;
        truncate(&rig).await?;
        let late = cenotaph_engine::rows::Mutation {
            table: TABLE,
            key: crate::sstable::build::key(1),
            update: value(),
        };
        ticket.memtable().put(late).unwrap();
        drop(ticket);
        rig.flush().await?;
        assert!(rig.merged(1).await?.is_empty());
        Ok(())
    });
}

#[test]
fn what_runs_beside_a_truncation_puts_nothing_back() {
    for step in 0..30 {
        let after = Duration::from_micros(step * 350);
        rig(254, move |rig| async move {
            rig.put_apart((0..4).map(|number| (number, value())).collect())
                .await?;
            for number in 4..8 {
                rig.put(number, value()).await?;
            }
            let flushing = Rc::clone(&rig);
            let flush = rig
                .host
                .spawn("flush", async move { flushing.flush().await });
            let compacting = Rc::clone(&rig);
            let compaction = rig
                .host
                .spawn("compact", async move { compacting.compact().await });
            rig.host.clock().sleep(after).await;
            truncate(&rig).await?;
            rig.put(100, value()).await?;
            flush.await.expect("it ends")?;
            compaction.await.expect("it ends")?;
            rig.flush().await?;
            for number in 0..8 {
                assert!(rig.merged(number).await?.is_empty(), "{number} {after:?}");
            }
            assert_eq!(rig.merged(100).await?, value());
            assert_eq!(rig.files().await.len(), 1);
            assert_eq!(rig.store.violations(), Vec::<String>::new());
            Ok(())
        });
    }
}
