//! Invariants of replay: nothing twice, nothing skipped in silence, nothing deleted on doubt.

use std::rc::Rc;

use bytes::Bytes;
use cenotaph_engine::commitlog::{Bounds, CommitLogError, Interval, Position, Replay, SyncMode};
use cenotaph_engine::error::Classify;
use cenotaph_engine::metrics::Metrics;
use cenotaph_engine::record::{RecordError, load};
use cenotaph_engine::rows::TableId;
use cenotaph_sim::disk::{CrashKind, Profile};
use cenotaph_sim::host::{Host, OpenMode};

use super::{ALL, Counter, Known, T, U, put, replay, start, texts, tiny};
use crate::support::{alone, at_request, crash, machine_with, run};

/// Three segments: `T` is written throughout, `U` once.
async fn three_segments(host: &Host, counter: &Counter) -> Vec<Position> {
    let log = start(host, tiny(SyncMode::Batch), counter)
        .await
        .expect("healthy");
    let mut positions = Vec::new();
    put(&log, U, b"u").await.expect("healthy");
    for n in 0..30 {
        put(&log, T, format!("{n}").as_bytes())
            .await
            .expect("healthy");
        positions.push(log.position());
    }
    log.close().await.expect("healthy");
    assert_eq!(log.position().segment, 3);
    positions
}

async fn overwrite(host: &Host, path: &str, offset: u64, bytes: &'static [u8]) {
    let file = host
        .disk()
        .open(path, OpenMode::Write)
        .await
        .expect("it is there");
    file.write_at(offset, Bytes::from_static(bytes))
        .await
        .expect("space");
}

#[test]
fn what_an_sstable_holds_and_what_was_dropped_is_passed_over_and_counted() {
    alone(|host| async move {
        let positions = three_segments(&host, &Counter::default()).await;
        let mut known = Known::fresh();
        let flushed = [
            Interval {
                lower: Position::NONE,
                upper: positions[4],
            },
            Interval {
                lower: positions[9],
                upper: positions[19],
            },
        ];
        known.0.insert(T, Some(flushed.into_iter().collect()));
        known.0.insert(U, None);
        let metrics = Rc::new(Metrics::default());
        let mut replay = Replay::open(&host, Rc::clone(&metrics), ALL)
            .await
            .expect("healthy");
        let mut all = Vec::new();
        while let Some(some) = replay.next_segment(&known).await.expect("whole") {
            all.extend(some);
        }
        let expected: Vec<_> = (5..10).chain(20..30).map(|n: u32| n.to_string()).collect();
        assert_eq!(texts(&all), expected);
        let counts = "replay_records 15\nreplay_records_persisted 15\nreplay_records_dropped 1\n";
        assert_eq!(metrics.to_string(), counts);
    });
}

#[test]
fn a_replay_gives_the_same_again_until_it_is_deleted() {
    alone(|host| async move {
        let counter = Counter::default();
        three_segments(&host, &counter).await;
        let (once, _) = replay(&host, &Known::fresh()).await.expect("whole");
        let (twice, done) = replay(&host, &Known::fresh()).await.expect("whole");
        assert_eq!(once, twice);
        done.delete().await.expect("healthy");
        let (nothing, replay) = replay(&host, &Known::fresh()).await.expect("empty");
        assert_eq!((nothing.len(), replay.id_max()), (0, 0));
        let log = start(&host, tiny(SyncMode::Batch), &counter)
            .await
            .expect("healthy");
        assert!(
            log.position() > once[30].position,
            "ids ascend over the node's life"
        );
    });
}

#[test]
fn a_record_of_a_table_that_never_was_refuses_the_start() {
    alone(|host| async move {
        three_segments(&host, &Counter::default()).await;
        let mut known = Known::fresh();
        known.0.remove(&U);
        let error = replay(&host, &known)
            .await
            .expect_err("acknowledged writes would be lost");
        assert_eq!(
            error.to_string(),
            "commitlog/1.log has a record of table 2 at offset 80, and no such table ever was"
        );
        assert!(error.is_corruption());
    });
}

#[test]
fn damage_in_an_older_segment_refuses_the_start_and_deletes_nothing() {
    alone(|host| async move {
        three_segments(&host, &Counter::default()).await;
        for offset in (0..500).step_by(37) {
            let path = "commitlog/2.log";
            let before = load(&host.disk(), path).await.expect("readable");
            overwrite(&host, path, offset, b"!").await;
            let error = replay(&host, &Known::fresh())
                .await
                .expect_err("every byte counts");
            assert!(
                error.is_corruption() && error.to_string().contains(path),
                "{error}"
            );
            let file = host
                .disk()
                .open(path, OpenMode::Write)
                .await
                .expect("it is there");
            file.write_at(0, before).await.expect("space");
        }
        replay(&host, &Known::fresh()).await.expect("mended");
        assert_eq!(
            host.disk().list("commitlog").await.expect("readable").len(),
            3
        );
    });
}

#[test]
fn an_older_segment_cut_at_a_record_is_corrupt_even_when_the_next_one_is_gone() {
    alone(|host| async move {
        three_segments(&host, &Counter::default()).await;
        host.disk()
            .remove("commitlog/2.log")
            .await
            .expect("a segment in the middle may be gone");
        replay(&host, &Known::fresh()).await.expect("whole");
        let file = host
            .disk()
            .open("commitlog/1.log", OpenMode::Write)
            .await
            .expect("it is there");
        file.truncate(80).await.expect("healthy");
        let error = replay(&host, &Known::fresh())
            .await
            .expect_err("its end record is missing");
        assert!(matches!(
            error,
            CommitLogError::Record(RecordError::Corrupt { offset: 80, .. })
        ));
    });
}

