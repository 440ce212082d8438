//! Invariants of discarding: a segment goes when no table needs it, and never before.

use cenotaph_engine::commitlog::{CommitLog, Interval, Position, SyncMode};
use cenotaph_engine::rows::TableId;
use cenotaph_sim::disk::Profile;
use cenotaph_sim::fault::FaultKind;
use cenotaph_sim::host::Host;

use super::{Counter, Known, T, U, put, replay, start, texts, tiny};
use crate::support::{MACHINE, alone, at_request, machine_with, run};

async fn segments_on_disk(host: &Host) -> Vec<String> {
    host.disk().list("commitlog").await.expect("readable")
}

/// Writes to `table` until the log's segment changes; gives the positions before and after.
async fn fill(log: &CommitLog, table: TableId) -> Interval {
    let lower = log.position();
    loop {
        put(log, table, &[b'.'; 100]).await.expect("healthy");
        if log.position().segment > lower.segment {
            return Interval {
                lower,
                upper: log.position(),
            };
        }
    }
}

#[test]
fn a_segment_is_deleted_when_every_table_in_it_is_flushed() {
    alone(|host| async move {
        let log = start(&host, tiny(SyncMode::Batch), &Counter::default())
            .await
            .expect("healthy");
        put(&log, U, b"one of the other table")
            .await
            .expect("healthy");
        let upper_u = log.position();
        let filled = fill(&log, T).await;
        assert_eq!(log.dirty(), [(1, vec![T, U]), (2, vec![T])]);
        log.discard(T, filled).await.expect("healthy");
        assert_eq!(
            log.dirty(),
            [(1, vec![U]), (2, vec![])],
            "the other table still needs it"
        );
        assert_eq!(segments_on_disk(&host).await, ["1.log", "2.log"]);
        log.discard(
            U,
            Interval {
                lower: Position::NONE,
                upper: upper_u,
            },
        )
        .await
        .expect("healthy");
        assert_eq!(
            segments_on_disk(&host).await,
            ["2.log"],
            "the current one stays, clean or not"
        );
    });
}

#[test]
fn a_segment_in_the_middle_may_go_first() {
    alone(|host| async move {
        let log = start(&host, tiny(SyncMode::Batch), &Counter::default())
            .await
            .expect("healthy");
        put(&log, U, b"pins the first").await.expect("healthy");
        let mut all = fill(&log, T).await;
        for _ in 0..3 {
            all.upper = fill(&log, T).await.upper;
        }
        put(&log, T, b"last").await.expect("healthy");
        log.discard(T, all).await.expect("healthy");
        assert_eq!(segments_on_disk(&host).await, ["1.log", "5.log"]);
        let (replayed, _) = replay(&host, &Known::fresh())
            .await
            .expect("a gap is no harm");
        assert!(texts(&replayed).contains(&"pins the first".to_owned()));
        assert_eq!(texts(&replayed).last().map(String::as_str), Some("last"));
    });
}

/// The flush ends at a position; the table's next mutation begins right there, is the last of its table
/// in the segment, and belongs to the next memtable.
#[test]
fn a_mutation_that_begins_where_a_flush_ends_keeps_its_segment() {
    alone(|host| async move {
        let log = start(&host, tiny(SyncMode::Batch), &Counter::default())
            .await
            .expect("healthy");
        put(&log, T, b"flushed").await.expect("healthy");
        let flushed = Interval {
            lower: Position::NONE,
            upper: log.position(),
        };
        put(&log, T, b"begins where the flush ends")
            .await
            .expect("healthy");
        let filled = fill(&log, U).await;
        log.discard(U, filled).await.expect("healthy");
        log.discard(T, flushed).await.expect("healthy");
        assert_eq!(log.dirty()[0], (1, vec![T]));
        let mut known = Known::fresh();
        known.0.insert(T, Some([flushed].into_iter().collect()));
        known.0.insert(U, Some([filled].into_iter().collect()));
        let (replayed, _) = replay(&host, &known).await.expect("whole");
        assert_eq!(texts(&replayed), ["begins where the flush ends"]);
    });
}

#[test]
fn a_failed_flush_leaves_a_hole_that_later_flushes_do_not_hide() {
    alone(|host| async move {
        let log = start(&host, tiny(SyncMode::Batch), &Counter::default())
            .await
            .expect("healthy");
        let one = log.position();
        put(&log, T, b"its flush fails").await.expect("healthy");
        let two = log.position();
        put(&log, T, b"its flush succeeds").await.expect("healthy");
        let three = log.position();
        fill(&log, U).await;
        log.discard_table(U).await.expect("healthy");
        log.discard(
            T,
            Interval {
                lower: two,
                upper: three,
            },
        )
        .await
        .expect("healthy");
        assert_eq!(log.dirty()[0], (1, vec![T]));
        log.discard(
            T,
            Interval {
                lower: one,
                upper: two,
            },
        )
        .await
        .expect("healthy");
        assert_eq!(
            segments_on_disk(&host).await,
            ["2.log"],
            "tried again, it closes the hole"
        );
    });
}

#[test]
fn a_dropped_table_pins_nothing() {
    alone(|host| async move {
        let log = start(&host, tiny(SyncMode::Batch), &Counter::default())
            .await
            .expect("healthy");
        fill(&log, T).await;
        log.discard_table(T).await.expect("healthy");
        assert_eq!(segments_on_disk(&host).await, ["2.log"]);
    });
}

#[test]
fn a_segment_that_could_not_be_deleted_is_deleted_later() {
    let world = machine_with(1, Profile::Strict, |host| async move {
        let log = start(&host, tiny(SyncMode::Batch), &Counter::default())
            .await
            .expect("healthy");
        let filled = fill(&log, T).await;
        log.discard(T, filled).await.expect_err("the fault strikes");
        assert_eq!(segments_on_disk(&host).await, ["1.log", "2.log"]);
        log.discard(T, filled).await.expect("healthy again");
        assert_eq!(segments_on_disk(&host).await, ["2.log"]);
    });
    let fault = FaultKind::DiskError { machine: MACHINE };
    world.add_fault(at_request("n1/1/commitlog/remove/0", fault));
    run(&world);
}
