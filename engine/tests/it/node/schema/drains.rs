//! Invariants under test: a drain flushes what is armed, once, waits for what is under way, and leaves nothing to replay
//! and nothing to come.

use std::time::Duration;

use cenotaph_engine::message::{Answer, Request};

use super::agree::{
    ARMED, BEGUN, ENDED, add, burst, check_flushes, check_rows, count, times, window,
};
use crate::node::client::{Client, Outcome, create};
use crate::node::cluster::Cluster;

async fn drain(client: &mut Client) {
    let drained = client.ask(Request::Drain).await;
    assert_eq!(drained, Outcome::Answered(Answer::Drained));
}

/// Drains after `wait`, lets the node start again, and checks the rows.
async fn script(mut client: Client, wait: Duration) -> Result<(), String> {
    burst(&mut client).await;
    client.sleep(wait).await;
    drain(&mut client).await;
    client.sleep(Duration::from_millis(200)).await;
    check_rows(&mut client).await
}

#[test]
fn a_drain_flushes_what_is_armed_once_and_nothing_comes_later() {
    let (cluster, answer) =
        Cluster::new(371, window(60_000), |client| script(client, Duration::ZERO));
    cluster.run();
    assert_eq!(answer.take(), Some(Ok(())));
    assert_eq!(cluster.last_words(), ["ok"]);
    let marks = cluster.schema_marks();
    assert_eq!(
        (
            count(&marks, ARMED),
            count(&marks, BEGUN),
            count(&marks, ENDED)
        ),
        (1, 1, 1)
    );
    assert_eq!(cluster.marks_count("replay.applied"), 0);
    assert_eq!(cluster.marks_count("schema.reconciled-missing"), 0);
}

#[test]
fn a_drain_without_anything_armed_flushes_nothing_more() {
    let (cluster, answer) = Cluster::new(372, window(20), |client| {
        script(client, Duration::from_secs(1))
    });
    cluster.run();
    assert_eq!(answer.take(), Some(Ok(())));
    let marks = cluster.schema_marks();
    assert_eq!(count(&marks, ARMED), count(&marks, BEGUN));
    assert_eq!(cluster.marks_count("replay.applied"), 0);
}

#[test]
fn a_drain_waits_for_a_flush_under_way_and_flushes_no_second_time() {
    let mut met = 0;
    for tenths in (150..230).step_by(2) {
        let wait = Duration::from_micros(100 * tenths);
        let (cluster, answer) = Cluster::new(373, window(20), move |mut client| async move {
            client.create("t").await;
            client.sleep(wait).await;
            drain(&mut client).await;
            client.sleep(Duration::from_millis(200)).await;
            check_rows(&mut client).await
        });
        cluster.run();
        assert_eq!(answer.take(), Some(Ok(())), "{wait:?}");
        let marks = cluster.schema_marks();
        assert_eq!(
            (count(&marks, BEGUN), count(&marks, ENDED)),
            (1, 1),
            "{wait:?}"
        );
        assert_eq!(check_flushes(&marks, Duration::from_millis(21)), Ok(()));
        assert_eq!(cluster.marks_count("replay.applied"), 0, "{wait:?}");
        let waited = times(&marks, BEGUN)[0].since(times(&marks, ARMED)[0]);
        met += usize::from(waited.as_millis() == 20);
    }
    assert!(
        met > 3 && met < 37,
        "some drains came before the flush, some after: {met}"
    );
}

#[test]
fn a_change_after_a_drain_began_is_refused() {
    let (cluster, answer) = Cluster::new(374, window(60_000), |mut client| async move {
        client.create("t").await;
        for request in [Request::Drain, Request::Change(create("u")), add("t", "x")] {
            // Sent without waiting for an answer, so that it comes while the node drains.
            client.send_only(request).await;
        }
        client.sleep(Duration::from_millis(300)).await;
        let tables = client.tables().await;
        check_rows(&mut client).await.map(|()| tables)
    });
    cluster.run();
    assert_eq!(answer.take(), Some(Ok(vec!["t".to_owned()])));
    assert_eq!(cluster.last_words(), ["ok"]);
    assert_eq!(count(&cluster.schema_marks(), BEGUN), 1);
}
