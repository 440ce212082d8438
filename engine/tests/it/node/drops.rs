//! Invariants under test: a dropped table stays dropped, with all it held, whatever crashes; a table of the same
//! name begins empty.

use std::time::Duration;

use cenotaph_engine::message::{Answer, Request};
use cenotaph_engine::schema::Change;
use cenotaph_sim::disk::CrashKind;

use super::client::{Client, Outcome, create, table};
use super::cluster::{CONFIG, Cluster, crash_fault};
use crate::bench::{CRASH_KINDS, for_each_point};

/// Drops a table with rows in sstables and in the log, creates it again, and reads.
async fn script(mut client: Client) -> Result<(), String> {
    client.create("t").await;
    client.create("other").await;
    client.write("other", (1, 1), 1).await;
    for c in 0..4 {
        client.write("t", (1, c), c).await;
    }
    let _either = client.flush("t").await;
    for c in 4..8 {
        client.write("t", (1, c), c).await;
    }
    client.drop_table("t").await;
    client.create("t").await;
    let before_writes = client.read("t", 1).await;
    if !before_writes.is_empty() {
        return Err(format!("the new table shows {before_writes:?}"));
    }
    let written = client.write("t", (1, 100), 100).await == Outcome::Answered(Answer::Written);
    client.crash_node(CrashKind::PowerCut).await;
    let rows = client.read("t", 1).await;
    let is_right = rows == [(100, Some(100))] || (rows.is_empty() && !written);
    if is_right {
        Ok(())
    } else {
        Err(format!("the new table shows {rows:?}"))
    }
}

#[test]
fn a_dropped_tables_rows_never_come_back_whatever_crashes() {
    for how in CRASH_KINDS {
        for_each_point(|point| {
            let (cluster, answer) = Cluster::new(81, CONFIG, script);
            cluster.strike(1, &point, crash_fault(how));
            cluster.run();
            let result = answer
                .borrow_mut()
                .take()
                .expect("the client came to its end");
            assert_eq!(result, Ok(()), "{how:?} {point:?}");
            assert_eq!(
                cluster.last_words(),
                Vec::<String>::new(),
                "{how:?} {point:?}"
            );
            cluster.all_struck()
        });
    }
}

#[test]
fn a_dropped_tables_files_go() {
    let (cluster, answer) = Cluster::new(82, CONFIG, |mut client| async move {
        client.create("t").await;
        client.write("t", (1, 1), 1).await;
        client.flush("t").await;
        client.drop_table("t").await;
        client.sleep(Duration::from_millis(10)).await;
        client.tables().await
    });
    cluster.run();
    assert_eq!(
        answer.take().expect("it came to its end"),
        Vec::<String>::new()
    );
    assert_eq!(
        cluster
            .with_disk(|disk| disk.list("data"))
            .expect("it is there"),
        Vec::<String>::new()
    );
}

#[test]
fn writes_that_race_a_drop_are_written_or_refused() {
    let (cluster, answer) = Cluster::new(83, CONFIG, |mut client| async move {
        for _ in 0..10 {
            client.insist(Request::Change(create("t"))).await;
            for c in 0..3 {
                let outcome = client.write("t", (1, c), c).await;
                assert_eq!(outcome, Outcome::Answered(Answer::Written));
            }
            client
                .insist(Request::Change(Change::DropTable { table: table("t") }))
                .await;
            let outcome = client.write("t", (1, 9), 9).await;
            assert!(
                matches!(outcome, Outcome::Answered(Answer::Refused { .. })),
                "{outcome:?}"
            );
        }
    });
    cluster.run();
    assert!(answer.borrow().is_some());
}
