//! Invariants under test: requests get their answers; a restart changes nothing; what was sent before a crash
//! does not land after it.

use std::time::Duration;

use cenotaph_engine::message::{Answer, RefusalCode, Request};
use cenotaph_engine::schema::Change;
use cenotaph_sim::disk::CrashKind;

use super::client::{Client, Outcome, insert, table};
use super::cluster::{CONFIG, Cluster};
use crate::bench::CRASH_KINDS;

fn served<F, R>(main: F) -> Cluster
where
    F: FnOnce(Client) -> R + 'static,
    R: Future<Output = ()> + 'static,
{
    let (cluster, answer) = Cluster::new(51, CONFIG, main);
    cluster.run();
    assert!(answer.borrow().is_some());
    cluster
}

#[test]
fn what_was_written_is_read_from_memtables_sstables_and_both() {
    served(|mut client| async move {
        client.create("t").await;
        for (row, v) in [((1, 1), 11), ((1, 2), 12), ((2, 1), 21)] {
            assert_eq!(
                client.write("t", row, v).await,
                Outcome::Answered(Answer::Written)
            );
        }
        assert_eq!(client.read("t", 1).await, [(1, Some(11)), (2, Some(12))]);
        assert_eq!(client.flush("t").await, Outcome::Answered(Answer::Flushed));
        assert_eq!(client.read("t", 1).await, [(1, Some(11)), (2, Some(12))]);
        client.write("t", (1, 2), 22).await;
        client.write("t", (1, 3), 13).await;
        assert_eq!(
            client.read("t", 1).await,
            [(1, Some(11)), (2, Some(22)), (3, Some(13))]
        );
        assert_eq!(client.read("t", 3).await, []);
        assert_eq!(client.tables().await, ["t"]);
    });
}

#[test]
fn everything_is_there_after_each_kind_of_crash() {
    for how in CRASH_KINDS {
        let cluster = served(move |mut client| async move {
            client.create("t").await;
            client.create("u").await;
            client.write("t", (1, 1), 11).await;
            client.flush("t").await;
            client.write("t", (1, 2), 12).await;
            client.write("u", (1, 1), 31).await;
            for _ in 0..3 {
                client.crash_node(how).await;
                assert_eq!(client.tables().await, ["t", "u"]);
                assert_eq!(client.read("t", 1).await, [(1, Some(11)), (2, Some(12))]);
                assert_eq!(client.read("u", 1).await, [(1, Some(31))]);
            }
        });
        assert_eq!(cluster.last_words(), Vec::<String>::new());
    }
}

#[test]
fn what_does_not_fit_the_schema_is_refused() {
    served(|mut client| async move {
        let refused = |outcome| match outcome {
            Outcome::Answered(Answer::Refused { code, .. }) => code,
            other => panic!("{other:?}"),
        };
        assert_eq!(
            refused(client.write("t", (1, 1), 1).await),
            RefusalCode::UnknownTable
        );
        assert_eq!(refused(client.flush("t").await), RefusalCode::UnknownTable);
        client.create("t").await;
        let again = client
            .ask(Request::Change(super::client::create("t")))
            .await;
        assert_eq!(refused(again), RefusalCode::TableExists);
        let mut statement = insert("t", (1, 1), 1);
        statement.partition_key[0].0 = "x".into();
        assert_eq!(
            refused(client.ask(Request::Write(statement)).await),
            RefusalCode::UnknownColumn
        );
        let drop = Change::DropTable { table: table("u") };
        assert_eq!(
            refused(client.ask(Request::Change(drop)).await),
            RefusalCode::UnknownTable
        );
    });
}

#[test]
fn a_drained_node_has_nothing_to_replay_and_takes_no_more() {
    let cluster = served(|mut client| async move {
        client.create("t").await;
        for c in 0..30 {
            client.write("t", (1, c), c).await;
        }
        assert_eq!(
            client.ask(Request::Drain).await,
            Outcome::Answered(Answer::Drained)
        );
        client.sleep(Duration::from_millis(100)).await;
        assert_eq!(client.read("t", 1).await.len(), 30);
    });
    assert_eq!(cluster.last_words(), ["ok"]);
    assert_eq!(cluster.marks_count("replay.applied"), 0);
}

#[test]
fn a_crash_after_writes_has_something_to_replay() {
    let cluster = served(|mut client| async move {
        client.create("t").await;
        client.write("t", (1, 1), 1).await;
        client.crash_node(CrashKind::ProcessKill).await;
        assert_eq!(client.read("t", 1).await, [(1, Some(1))]);
    });
    assert_eq!(cluster.marks_count("replay.applied"), 1);
}

#[test]
fn an_overwritten_row_stays_deleted_across_sstables() {
    served(|mut client| async move {
        client.create("t").await;
        client.write("t", (1, 1), 10).await;
        client.flush("t").await;
        let mut delete = insert("t", (1, 1), 20);
        delete.target = cenotaph_engine::message::WriteTarget::DeletePartition;
        client.insist(Request::Write(delete)).await;
        assert_eq!(client.read("t", 1).await, []);
        client.flush("t").await;
        client.write("t", (1, 1), 5).await;
        assert_eq!(client.read("t", 1).await, []);
        client.crash_node(CrashKind::PowerCut).await;
        assert_eq!(client.read("t", 1).await, []);
        client.write("t", (1, 1), 30).await;
        assert_eq!(client.read("t", 1).await, [(1, Some(30))]);
    });
}
