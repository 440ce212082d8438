//! Invariants under test: one flush a window, due a window after the first change of it; no change is forgotten; a new window
//! is for changes to come; the wall clock has no part in it.

use std::time::Duration;

use cenotaph_engine::flush::FlushOptions;
use cenotaph_engine::message::{Answer, Request};
use cenotaph_engine::node::Config;
use cenotaph_sim::entropy::{Ratio, RunKey};
use cenotaph_sim::fault::{Anchor, Fault, FaultKind};
use cenotaph_sim::time::Instant;
use cenotaph_sim::world::WorldOptions;

use super::agree::{
    APPLIED, ARMED, BEGUN, ENDED, add, burst, check_flushes, check_rows, count, set_window, times,
    window,
};
use crate::node::client::{Client, Outcome};
use crate::node::cluster::{CONFIG, Cluster, NODE};

type Marks = Vec<(Instant, &'static str)>;

fn run<F, R>(key: u64, config: Config, main: F) -> Marks
where
    F: FnOnce(Client) -> R + 'static,
    R: Future<Output = Result<(), String>> + 'static,
{
    let (cluster, answer) = Cluster::new(key, config, main);
    cluster.run();
    assert_eq!(answer.take(), Some(Ok(())));
    cluster.schema_marks()
}

const SECOND: Duration = Duration::from_secs(1);

#[test]
fn many_changes_of_a_window_share_one_flush_due_after_the_first() {
    let marks = run(311, window(1_000), |mut client| async move {
        burst(&mut client).await;
        client.sleep(3 * SECOND).await;
        check_rows(&mut client).await
    });
    assert_eq!((count(&marks, APPLIED), count(&marks, BEGUN)), (8, 1));
    let first = times(&marks, APPLIED)[0];
    let waited = times(&marks, BEGUN)[0].since(first);
    assert!(
        waited >= SECOND && waited < SECOND + Duration::from_millis(1),
        "{waited:?}"
    );
    assert_eq!(check_flushes(&marks, waited), Ok(()));
}

#[test]
fn a_change_during_a_flush_is_flushed_by_it_or_by_the_next() {
    let mut during = 0;
    for key in 320..340 {
        let marks = run(key, window(7), |mut client| async move {
            client.create("t").await;
            for n in 0..12 {
                client.insist(add("t", &format!("x{n}"))).await;
            }
            client.sleep(SECOND).await;
            check_rows(&mut client).await
        });
        let limit = Duration::from_millis(40);
        assert_eq!(check_flushes(&marks, limit), Ok(()), "{key}");
        assert!(count(&marks, BEGUN) > 1, "{key}");
        during += marks
            .windows(2)
            .filter(|pair| pair[0].1 == BEGUN && pair[1].1 == APPLIED)
            .count();
    }
    assert!(during > 5, "{during}");
}

#[test]
fn without_a_window_each_change_is_flushed_before_its_answer() {
    let marks = run(341, window(0), |mut client| async move {
        burst(&mut client).await;
        check_rows(&mut client).await
    });
    assert_eq!((count(&marks, APPLIED), count(&marks, ENDED)), (8, 8));
    assert_eq!(count(&marks, ARMED), 0);
    assert_eq!(check_flushes(&marks, Duration::ZERO), Ok(()));
}

#[test]
fn a_window_of_zero_flushes_in_the_next_change_what_was_armed_before() {
    let marks = run(342, window(60_000), |mut client| async move {
        client.create("t").await;
        set_window(&mut client, 0).await;
        client.sleep(SECOND).await;
        client.create("u").await;
        client.sleep(70 * SECOND).await;
        check_rows(&mut client).await
    });
    assert_eq!((count(&marks, ARMED), count(&marks, BEGUN)), (1, 1));
    let (begun, second) = (times(&marks, BEGUN)[0], times(&marks, APPLIED)[1]);
    assert_eq!(
        begun, second,
        "the second change flushes, and nothing comes later"
    );
}

#[test]
fn a_shorter_window_leaves_what_is_armed_due_when_it_was() {
    let marks = run(343, window(60_000), |mut client| async move {
        client.create("t").await;
        set_window(&mut client, 100).await;
        client.create("u").await;
        client.sleep(61 * SECOND).await;
        client.create("w").await;
        client.sleep(SECOND).await;
        check_rows(&mut client).await
    });
    let (applied, begun) = (times(&marks, APPLIED), times(&marks, BEGUN));
    assert_eq!((applied.len(), begun.len()), (3, 2));
    assert_eq!(begun[0].since(applied[0]).as_secs(), 60);
    assert_eq!(begun[1].since(applied[2]).as_millis(), 100);
}

#[test]
fn a_wall_clock_that_jumps_changes_no_delay_and_no_row() {
    for micros in [-86_400_000_000, 86_400_000_000] {
        let (cluster, answer) = Cluster::new(344, window(1_000), |mut client| async move {
            client.create("t").await;
            client.sleep(2 * SECOND).await;
            client.drop_table("t").await;
            check_rows(&mut client).await?;
            client.create("t").await;
            client.sleep(2 * SECOND).await;
            client
                .crash_node(cenotaph_sim::disk::CrashKind::PowerCut)
                .await;
            check_rows(&mut client).await
        });
        let jump = FaultKind::ClockJump {
            machine: NODE,
            micros,
        };
        let at = cluster.world.now().after(SECOND);
        cluster.world.add_fault(Fault {
            anchor: Anchor::At(at),
            kind: jump,
        });
        cluster.run();
        assert_eq!(answer.take(), Some(Ok(())), "{micros}");
        let marks = cluster.schema_marks();
        let limit = SECOND + Duration::from_millis(2);
        assert_eq!(check_flushes(&marks, limit), Ok(()), "{micros}");
        assert_eq!(cluster.marks_count("schema.reconciled-ghost"), 0);
    }
}

#[test]
fn a_node_that_stalls_for_longer_than_the_window_flushes_late_and_once() {
    for key in 350..360 {
        let options = WorldOptions {
            stall: Ratio::new(1, 20).expect("a ratio"),
            stall_nanos_max: 200_000_000,
            ..WorldOptions::new(RunKey(key))
        };
        let (cluster, answer) = Cluster::in_world(options, window(20), |mut client| async move {
            burst(&mut client).await;
            client.sleep(10 * SECOND).await;
            check_rows(&mut client).await
        });
        cluster.run();
        assert_eq!(answer.take(), Some(Ok(())), "{key}");
        let marks = cluster.schema_marks();
        assert_eq!(check_flushes(&marks, 5 * SECOND), Ok(()), "{key}");
        assert_eq!(count(&marks, BEGUN), count(&marks, ARMED), "{key}");
    }
}

#[test]
fn flushes_that_others_ask_for_meanwhile_do_no_harm() {
    let small = FlushOptions {
        memtable_size_max: 400,
        log_size_max: 2_048,
        ..CONFIG.flush
    };
    let config = Config {
        flush: small,
        ..window(5)
    };
    for key in 360..366 {
        let marks = run(key, config, |mut client| async move {
            client.create("t").await;
            for n in 0..10 {
                client.insist(add("t", &format!("x{n}"))).await;
                // The log is under pressure, and all tables are flushed by request too.
                client.write("t", (1, n), n).await;
                if n % 3 == 0 {
                    let flushed = client.ask(Request::Flush { table: None }).await;
                    assert_eq!(flushed, Outcome::Answered(Answer::Flushed));
                }
            }
            client.sleep(SECOND).await;
            check_rows(&mut client).await
        });
        let limit = Duration::from_millis(60);
        assert_eq!(check_flushes(&marks, limit), Ok(()), "{key}");
    }
}

#[test]
fn changes_over_hours_keep_the_commit_log_small() {
    let (cluster, answer) = Cluster::new(367, window(1_000), |mut client| async move {
        client.create("t").await;
        for n in 0..60 {
            client.insist(add("t", &format!("x{n}"))).await;
            client.sleep(120 * SECOND).await;
        }
        check_rows(&mut client).await
    });
    cluster.run();
    assert_eq!(answer.take(), Some(Ok(())));
    let segments = cluster.with_disk(|disk| disk.list("commitlog").expect("there is one").len());
    assert!(segments <= 2, "{segments}");
    // The creation and the first column share a window.
    assert_eq!(count(&cluster.schema_marks(), BEGUN), 60);
}
