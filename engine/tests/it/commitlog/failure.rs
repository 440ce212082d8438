//! Invariants of failure: everyone who waits is told, and the log never goes on.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use cenotaph_engine::commitlog::{CommitLog, CommitLogError, CommitLogOptions, SyncMode};
use cenotaph_engine::error::{Class, Classify};
use cenotaph_sim::disk::Profile;
use cenotaph_sim::fault::FaultKind;
use cenotaph_sim::host::Host;

use super::{Counter, Known, T, put, replay, start, texts, tiny};
use crate::support::{MACHINE, at_request, machine_with, run};

type Answers = Rc<RefCell<Vec<Result<(), CommitLogError>>>>;

/// Five writers that share one sync, and what each is told.
async fn five_writers(host: &Host, log: &CommitLog) -> Vec<Result<(), CommitLogError>> {
    let answers = Answers::default();
    let mut writers = Vec::new();
    for n in 0..5_u8 {
        let (log, answers) = (log.clone(), Rc::clone(&answers));
        writers.push(host.spawn("writer", async move {
            let answer = put(&log, T, &[n]).await;
            answers.borrow_mut().push(answer);
        }));
    }
    for writer in writers {
        writer.await.expect("it ends");
    }
    answers.take()
}

const GROUP: SyncMode = SyncMode::Group { window_millis: 50 };

#[test]
fn a_failed_sync_is_told_to_all_who_wait_and_stops_the_log() {
    let world = machine_with(1, Profile::Strict, |host| async move {
        let log = start(&host, tiny(GROUP), &Counter::default())
            .await
            .expect("healthy");
        let answers = five_writers(&host, &log).await;
        assert_eq!(answers.len(), 5);
        for answer in answers {
            let error = answer.expect_err("nothing was synced");
            assert_eq!(error.class(), Class::Io);
            assert!(
                error.to_string().starts_with("sync commitlog/1.log: "),
                "{error}"
            );
        }
        let error = log.reserve(T, b"later").expect_err("stopped for good");
        assert!(matches!(error, CommitLogError::Stopped { .. }));
        assert_eq!(error.class(), Class::Stopped);
        assert_eq!(
            log.stopped().await.class(),
            Class::Io,
            "the node learns of it"
        );
    });
    world.add_fault(at_request(
        "n1/1/commitlog/sync/1",
        FaultKind::FailSync { machine: MACHINE },
    ));
    run(&world);
    assert_eq!(world.marks().count("commitlog.sync-failed"), 1);
}

#[cfg(feature = "planted")]
#[test]
fn the_planted_bug_tells_the_first_waiter_only_and_goes_on() {
    use cenotaph_engine::planted::{Plant, choose};

    let _guard = choose(Some(Plant::P36));
    let world = machine_with(1, Profile::Strict, |host| async move {
        let log = start(&host, tiny(GROUP), &Counter::default())
            .await
            .expect("healthy");
        let answers = five_writers(&host, &log).await;
        assert_eq!(answers.iter().filter(|answer| answer.is_err()).count(), 1);
        put(&log, T, b"later").await.expect("the log goes on");
    });
    world.add_fault(at_request(
        "n1/1/commitlog/sync/1",
        FaultKind::FailSync { machine: MACHINE },
    ));
    run(&world);
}

#[test]
fn a_failed_write_stops_the_log_in_every_mode() {
    for mode in [
        SyncMode::Batch,
        GROUP,
        SyncMode::Periodic { period_millis: 100 },
    ] {
        for (kind, class) in [
            (FaultKind::NoSpace { machine: MACHINE }, Class::DiskFull),
            (FaultKind::DiskError { machine: MACHINE }, Class::Io),
        ] {
            let world = machine_with(1, Profile::Strict, move |host| async move {
                let log = start(&host, tiny(mode), &Counter::default())
                    .await
                    .expect("healthy");
                for answer in five_writers(&host, &log).await {
                    assert_eq!(answer.expect_err("not written").class(), class);
                }
                assert_eq!(log.stopped().await.class(), class);
            });
            world.add_fault(at_request("n1/1/commitlog/write/1", kind));
            run(&world);
        }
    }
}

/// What the fourth record is after its write failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Left {
    Nothing,
    Torn,
    Whole,
}

/// Fails the write of a record behind three that were acknowledged, and reads the segment again.
fn fourth_fails(key: u64) -> Left {
    let left = Rc::new(Cell::new(Left::Nothing));
    let seen = Rc::clone(&left);
    let world = machine_with(key, Profile::Strict, move |host| {
        let seen = Rc::clone(&seen);
        async move {
            let options = CommitLogOptions {
                segment_size: 8 << 10,
                ..tiny(SyncMode::Batch)
            };
            let counter = Counter::default();
            let log = start(&host, options, &counter).await.expect("healthy");
            for text in ["a", "b", "c"] {
                put(&log, T, text.as_bytes()).await.expect("healthy");
            }
            let fourth = "d".repeat(3_000);
            let error = put(&log, T, fourth.as_bytes()).await;
            assert_eq!(error.expect_err("not written").class(), Class::Io);
            let (given, replay) = replay(&host, &Known::fresh()).await.expect("no corruption");
            let texts = texts(&given);
            assert_eq!(texts[..3], ["a", "b", "c"], "acknowledged");
            seen.set(match texts.get(3) {
                Some(text) => {
                    assert_eq!(*text, fourth, "whole, or not at all");
                    Left::Whole
                }
                None => Left::Nothing,
            });
            replay.delete().await.expect("healthy");
        }
    });
    world.add_fault(at_request(
        "n1/1/commitlog/write/4",
        FaultKind::DiskError { machine: MACHINE },
    ));
    run(&world);
    let torn_count = world.marks().count("commitlog.torn-tail");
    match left.get() {
        Left::Nothing if torn_count > 0 => Left::Torn,
        left => left,
    }
}

#[test]
fn a_record_that_a_failed_write_left_torn_takes_none_of_those_before_it() {
    let mut all: Vec<Left> = (0..40).map(fourth_fails).collect();
    all.sort();
    all.dedup();
    assert_eq!(all, [Left::Nothing, Left::Torn, Left::Whole]);
}

#[test]
fn a_segment_that_cannot_be_begun_stops_the_log() {
    let world = machine_with(1, Profile::Strict, |host| async move {
        let log = start(&host, tiny(SyncMode::Batch), &Counter::default())
            .await
            .expect("healthy");
        let error = loop {
            if let Err(error) = put(&log, T, &[1; 100]).await {
                break error;
            }
        };
        assert_eq!(error.to_string(), log.stopped().await.to_string());
        assert!(error.to_string().contains("commitlog/2.log"), "{error}");
    });
    let fault = FaultKind::DiskError { machine: MACHINE };
    world.add_fault(at_request("n1/1/commitlog/sync-dir/1", fault));
    run(&world);
}

#[test]
fn without_ids_the_log_stops() {
    let world = machine_with(1, Profile::Strict, |host| async move {
        let ids = cenotaph_engine::commitlog::segment_ids(|| async {
            let kind = std::io::ErrorKind::StorageFull;
            let error = std::io::Error::from(kind);
            Err(cenotaph_engine::error::IoFailure::new("write", "manifest/1.log", &error).into())
        });
        let options = tiny(SyncMode::Batch);
        let error = CommitLog::start(&host, options, Rc::default(), ids).await;
        assert_eq!(
            error.expect_err("it begins with an id").class(),
            Class::DiskFull
        );
    });
    run(&world);
}
