//! Invariants under test: a table is truncated whole or not at all, durably once that is answered, whatever crashes.

use cenotaph_engine::message::{Answer, Request};
use cenotaph_sim::disk::CrashKind;

use super::client::{Client, Outcome, table};
use super::cluster::{CONFIG, Cluster, crash_fault};
use crate::bench::{CRASH_KINDS, for_each_point};

async fn truncate(client: &mut Client) -> Outcome {
    client.ask(Request::Truncate { table: table("t") }).await
}

/// Rows in sstables, in the memtable and in several segments; a truncation; a row more; a power cut; a look.
async fn script(mut client: Client) -> Result<(), String> {
    client.create("t").await;
    client.create("other").await;
    client.write("other", (1, 1), 1).await;
    let mut before = Vec::new();
    for c in 0..12 {
        let outcome = client.write("t", (1, c), c).await;
        if outcome == Outcome::Answered(Answer::Written) {
            before.push((c, Some(c)));
        }
        if c % 4 == 3 {
            client.flush("t").await;
        }
    }
    for c in 12..24 {
        let outcome = client.write("t", (1, c), c).await;
        if outcome == Outcome::Answered(Answer::Written) {
            before.push((c, Some(c)));
        }
    }
    let is_truncated = truncate(&mut client).await == Outcome::Answered(Answer::Truncated);
    let outcome = client.write("t", (1, 100), 100).await;
    let is_written = outcome == Outcome::Answered(Answer::Written);
    client.crash_node(CrashKind::PowerCut).await;
    let rows = client.read("t", 1).await;
    if is_written && !rows.contains(&(100, Some(100))) {
        return Err(format!("the row after the truncation is lost: {rows:?}"));
    }
    let old: Vec<_> = rows.into_iter().filter(|(c, _)| *c < 100).collect();
    let is_whole = before.iter().all(|row| old.contains(row));
    match old[..] {
        [] => Ok(()),
        _ if is_truncated => Err(format!("back after the truncation: {old:?}")),
        _ if !is_whole => Err(format!("half a truncation: {old:?}")),
        _ => Ok(()),
    }
}

#[test]
fn a_crash_at_any_request_leaves_all_or_nothing_of_a_truncated_table() {
    for how in CRASH_KINDS {
        let points_count = for_each_point(|point| {
            let (cluster, answer) = Cluster::new(311, CONFIG, script);
            cluster.strike(1, &point, crash_fault(how));
            cluster.run();
            let result = answer
                .borrow_mut()
                .take()
                .expect("the client came to its end");
            assert_eq!(result, Ok(()), "{how:?} {point:?}");
            assert_eq!(cluster.last_words(), Vec::<String>::new());
            cluster.all_struck()
        });
        assert!(points_count > 100, "{points_count}");
    }
}

#[test]
fn a_truncated_tables_files_go_and_it_takes_writes() {
    let (cluster, answer) = Cluster::new(312, CONFIG, |mut client| async move {
        client.create("t").await;
        client.write("t", (1, 1), 1).await;
        client.flush("t").await;
        client.write("t", (1, 2), 2).await;
        let outcome = truncate(&mut client).await;
        let emptied = client.read("t", 1).await;
        client.write("t", (1, 3), 3).await;
        (outcome, emptied, client.read("t", 1).await)
    });
    cluster.run();
    let (outcome, emptied, rows) = answer.take().expect("it came to its end");
    assert_eq!(outcome, Outcome::Answered(Answer::Truncated));
    assert_eq!((emptied, rows), (Vec::new(), vec![(3, Some(3))]));
    let files = cluster.with_disk(|disk| disk.list("data"));
    assert_eq!(files.expect("it is there"), Vec::<String>::new());
    assert_eq!(cluster.marks_count("truncate.done"), 1);
}
