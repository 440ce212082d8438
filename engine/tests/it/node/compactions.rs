//! Invariants under test: a compaction asked of a node, and a crash at any request of it, bring nothing dead back
//! and lose nothing alive.

use std::time::Duration;

use cenotaph_engine::compaction::CompactionReport;
use cenotaph_engine::keys::Value;
use cenotaph_engine::message::{Answer, Request, WriteStatement, WriteTarget};
use cenotaph_engine::read::{Stone, Stones};
use cenotaph_engine::schema::Change;
use cenotaph_sim::disk::CrashKind;

use super::client::{Client, Outcome, create, insert, table};
use super::cluster::{CONFIG, Cluster, crash_fault};
use crate::bench::{CRASH_KINDS, Point, for_each_point};

/// A table whose tombstones are kept for no second but their own.
async fn create_graceless(client: &mut Client, name: &str) {
    let mut change = create(name);
    if let Change::CreateTable {
        gc_grace_seconds, ..
    } = &mut change
    {
        *gc_grace_seconds = 0;
    }
    client.insist(Request::Change(change)).await;
}

fn delete(name: &str, (k, c): (i32, i32), timestamp: i64) -> WriteStatement {
    WriteStatement {
        timestamp,
        target: WriteTarget::DeleteRow {
            clustering: vec![("c".into(), Value::Int(c))],
        },
        ..insert(name, (k, c), 0)
    }
}

async fn compact(client: &mut Client, name: &str) -> Outcome {
    let name = Some(table(name));
    client.ask(Request::Compact { table: name }).await
}

fn report(outcome: &Outcome) -> CompactionReport {
    match outcome {
        Outcome::Answered(Answer::Compacted(report)) => **report,
        other => panic!("{other:?}"),
    }
}

async fn stones(client: &mut Client, name: &str, k: i32) -> Stones {
    let request = Request::Stones {
        table: table(name),
        partition_key: vec![("k".into(), Value::Int(k))],
    };
    match client.insist(request).await {
        Answer::Stones(stones) => *stones,
        other => panic!("{other:?}"),
    }
}

const A_SECOND: Duration = Duration::from_secs(1);

#[test]
fn a_compaction_forgets_a_deletion_after_its_second() {
    let (cluster, answer) = Cluster::new(301, CONFIG, |mut client| async move {
        create_graceless(&mut client, "t").await;
        client.write("t", (1, 1), 1).await;
        client.write("t", (1, 2), 2).await;
        client.flush("t").await;
        client.ask(Request::Write(delete("t", (1, 1), 5_000))).await;
        client.flush("t").await;
        let before = stones(&mut client, "t", 1).await;
        client.sleep(2 * A_SECOND).await;
        let done = report(&compact(&mut client, "t").await);
        let after = stones(&mut client, "t", 1).await;
        (before, done, after, client.read("t", 1).await)
    });
    cluster.run();
    let (before, done, after, rows) = answer.take().expect("it came to its end");
    assert!(
        matches!(
            before.rows[0].row,
            Some(Stone {
                timestamp: 5_000,
                ..
            })
        ),
        "{before:?}"
    );
    assert_eq!(
        (done.inputs_count, done.outputs_count, done.purged.rows),
        (2, 1, 1)
    );
    assert_eq!(done.now_seconds, done.gc_before_seconds);
    assert_eq!(after, Stones::default());
    assert_eq!(rows, [(2, Some(2))]);
}

#[test]
fn a_dirty_memtable_keeps_the_deletions_above_it() {
    let (cluster, answer) = Cluster::new(302, CONFIG, |mut client| async move {
        create_graceless(&mut client, "t").await;
        client.ask(Request::Write(delete("t", (1, 1), 5_000))).await;
        client.flush("t").await;
        client.sleep(2 * A_SECOND).await;
        client.write("t", (1, 1), 1).await;
        let done = report(&compact(&mut client, "t").await);
        (done, client.read("t", 1).await)
    });
    cluster.run();
    let (done, rows) = answer.take().expect("it came to its end");
    assert_eq!((done.kept_by_memtable.rows, done.purged.rows), (1, 0));
    assert_eq!(rows, []);
}

#[test]
fn all_tables_are_compacted_when_none_is_named() {
    let (cluster, answer) = Cluster::new(303, CONFIG, |mut client| async move {
        for name in ["t", "u"] {
            client.create(name).await;
            for c in 0..3 {
                client.write(name, (1, c), c).await;
                client.flush(name).await;
            }
        }
        client.ask(Request::Compact { table: None }).await
    });
    cluster.run();
    let done = report(&answer.take().expect("it came to its end"));
    assert_eq!((done.inputs_count, done.outputs_count), (6, 2));
}

#[test]
fn a_table_that_is_not_there_is_refused() {
    let (cluster, answer) = Cluster::new(304, CONFIG, |mut client| async move {
        let truncate = Request::Truncate { table: table("t") };
        [compact(&mut client, "t").await, client.ask(truncate).await]
    });
    cluster.run();
    for outcome in answer.take().expect("it came to its end") {
        let is_refused = matches!(outcome, Outcome::Answered(Answer::Refused { .. }));
        assert!(is_refused, "{outcome:?}");
    }
}

/// Rows, their deletion, and rows above it; then a compaction, and more of all. Then all is read back after a
/// power cut.
async fn script(mut client: Client) -> Result<(), String> {
    create_graceless(&mut client, "t").await;
    let mut must = Vec::new();
    for c in 0..6 {
        let outcome = client.write("t", (1, c), c).await;
        must.push(outcome == Outcome::Answered(Answer::Written));
    }
    client.flush("t").await;
    let mut is_deleted = [false; 6];
    for c in 0..3 {
        let outcome = client.ask(Request::Write(delete("t", (1, c), 5_000))).await;
        is_deleted[c as usize] = outcome == Outcome::Answered(Answer::Written);
    }
    client.flush("t").await;
    client.sleep(2 * A_SECOND).await;
    // Covered by the deletion, and in no sstable yet.
    client.write("t", (1, 0), 100).await;
    compact(&mut client, "t").await;
    client.flush("t").await;
    compact(&mut client, "t").await;
    client.crash_node(CrashKind::PowerCut).await;
    let rows = client.read("t", 1).await;
    for c in 0..6 {
        let is_there = rows.iter().any(|(at, _)| *at == c);
        if is_deleted[c as usize] && is_there {
            return Err(format!("{c} is back: {rows:?}"));
        }
        if c >= 3 && must[c as usize] && !is_there {
            return Err(format!("{c} is lost: {rows:?}"));
        }
    }
    Ok(())
}

fn attempt(key: u64, point: &Point, how: CrashKind) -> (bool, Result<(), String>) {
    let (cluster, answer) = Cluster::new(key, CONFIG, script);
    cluster.strike(1, point, crash_fault(how));
    let mut result = cluster.try_run();
    if result.is_ok() && !cluster.last_words().is_empty() {
        result = Err(format!("stopped: {:?}", cluster.last_words()));
    }
    let told = answer.borrow_mut().take().unwrap_or(Ok(()));
    (cluster.all_struck(), result.and(told))
}

#[test]
fn a_crash_at_any_request_around_a_compaction_brings_nothing_back() {
    for how in CRASH_KINDS {
        let points_count = for_each_point(|point| {
            let (struck, result) = attempt(305, &point, how);
            assert_eq!(result, Ok(()), "{how:?} {point:?}");
            struck
        });
        assert!(points_count > 100, "{points_count}");
    }
}
