//! Invariants under test: a flush that fails fails no change, and is tried again after a pause; whatever request
//! fails, the rows agree in the end.

use std::time::Duration;

use cenotaph_engine::flush::FlushOptions;
use cenotaph_engine::node::Config;
use cenotaph_sim::disk::CrashKind;
use cenotaph_sim::fault::{FaultKind, RequestKind};

use super::agree::{
    ARMED, BEGUN, ENDED, FAILED, burst, check_flushes, check_rows, count, times, window,
};
use crate::bench::{Point, for_each_point};
use crate::node::client::Client;
use crate::node::cluster::{CONFIG, Cluster, NODE};

const FIRST_SSTABLE: Point = Point {
    role: "data",
    kind: RequestKind::Sync,
    ordinal: 0,
};

async fn script(mut client: Client) -> Result<(), String> {
    client.create("t").await;
    client.sleep(Duration::from_secs(5)).await;
    check_rows(&mut client).await
}

#[test]
fn a_failed_flush_is_tried_again_after_a_pause() {
    let retry_millis = 300;
    let config = Config {
        flush: FlushOptions {
            retry_millis,
            ..CONFIG.flush
        },
        ..window(1_000)
    };
    let (cluster, answer) = Cluster::new(381, config, script);
    cluster.strike(1, &FIRST_SSTABLE, FaultKind::FailSync { machine: NODE });
    cluster.run();
    assert_eq!(answer.take(), Some(Ok(())));
    let marks = cluster.schema_marks();
    assert_eq!((count(&marks, FAILED), count(&marks, ENDED)), (1, 1));
    assert_eq!((count(&marks, ARMED), count(&marks, BEGUN)), (2, 2));
    let pause = times(&marks, BEGUN)[1].since(times(&marks, FAILED)[0]);
    assert_eq!(pause.as_millis(), u128::from(retry_millis));
    assert_eq!(check_flushes(&marks, Duration::from_millis(1_001)), Ok(()));
    assert_eq!(
        cluster.last_words(),
        Vec::<String>::new(),
        "the node goes on"
    );
}

#[test]
fn a_failed_flush_of_a_change_without_a_window_does_not_fail_the_change() {
    let (cluster, answer) = Cluster::new(382, window(0), script);
    cluster.strike(1, &FIRST_SSTABLE, FaultKind::FailSync { machine: NODE });
    cluster.run();
    assert_eq!(answer.take(), Some(Ok(())));
    let marks = cluster.schema_marks();
    assert_eq!((count(&marks, FAILED), count(&marks, ENDED)), (1, 1));
    assert_eq!(count(&marks, ARMED), 1, "only the second try is armed");
}

#[test]
fn a_failed_flush_leaves_its_rows_in_the_log() {
    let config = Config {
        flush: FlushOptions {
            retry_millis: 60_000,
            ..CONFIG.flush
        },
        ..window(10)
    };
    let (cluster, answer) = Cluster::new(383, config, |mut client| async move {
        client.create("t").await;
        client.sleep(Duration::from_secs(1)).await;
        client.crash_node(CrashKind::PowerCut).await;
        check_rows(&mut client).await
    });
    cluster.strike(1, &FIRST_SSTABLE, FaultKind::FailSync { machine: NODE });
    cluster.run();
    assert_eq!(answer.take(), Some(Ok(())));
    assert_eq!(cluster.marks_count("replay.applied"), 1);
    assert_eq!(cluster.marks_count("schema.reconciled-missing"), 0);
}

/// Changes with one failure somewhere; then a power cut.
async fn failing(mut client: Client) -> Result<(), String> {
    burst(&mut client).await;
    client.sleep(Duration::from_millis(300)).await;
    check_rows(&mut client).await?;
    client.crash_node(CrashKind::PowerCut).await;
    check_rows(&mut client).await
}

#[test]
fn whatever_request_fails_the_rows_agree_in_the_end() {
    let faults = [
        FaultKind::DiskError { machine: NODE },
        FaultKind::FailSync { machine: NODE },
        FaultKind::NoSpace { machine: NODE },
    ];
    for fault in faults {
        let mut failed = 0;
        let points = for_each_point(|point| {
            let (cluster, answer) = Cluster::new(384, window(15), failing);
            cluster.strike(1, &point, fault.clone());
            cluster.run();
            assert_eq!(answer.take(), Some(Ok(())), "{fault:?} {point:?}");
            failed += count(&cluster.schema_marks(), FAILED);
            cluster.all_struck()
        });
        assert!(points > 10 && failed > 2, "{fault:?}: {points} {failed}");
    }
}
