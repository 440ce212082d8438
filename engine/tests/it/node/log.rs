//! Invariants under test: what a start finds in the log, however the node went down before. The planted bugs P03
//! and P30 break this.

use cenotaph_engine::message::Answer;
use cenotaph_sim::disk::CrashKind;
use cenotaph_sim::fault::RequestKind;

use super::client::{Client, Outcome};
use super::cluster::{CONFIG, Cluster, crash_fault};
use crate::bench::Point;

/// The rows that were acknowledged, and those that are read.
type Rows = (Vec<i32>, Vec<i32>);

/// Runs `script`; a node that does not serve again is told as an error.
fn rows_of<F, R>(key: u64, strike: Option<Point>, script: F) -> Result<Rows, String>
where
    F: FnOnce(Client) -> R + 'static,
    R: Future<Output = Rows> + 'static,
{
    let (cluster, answer) = Cluster::new(key, CONFIG, script);
    if let Some(point) = &strike {
        cluster.strike(1, point, crash_fault(CrashKind::PowerCut));
    }
    let ended = cluster.try_run();
    let words = cluster.last_words();
    match ended {
        Ok(()) if words.is_empty() => Ok(answer.take().expect("the script ended")),
        Ok(()) => Err(format!("{words:?}")),
        Err(error) => Err(error),
    }
}

/// One table is written and never flushed, then another is written and flushed; then the power is cut.
async fn one_table_never_flushed(mut client: Client) -> Rows {
    client.create("idle").await;
    client.create("busy").await;
    for c in 0..5 {
        client.write("idle", (1, c), c).await;
    }
    client.write("busy", (1, 9), 9).await;
    client.flush("busy").await;
    client.crash_node(CrashKind::PowerCut).await;
    let rows = client.read("idle", 1).await;
    let read = rows.into_iter().map(|(c, _)| c).collect();
    ((0..5).collect(), read)
}

#[test]
fn a_table_that_was_never_flushed_is_replayed_whole() {
    let (acknowledged, read) = rows_of(81, None, one_table_never_flushed).expect("it serves");
    assert_eq!(acknowledged, read);
}

#[cfg(feature = "planted")]
#[test]
fn a_replay_that_begins_at_flushed_tables_only_loses_the_others() {
    use cenotaph_engine::planted::{Plant, choose};

    let _guard = choose(Some(Plant::P30));
    let rows = rows_of(81, None, one_table_never_flushed);
    assert_eq!(rows, Ok(((0..5).collect(), Vec::new())));
}

/// Writes one after the other. The node goes down in the middle of one; those after it are acknowledged by the
/// next incarnation, which goes down, too.
async fn two_power_cuts(mut client: Client) -> Rows {
    client.create("t").await;
    let mut acknowledged = Vec::new();
    for c in 0..WRITES_COUNT {
        let outcome = client.write("t", (1, c), c).await;
        if outcome == Outcome::Answered(Answer::Written) {
            acknowledged.push(c);
        }
    }
    client.crash_node(CrashKind::PowerCut).await;
    let rows = client.read("t", 1).await;
    (acknowledged, rows.into_iter().map(|(c, _)| c).collect())
}

const WRITES_COUNT: i32 = 8;

/// What became of the writes, for a first crash at each sync of the log, each with a few keys.
fn after_torn_tails() -> (usize, usize) {
    let (mut lost_count, mut refused_count) = (0, 0);
    for ordinal in 1..=8 {
        for key in 0..12 {
            let point = Point {
                role: "commitlog",
                kind: RequestKind::Sync,
                ordinal,
            };
            match rows_of(key, Some(point), two_power_cuts) {
                Ok((acknowledged, read)) => {
                    let is_lost = acknowledged.iter().any(|c| !read.contains(c));
                    lost_count += usize::from(is_lost);
                }
                Err(error) => {
                    assert!(error.contains("corrupt"), "{error}");
                    refused_count += 1;
                }
            }
        }
    }
    (lost_count, refused_count)
}

#[test]
fn what_is_written_after_a_torn_tail_survives_the_next_power_cut() {
    assert_eq!(after_torn_tails(), (0, 0));
}

/// The records themselves say that the file was synced beyond the tear: then the start refuses. A last
/// record that no other follows is lost in silence.
#[cfg(feature = "planted")]
#[test]
fn a_log_that_goes_on_behind_a_torn_tail_loses_or_refuses() {
    use cenotaph_engine::planted::{Plant, choose};

    let _guard = choose(Some(Plant::P03));
    let (lost_count, refused_count) = after_torn_tails();
    assert!(lost_count > 0 && refused_count > 0);
}
