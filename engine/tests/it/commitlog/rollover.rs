//! Invariants of rollover: segments follow one another, each whole before the next begins.

use std::fmt::Write;

use cenotaph_engine::commitlog::{CommitLogError, CommitLogOptions, Position, SyncMode};
use cenotaph_engine::error::{Class, Classify};
use cenotaph_engine::record::load;
use cenotaph_snapshots::golden;

use super::{Counter, Known, T, U, put, replay, start, texts, tiny};
use crate::support::alone;

#[test]
fn a_full_segment_is_followed_by_the_next_and_all_is_replayed_in_order() {
    alone(|host| async move {
        let counter = Counter::default();
        let log = start(&host, tiny(SyncMode::Batch), &counter)
            .await
            .expect("healthy");
        let mut positions = Vec::new();
        for n in 0..40 {
            let reservation = log
                .reserve(T, format!("mutation {n}").as_bytes())
                .expect("small");
            positions.push(reservation.position());
            log.commit(reservation).await.expect("healthy");
        }
        assert_eq!(log.position(), positions[39]);
        log.close().await.expect("healthy");
        let segments: Vec<_> = log.dirty().into_iter().map(|(id, _)| id).collect();
        assert_eq!(segments, [1, 2, 3, 4]);

        let (replayed, replay) = replay(&host, &Known::fresh()).await.expect("whole");
        let expected: Vec<_> = (0..40).map(|n| format!("mutation {n}")).collect();
        assert_eq!(texts(&replayed), expected);
        assert!(replayed.iter().map(|one| one.position).eq(positions));
        assert_eq!(
            (replay.id_max(), replay.upper()),
            (4, replayed[39].position)
        );
        for segment in &segments[..3] {
            let bytes = load(&host.disk(), &format!("commitlog/{segment}.log")).await;
            assert!(
                bytes.expect("readable").len() <= 512 + 24,
                "soft by the end record"
            );
        }
    });
}

#[test]
fn reservations_made_at_once_keep_their_order_across_segments() {
    alone(|host| async move {
        let counter = Counter::default();
        let log = start(&host, tiny(SyncMode::Batch), &counter)
            .await
            .expect("healthy");
        // None of these awaits: all are in memory before the first is written.
        let reservations: Vec<_> = (0..60)
            .map(|n| log.reserve(U, format!("{n}").as_bytes()).expect("small"))
            .collect();
        assert!(reservations.is_sorted_by_key(|reservation| reservation.position()));
        for reservation in reservations.into_iter().rev() {
            log.commit(reservation).await.expect("healthy");
        }
        let (replayed, _) = replay(&host, &Known::fresh()).await.expect("whole");
        assert_eq!(
            texts(&replayed),
            (0..60).map(|n| n.to_string()).collect::<Vec<_>>()
        );
    });
}

#[test]
fn a_mutation_above_half_a_segment_is_refused() {
    alone(|host| async move {
        let log = start(&host, tiny(SyncMode::Batch), &Counter::default())
            .await
            .expect("healthy");
        let size_max = log.options().mutation_size_max();
        let error = log
            .reserve(T, &vec![1; size_max + 1])
            .expect_err("too large");
        assert_eq!(
            error,
            CommitLogError::MutationTooLarge {
                size: size_max + 1,
                size_max
            }
        );
        assert_eq!(error.class(), Class::Refused);
        put(&log, T, &vec![1; size_max]).await.expect("just within");
    });
}

#[test]
fn more_than_may_wait_is_refused_until_it_is_written() {
    alone(|host| async move {
        let options = CommitLogOptions {
            mode: SyncMode::Batch,
            ..CommitLogOptions::default()
        };
        let log = start(&host, options, &Counter::default())
            .await
            .expect("healthy");
        let mutation = vec![7; 8 << 20];
        let mut last = None;
        let error = loop {
            match log.reserve(T, &mutation) {
                Ok(reservation) => last = Some(reservation),
                Err(error) => break error,
            }
        };
        assert!(matches!(error, CommitLogError::Behind { .. }) && error.is_retryable());
        log.commit(last.expect("some fitted"))
            .await
            .expect("there is room for seven");
        // Written, they wait no more. But the disk is full soon.
        let error = loop {
            if let Err(error) = put(&log, T, &mutation).await {
                break error;
            }
        };
        assert_eq!(error.class(), Class::DiskFull, "{error}");
    });
}

#[test]
fn a_closed_log_takes_no_more_and_has_synced_all() {
    alone(|host| async move {
        let mode = SyncMode::Periodic {
            period_millis: 60_000,
        };
        let log = start(&host, tiny(mode), &Counter::default())
            .await
            .expect("healthy");
        let reservation = log.reserve(T, b"late").expect("small");
        log.close().await.expect("healthy");
        assert_eq!(log.commit(reservation).await, Ok(()));
        assert_eq!(
            log.reserve(T, b"too late").map(|_| ()),
            Err(CommitLogError::Closed)
        );
        assert_eq!(log.stopped().await, CommitLogError::Closed);
        assert!(
            host.clock().monotonic().as_nanos() < 1_000_000_000,
            "no waiting for the period"
        );
    });
}

#[test]
fn knobs_outside_their_bounds_are_refused() {
    alone(|host| async move {
        for options in [
            CommitLogOptions {
                mode: SyncMode::Batch,
                segment_size: 511,
            },
            CommitLogOptions {
                mode: SyncMode::Batch,
                segment_size: (1 << 30) + 1,
            },
            tiny(SyncMode::Periodic { period_millis: 0 }),
            tiny(SyncMode::Group {
                window_millis: 86_400_001,
            }),
        ] {
            let refused = start(&host, options, &Counter::default()).await;
            assert!(
                matches!(refused, Err(CommitLogError::Knob { .. })),
                "{options:?}"
            );
        }
    });
}

#[test]
fn the_bytes_of_segments_are_frozen() {
    alone(|host| async move {
        let log = start(&host, tiny(SyncMode::Batch), &Counter::default())
            .await
            .expect("healthy");
        let large = vec![0xee; log.options().mutation_size_max()];
        put(&log, T, b"mutation").await.expect("healthy");
        put(&log, U, &large).await.expect("healthy");
        put(&log, T, &large).await.expect("healthy");
        put(&log, T, &large).await.expect("healthy");
        assert_eq!(
            log.position(),
            Position {
                segment: 2,
                offset: 256
            }
        );
        let mut text = String::new();
        for path in ["commitlog/1.log", "commitlog/2.log"] {
            let bytes = load(&host.disk(), path).await.expect("readable");
            writeln!(text, "{path}, {} bytes", bytes.len()).expect("a string takes all");
            let mut last = None;
            for (row, line) in bytes.chunks(8).enumerate() {
                // Runs of equal lines are left out.
                if last.replace(line) != Some(line) {
                    let hex: Vec<_> = line.iter().map(|byte| format!("{byte:02x}")).collect();
                    writeln!(text, "{:>4}  {}", 8 * row, hex.join(" "))
                        .expect("a string takes all");
                }
            }
        }
        let proves =
            "Version 1 of segments: three mutations and the end record, then the next segment.";
        golden!("engine/commitlog", "segments", proves, text);
    });
}
