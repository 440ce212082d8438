//! Invariants of traces: fingerprints see every word and their order; timelines read like a story.

use std::rc::Rc;
use std::time::Duration;

use bytes::Bytes;
use cenotaph_sim::disk::CrashKind;
use cenotaph_sim::entropy::RunKey;
use cenotaph_sim::fault::{Anchor, Fault, FaultKind};
use cenotaph_sim::host::{Host, OpenMode};
use cenotaph_sim::trace::{
    CHECKPOINT_EVENTS, Event, Fingerprint, Kind, Timeline, Trace, first_difference, watch,
};
use cenotaph_sim::world::{World, WorldOptions};
use cenotaph_snapshots::golden;

use crate::support::{machine, quiet, until};

/// One machine that writes to a log, is cut off twice, and goes on.
fn story(options: WorldOptions, extra_sleep: bool) -> World {
    let mut world = World::new(options);
    let controls = world.controls();
    let node = quiet(move |host: Host| {
        let controls = controls.clone();
        async move {
            let disk = host.disk();
            let file = disk.open("log", OpenMode::Create).await.expect("space");
            disk.sync_dir("").await.expect("an honest disk");
            if extra_sleep && host.incarnation() == 2 {
                host.clock().sleep(Duration::from_millis(1)).await;
            }
            let begin = file.len().await.expect("readable");
            tracing::info!("the log holds {begin} bytes");
            for round in 0..3_u64 {
                file.write_at(begin + 4 * round, Bytes::from_static(b"word"))
                    .await
                    .expect("space");
                match file.sync_data().await {
                    Ok(()) => tracing::info!(round, "synced"),
                    Err(error) => tracing::warn!("{error}"),
                }
                host.clock().sleep(Duration::from_millis(5)).await;
            }
            if host.incarnation() == 3 {
                controls.finish();
            }
            std::future::pending::<()>().await;
        }
    });
    let address = world.add_machine(machine("n1"), node);
    let down = Duration::from_millis(50);
    for (text, kind) in [
        (
            "n1/1/log/sync/1",
            FaultKind::Crash {
                machine: address,
                how: CrashKind::PowerCut,
                down,
            },
        ),
        ("n1/2/log/sync/1", FaultKind::FailSync { machine: address }),
        (
            "n1/2/log/write/2",
            FaultKind::Crash {
                machine: address,
                how: CrashKind::ProcessKill,
                down,
            },
        ),
    ] {
        world.add_fault(Fault {
            anchor: Anchor::Disk(text.parse().expect("an anchor")),
            kind,
        });
    }
    world.boot(address);
    world.run(until(10_000));
    world
}

#[test]
fn a_timeline_tells_what_happened_and_is_observation_only() {
    let timeline = Timeline::new();
    let observed = watch(timeline.layer(tracing::Level::DEBUG), || {
        let options = WorldOptions {
            observed: true,
            ..WorldOptions::new(RunKey(11))
        };
        story(options, false).trace().fingerprint().clone()
    });
    let alone = story(WorldOptions::new(RunKey(11)), false)
        .trace()
        .fingerprint()
        .clone();
    assert_eq!(observed, alone);
    golden!(
        "sim/trace",
        "timeline_of_two_crashes",
        "A timeline reads as a story: boots, crashes, failed syncs, each with virtual time and place.",
        timeline.render()
    );
}

#[test]
fn the_first_event_that_differs_is_shown_with_both_contexts() {
    let run = |extra_sleep| {
        let options = WorldOptions {
            window: Some(0..CHECKPOINT_EVENTS),
            ..WorldOptions::new(RunKey(11))
        };
        story(options, extra_sleep).trace().finish()
    };
    let ((left, left_events), (right, right_events)) = (run(false), run(true));
    assert_eq!(left.differing_window(&right), Some((0, CHECKPOINT_EVENTS)));
    let difference = first_difference(&left_events, &right_events).expect("they differ");
    golden!(
        "sim/trace",
        "first_difference",
        "Two runs that differ in one sleep: the first event that differs, what came before, what after.",
        difference.to_string()
    );
    assert_eq!(first_difference(&left_events, &left_events), None);
}

#[test]
fn a_fingerprint_sees_each_word_each_kind_and_the_order() {
    let of = |events: &[(Kind, [u64; 3])]| {
        let mut fingerprint = Fingerprint::default();
        for (kind, words) in events {
            fingerprint.absorb(*kind, *words);
        }
        fingerprint.value()
    };
    let base = [
        (Kind::Poll, [1, 2, 3]),
        (Kind::Send, [0, 0, 0]),
        (Kind::Send, [0, 0, 1]),
    ];
    let mut seen = vec![of(&base)];
    for index in 0..3 {
        for word in 0..3 {
            for bit in [0, 17, 63] {
                let mut changed = base;
                changed[index].1[word] ^= 1 << bit;
                seen.push(of(&changed));
            }
        }
        let mut changed = base;
        changed[index].0 = Kind::Note;
        seen.push(of(&changed));
    }
    seen.push(of(&[base[1], base[0], base[2]]));
    seen.push(of(&base[..2]));
    let count = seen.len();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(
        seen.len(),
        count,
        "two different histories have one fingerprint"
    );
}

#[test]
fn a_difference_after_many_events_is_found_in_its_window() {
    let run = |odd_one: u64| {
        let mut trace = Trace::new(Some(2 * CHECKPOINT_EVENTS..3 * CHECKPOINT_EVENTS));
        for index in 0..4 * CHECKPOINT_EVENTS {
            let word = if index == odd_one { 1 } else { 0 };
            trace.event(Kind::Note, [index, word, 0], || format!("note {index}"));
        }
        trace.finish()
    };
    let odd_one = 2 * CHECKPOINT_EVENTS + 77;
    let ((left, left_events), (right, right_events)) = (run(odd_one), run(u64::MAX));
    assert_eq!(
        left.differing_window(&right),
        Some((2 * CHECKPOINT_EVENTS, 3 * CHECKPOINT_EVENTS))
    );
    let difference = first_difference(&left_events, &right_events).expect("they differ");
    assert_eq!(difference.index, odd_one);
    let first: &Event = &difference.left[0];
    assert_eq!(first.text, format!("note {odd_one}"));
}

#[test]
fn five_thousand_runs_leave_no_world_no_task_and_no_page_behind() {
    for key in 0..5_000 {
        let world = story(WorldOptions::new(RunKey(key)), false);
        assert!(world.tasks_count() > 0, "the last incarnation still waits");
        let ground = Rc::new(world);
        drop(ground);
        assert_eq!(World::alive_count(), 0);
    }
    assert_eq!(cenotaph_sim::disk::pages_alive(), 0);
}
