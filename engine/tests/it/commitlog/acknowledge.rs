//! Invariants of acknowledgement: what each mode promises, at every crash.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::Duration;

use cenotaph_engine::commitlog::{CommitLogOptions, SyncMode};
use cenotaph_sim::disk::{CrashKind, Profile};
use cenotaph_sim::fault::{Anchor, Fault};
use cenotaph_sim::host::Host;
use cenotaph_sim::time::Instant;
use cenotaph_sim::world::World;

use super::{Counter, Known, T, put, replay, start, texts, tiny};
use crate::support::{alone, crash, machine_with, power_cut_at_each, run};

/// What was tried, and when what was acknowledged.
#[derive(Default)]
struct History {
    tried: RefCell<BTreeSet<String>>,
    acknowledged: RefCell<Vec<(Instant, String)>>,
    has_ended: Cell<bool>,
    replayed: RefCell<Vec<String>>,
}

async fn write(host: Host, options: CommitLogOptions, history: Rc<History>) {
    let log = start(&host, options, &Counter::default())
        .await
        .expect("healthy");
    let mut writers = Vec::new();
    for writer in 0..4 {
        let (log, history, clock) = (log.clone(), Rc::clone(&history), host.clock());
        writers.push(host.spawn("writer", async move {
            for n in 0..12 {
                let text = format!("write {n} of writer {writer}");
                history.tried.borrow_mut().insert(text.clone());
                put(&log, T, text.as_bytes()).await.expect("healthy");
                history
                    .acknowledged
                    .borrow_mut()
                    .push((clock.monotonic(), text));
                clock.sleep(Duration::from_millis(3)).await;
            }
        }));
    }
    for writer in writers {
        writer.await.expect("it ends");
    }
    history.has_ended.set(true);
}

/// Incarnation 1 writes; the next one replays.
fn world(key: u64, options: CommitLogOptions, history: &Rc<History>) -> World {
    let history = Rc::clone(history);
    machine_with(key, Profile::PosixAdversarial, move |host| {
        let history = Rc::clone(&history);
        async move {
            if host.incarnation() == 1 {
                return write(host, options, history).await;
            }
            let (replayed, _) = replay(&host, &Known::fresh())
                .await
                .expect("an honest disk");
            *history.replayed.borrow_mut() = texts(&replayed);
        }
    })
}

/// What was replayed was tried, and none of it twice; gives what was acknowledged and is lost.
fn lost(history: &History) -> Vec<(Instant, String)> {
    let replayed = history.replayed.borrow();
    let distinct: BTreeSet<_> = replayed.iter().cloned().collect();
    assert_eq!(distinct.len(), replayed.len(), "nothing twice");
    assert!(
        distinct.is_subset(&history.tried.borrow()),
        "nothing that was not written"
    );
    let acknowledged = history.acknowledged.borrow();
    acknowledged
        .iter()
        .filter(|(_, text)| !distinct.contains(text))
        .cloned()
        .collect()
}

#[test]
fn in_batch_and_group_every_acknowledged_write_survives_a_power_cut_at_any_request() {
    for mode in [SyncMode::Batch, SyncMode::Group { window_millis: 5 }] {
        let history = RefCell::new(Rc::new(History::default()));
        let acknowledged = Cell::new(0);
        let make = |key| {
            *history.borrow_mut() = Rc::default();
            world(key, tiny(mode), &history.borrow())
        };
        let kinds = ["open", "write", "sync", "sync-dir"];
        let runs = power_cut_at_each("commitlog", &kinds, 0..2, make, |_, anchor| {
            let history = history.borrow();
            if !history.has_ended.get() {
                assert_eq!(lost(&history), [], "{mode}, {anchor}");
            }
            acknowledged.set(acknowledged.get() + history.acknowledged.borrow().len());
        });
        assert!(
            runs > 40 && acknowledged.get() > 500,
            "{runs} runs, {}",
            acknowledged.get()
        );
    }
}

/// Crashes at many instants; gives, over all runs, how long before its crash the oldest lost write was
/// acknowledged, and how many were lost.
fn losses(options: CommitLogOptions, how: CrashKind) -> (Duration, usize) {
    let (mut oldest, mut count) = (Duration::ZERO, 0);
    for key in 0..40 {
        let history = Rc::new(History::default());
        let world = world(key, options, &history);
        let at = Instant::from_nanos(2_000_000 + key * 1_100_000);
        world.add_fault(Fault {
            anchor: Anchor::At(at),
            kind: crash(how),
        });
        run(&world);
        if history.has_ended.get() {
            continue;
        }
        for (acknowledged, _) in lost(&history) {
            oldest = oldest.max(at.since(acknowledged));
            count += 1;
        }
    }
    (oldest, count)
}

#[test]
fn a_killed_process_loses_nothing_acknowledged_in_any_mode() {
    for mode in [
        SyncMode::Batch,
        SyncMode::Group { window_millis: 5 },
        SyncMode::Periodic {
            period_millis: 10_000,
        },
    ] {
        assert_eq!(
            losses(tiny(mode), CrashKind::ProcessKill),
            (Duration::ZERO, 0),
            "{mode}"
        );
    }
}

#[test]
fn in_periodic_a_power_cut_loses_only_what_was_acknowledged_within_the_window() {
    for how in [CrashKind::PowerCut, CrashKind::KernelPanic] {
        let period = Duration::from_millis(10);
        let large = |period_millis| {
            let mode = SyncMode::Periodic { period_millis };
            CommitLogOptions {
                mode,
                ..CommitLogOptions::default()
            }
        };
        let (oldest, count) = losses(large(10), how);
        assert!(count > 0, "the window is real");
        // The simulated disk's syncs take a few milliseconds.
        let sync_max = Duration::from_millis(15);
        assert!(oldest <= period.max(sync_max) + sync_max, "{oldest:?}");
        let (oldest, _) = losses(large(10_000), how);
        assert!(
            oldest > Duration::from_millis(20),
            "a longer period loses more: {oldest:?}"
        );
    }
}

#[test]
fn a_group_shares_a_sync_and_waits_for_it() {
    alone(|host| async move {
        let window = Duration::from_millis(40);
        let mode = SyncMode::Group { window_millis: 40 };
        let log = start(&host, tiny(mode), &Counter::default())
            .await
            .expect("healthy");
        let begin = host.clock().monotonic();
        let one = log.reserve(T, b"one").expect("small");
        let two = log.reserve(T, b"two").expect("small");
        log.commit(two).await.expect("healthy");
        let after = host.clock().monotonic();
        assert!(after.since(begin) >= window);
        log.commit(one).await.expect("healthy");
        assert_eq!(host.clock().monotonic(), after, "the same sync covers both");
        let begin = host.clock().monotonic();
        let reservation = log.reserve(T, b"in a hurry").expect("small");
        log.sync().await.expect("healthy");
        log.commit(reservation).await.expect("healthy");
        assert!(
            host.clock().monotonic().since(begin) < window,
            "an asked-for sync waits for nobody"
        );
    });
}