#[test]
fn a_torn_tail_of_the_newest_segment_at_any_byte_stops_nothing() {
    alone(|host| async move {
        let positions = three_segments(&host, &Counter::default()).await;
        let path = "commitlog/3.log";
        let size = load(&host.disk(), path).await.expect("readable").len() as u64;
        let file = host
            .disk()
            .open(path, OpenMode::Write)
            .await
            .expect("it is there");
        for cut in (0..size).rev() {
            file.truncate(cut).await.expect("healthy");
            let (replayed, replay) = replay(&host, &Known::fresh()).await.expect("torn");
            let kept = |position: &&Position| position.segment < 3 || position.offset <= cut;
            let expected = positions.iter().filter(kept).count();
            assert_eq!(replayed.len(), 1 + expected, "cut at {cut}");
            assert!(replay.upper() >= replayed[expected].position);
        }
    });
}

#[test]
fn a_whole_record_without_a_mutation_is_corrupt() {
    alone(|host| async move {
        use cenotaph_engine::record::{FileKind, FileName, Writer, ensure_dir};
        ensure_dir(&host.disk(), "commitlog")
            .await
            .expect("healthy");
        let writer = Writer::new(
            FileName {
                kind: FileKind::CommitLog,
                id: 4,
            },
            None,
        );
        writer.append(&[b"short"]).expect("small");
        writer.create_whole(&host.disk()).await.expect("healthy");
        let error = replay(&host, &Known::fresh())
            .await
            .expect_err("no writer makes it");
        assert_eq!(
            error.to_string(),
            "commitlog/4.log is corrupt at offset 72: a record without a mutation"
        );
    });
}

#[test]
fn a_segment_with_an_id_not_yet_given_out_refuses_the_start() {
    alone(|host| async move {
        three_segments(&host, &Counter::default()).await;
        let error = start(&host, tiny(SyncMode::Batch), &Counter::default()).await;
        let error = error.expect_err("the counter was lost");
        assert_eq!(
            error.to_string(),
            "commitlog/3.log is there, though the next id to give out is 1"
        );
        assert!(error.is_corruption());
    });
}

#[test]
fn a_mutation_that_cannot_be_decoded_names_its_place() {
    alone(|host| async move {
        three_segments(&host, &Counter::default()).await;
        let (replayed, _) = replay(&host, &Known::fresh()).await.expect("whole");
        let error = replayed[0].undecodable("no columns");
        assert_eq!(
            error.to_string(),
            "commitlog/1.log is corrupt at offset 80: no columns"
        );
        assert_eq!(replayed[0].table, TableId(2));
    });
}

#[test]
fn segments_up_to_the_log_floor_are_not_judged_and_are_deleted() {
    alone(|host| async move {
        three_segments(&host, &Counter::default()).await;
        // As a deletion that a power cut undid leaves it: with newer segments, and torn.
        let file = host.disk().open("commitlog/1.log", OpenMode::Write).await;
        let file = file.expect("it is there");
        file.truncate(80).await.expect("healthy");
        let (segment, offset) = (1, 80);
        let bounds = Bounds {
            log_floor: Position { segment, offset },
            ..ALL
        };
        let opened = Replay::open(&host, Rc::default(), bounds).await;
        let mut replay = opened.expect("healthy");
        let mut segments = Vec::new();
        while let Some(some) = replay.next_segment(&Known::fresh()).await.expect("whole") {
            segments.extend(some.first().map(|first| first.position.segment));
        }
        assert_eq!(segments, [2, 3]);
        replay.delete().await.expect("healthy");
        let left = host.disk().list("commitlog").await.expect("readable");
        assert_eq!(left, [""; 0]);
    });
}

#[test]
fn a_segment_from_the_future_refuses_the_replay_before_anything_is_given() {
    alone(|host| async move {
        three_segments(&host, &Counter::default()).await;
        let bounds = Bounds { id_end: 3, ..ALL };
        let opened = Replay::open(&host, Rc::default(), bounds).await;
        let error = opened.expect_err("3 was not given out");
        assert_eq!(
            error.to_string(),
            "commitlog/3.log is there, though the next id to give out is 3"
        );
        assert!(error.is_corruption());
    });
}

#[test]
fn a_deletion_that_a_replay_saw_is_not_undone_by_a_power_cut() {
    let world = machine_with(7, Profile::Strict, |host| async move {
        let listing = "the crash comes with this";
        match host.incarnation() {
            1 => {
                three_segments(&host, &Counter::default()).await;
                for id in 1..=3 {
                    let path = format!("commitlog/{id}.log");
                    host.disk().remove(&path).await.expect("it is there");
                }
                host.disk().list("commitlog").await.expect(listing);
            }
            2 => {
                let (given, replay) = replay(&host, &Known::fresh()).await.expect("empty");
                assert_eq!((given.len(), replay.id_max()), (0, 0));
                host.disk().list("commitlog").await.expect(listing);
            }
            _ => {
                let left = host.disk().list("commitlog").await.expect("readable");
                assert_eq!(left, [""; 0]);
            }
        }
    });
    let kill = crash(CrashKind::ProcessKill);
    world.add_fault(at_request("n1/1/commitlog/list/1", kill));
    let power_cut = crash(CrashKind::PowerCut);
    world.add_fault(at_request("n1/2/commitlog/list/1", power_cut));
    run(&world);
    assert!(world.faults_waiting().is_empty(), "both crashes struck");
}
