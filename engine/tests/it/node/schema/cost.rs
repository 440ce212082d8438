//! Invariants of cost: flushes and sstables of a burst of changes, with a window and without.

use std::fmt::Write;
use std::time::Duration;

use cenotaph_engine::message::{Answer, Request};
use cenotaph_snapshots::golden;

use super::agree::{APPLIED, BEGUN, check_rows, count, window};
use crate::node::client::Outcome;
use crate::node::cluster::Cluster;

fn sstables(cluster: &Cluster) -> usize {
    cluster.with_disk(|disk| disk.list("data").map_or(0, |names| names.len()))
}

/// What 30 creations, one after the other, cost; then a drain, at once or after a quiet time.
fn measure(text: &mut String, window_millis: u64, quiet: Duration) {
    let (cluster, answer) =
        Cluster::new(421, window(window_millis), move |mut client| async move {
            for n in 0..30 {
                client.create(&format!("t{n:02}")).await;
            }
            client.sleep(quiet).await;
            let rows = check_rows(&mut client).await;
            let drained = client.ask(Request::Drain).await;
            assert_eq!(drained, Outcome::Answered(Answer::Drained));
            rows
        });
    cluster.run();
    assert_eq!(answer.take(), Some(Ok(())));
    let marks = cluster.schema_marks();
    let (applied, begun) = (count(&marks, APPLIED), count(&marks, BEGUN));
    let files = sstables(&cluster);
    writeln!(
        text,
        "{window_millis:>6} {:>6} {applied:>8} {begun:>8} {files:>9}",
        quiet.as_millis()
    )
    .expect("a string takes all");
}

#[test]
fn a_burst_of_changes_shares_its_flushes_within_a_window() {
    let mut text = String::from("window  quiet  applied  flushes  sstables\n");
    for quiet in [Duration::ZERO, Duration::from_secs(3)] {
        for window_millis in [60_000, 1_000, 0] {
            measure(&mut text, window_millis, quiet);
        }
    }
    golden!(
        "engine/node",
        "schema_flushes",
        "30 creations and a drain: flushes of the schema's tables, and sstables in all, by window.",
        text
    );
}
