//! Invariants under test: a disk that fails costs a flush or stops the node, with a clear error; nothing that was
//! acknowledged is lost.

use cenotaph_engine::message::{Answer, FailureCode};
use cenotaph_sim::disk::CrashKind;
use cenotaph_sim::fault::FaultKind;

use super::client::{Client, Outcome};
use super::cluster::{CONFIG, Cluster, NODE};
use crate::bench::for_each_point;

/// Writes and flushes with one failure somewhere; then a power cut, and all acknowledged rows are read.
async fn script(mut client: Client) -> Result<Vec<FailureCode>, String> {
    let (mut acknowledged, mut failures) = (Vec::new(), Vec::new());
    client.create("t").await;
    for c in 0..12 {
        match client.write("t", (1, c), c).await {
            Outcome::Answered(Answer::Written) => acknowledged.push((c, Some(c))),
            Outcome::Answered(Answer::Failed { code, .. }) => failures.push(code),
            Outcome::Answered(other) => return Err(format!("{other:?}")),
            Outcome::Unknown => {}
        }
        if c % 4 == 3
            && let Outcome::Answered(Answer::Failed { code, .. }) = client.flush("t").await
        {
            failures.push(code);
        }
    }
    client.crash_node(CrashKind::PowerCut).await;
    let rows = client.read("t", 1).await;
    match acknowledged.iter().find(|row| !rows.contains(row)) {
        None => Ok(failures),
        Some(lost) => Err(format!("{lost:?} is lost")),
    }
}

/// Fails each request of the first incarnation; gives how many requests were answered with a failure.
fn fail_each(fault: impl Fn() -> FaultKind) -> usize {
    let mut failures_count = 0;
    for_each_point(|point| {
        let (cluster, answer) = Cluster::new(91, CONFIG, script);
        cluster.strike(1, &point, fault());
        cluster.run();
        if !cluster.all_struck() {
            return false;
        }
        let result = answer
            .borrow_mut()
            .take()
            .expect("the client came to its end");
        let failures = result.unwrap_or_else(|lost| panic!("{point:?}: {lost}"));
        assert!(
            failures.iter().all(|code| *code != FailureCode::Corruption),
            "{point:?}"
        );
        failures_count += failures.len();
        true
    });
    failures_count
}

#[test]
fn an_io_error_loses_nothing_acknowledged() {
    assert!(fail_each(|| FaultKind::DiskError { machine: NODE }) > 10);
}

#[test]
fn a_failed_sync_loses_nothing_acknowledged() {
    assert!(fail_each(|| FaultKind::FailSync { machine: NODE }) > 5);
}

#[test]
fn a_full_disk_loses_nothing_acknowledged() {
    assert!(fail_each(|| FaultKind::NoSpace { machine: NODE }) > 3);
}

#[test]
fn a_failed_log_sync_stops_the_node_with_its_error() {
    let point = crate::bench::Point {
        role: "commitlog",
        kind: cenotaph_sim::fault::RequestKind::Sync,
        ordinal: 3,
    };
    let (cluster, _answer) = Cluster::new(92, CONFIG, script);
    cluster.strike(1, &point, FaultKind::FailSync { machine: NODE });
    cluster.run();
    assert_eq!(cluster.marks_count("node.commitlog-stopped"), 1);
    let words = cluster.last_words();
    assert!(
        words.len() == 1 && words[0].starts_with("sync commitlog/"),
        "{words:?}"
    );
}
