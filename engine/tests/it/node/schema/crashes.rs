//! Invariants under test: whenever the machine goes down, the rows agree with the schema after the next start; a row that was
//! lost is back, a deletion that was lost leaves no ghost.

use std::time::Duration;

use cenotaph_engine::commitlog::{CommitLogOptions, SyncMode};
use cenotaph_engine::node::Config;
use cenotaph_sim::disk::CrashKind;
use cenotaph_sim::fault::RequestKind;

use super::agree::{BEGUN, ENDED, burst, check_rows, count, window};
use crate::bench::{CRASH_KINDS, Point, for_each_point};
use crate::node::client::Client;
use crate::node::cluster::{CONFIG, Cluster, crash_fault};

/// Changes, of which some are flushed; then two restarts.
async fn script(mut client: Client) -> Result<(), String> {
    burst(&mut client).await;
    client.sleep(Duration::from_millis(50)).await;
    check_rows(&mut client).await?;
    burst(&mut client).await;
    client.crash_node(CrashKind::PowerCut).await;
    check_rows(&mut client).await
}

fn attempt(key: u64, config: Config, strikes: &[(u32, Point, CrashKind)]) -> (bool, Cluster) {
    let (cluster, answer) = Cluster::new(key, config, script);
    for (incarnation, point, how) in strikes {
        cluster.strike(*incarnation, point, crash_fault(*how));
    }
    cluster.run();
    assert_eq!(answer.take(), Some(Ok(())), "{strikes:?}");
    assert_eq!(cluster.last_words(), Vec::<String>::new(), "{strikes:?}");
    (cluster.all_struck(), cluster)
}

#[test]
fn a_crash_at_any_request_of_a_burst_leaves_rows_that_agree_with_the_schema() {
    for (how, config) in CRASH_KINDS
        .into_iter()
        .zip([window(15), window(15), window(0)])
    {
        let (mut amid_flushes, mut mended) = (0, 0);
        let points = for_each_point(|point| {
            let (struck, cluster) = attempt(391, config, &[(1, point, how)]);
            let marks = cluster.schema_marks();
            amid_flushes += count(&marks, BEGUN) - count(&marks, ENDED);
            mended += cluster.marks_count("schema.reconciled-missing");
            struck
        });
        // Among them: between the flushes of any two of the tables, while one is armed, while rows wait for the log.
        assert!(
            points > 100 && amid_flushes > 20 && mended > 0,
            "{how:?}: {points} {amid_flushes} {mended}"
        );
    }
}

#[test]
fn a_second_crash_while_the_rows_are_mended_leaves_rows_that_agree() {
    let first = Point {
        role: "commitlog",
        kind: RequestKind::Sync,
        ordinal: 2,
    };
    for how in [CrashKind::KernelPanic, CrashKind::PowerCut] {
        for_each_point(|point| attempt(392, window(15), &[(1, first, how), (2, point, how)]).0);
    }
}

/// Acknowledged changes stay in the cache for long; only the metadata log is synced.
const UNSYNCED: Config = Config {
    commitlog: CommitLogOptions {
        mode: SyncMode::Periodic {
            period_millis: 80_000_000,
        },
        segment_size: 1 << 16,
    },
    ..CONFIG
};

#[test]
fn rows_that_the_log_lost_are_back_after_a_start() {
    for window_millis in [0, 60_000] {
        let config = Config {
            schema_flush_coalescing_window_millis: window_millis,
            ..UNSYNCED
        };
        let (cluster, answer) = Cluster::new(393, config, |mut client| async move {
            client.create("t").await;
            client.create("u").await;
            client.crash_node(CrashKind::PowerCut).await;
            check_rows(&mut client).await?;
            client.crash_node(CrashKind::PowerCut).await;
            check_rows(&mut client).await
        });
        cluster.run();
        assert_eq!(answer.take(), Some(Ok(())));
        let mended = cluster.marks_count("schema.reconciled-missing");
        assert_eq!(
            mended,
            u64::from(window_millis > 0),
            "once, and only without a flush"
        );
        assert_eq!(cluster.marks_count("schema.reconciled-ghost"), 0);
    }
}

#[test]
fn a_dropped_table_whose_deletion_the_log_lost_leaves_no_ghost() {
    let config = Config {
        schema_flush_coalescing_window_millis: 100,
        ..UNSYNCED
    };
    let (cluster, answer) = Cluster::new(394, config, |mut client| async move {
        client.create("t").await;
        client.create("u").await;
        client.sleep(Duration::from_secs(1)).await;
        client.drop_table("t").await;
        client.crash_node(CrashKind::PowerCut).await;
        check_rows(&mut client).await?;
        // The name comes back, and what was mended is not in its way.
        client.create("t").await;
        check_rows(&mut client).await?;
        client.sleep(Duration::from_secs(1)).await;
        client.crash_node(CrashKind::PowerCut).await;
        check_rows(&mut client).await
    });
    cluster.run();
    assert_eq!(answer.take(), Some(Ok(())));
    assert_eq!(cluster.marks_count("schema.reconciled-ghost"), 1);
    assert_eq!(cluster.marks_count("schema.reconciled-missing"), 0);
}

#[test]
fn a_table_of_a_lost_drop_and_creation_shows_the_new_one_alone() {
    let config = Config {
        schema_flush_coalescing_window_millis: 100,
        ..UNSYNCED
    };
    let (cluster, answer) = Cluster::new(395, config, |mut client| async move {
        client.create("t").await;
        client.insist(super::agree::add("t", "x")).await;
        client.sleep(Duration::from_secs(1)).await;
        client.drop_table("t").await;
        client.create("t").await;
        client.crash_node(CrashKind::PowerCut).await;
        check_rows(&mut client).await
    });
    cluster.run();
    assert_eq!(answer.take(), Some(Ok(())));
    assert_eq!(
        cluster.marks_count("schema.reconciled-ghost"),
        1,
        "the column"
    );
    assert_eq!(
        cluster.marks_count("schema.reconciled-missing"),
        1,
        "the table"
    );
}
