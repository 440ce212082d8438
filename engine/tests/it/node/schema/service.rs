//! Invariants under test: clients read the schema's own tables, and change nothing there; rows follow each change before
//! its answer; a restart changes nothing.

use std::time::Duration;

use cenotaph_engine::keys::Value;
use cenotaph_engine::message::{Answer, RefusalCode, Request, WriteStatement, WriteTarget};
use cenotaph_engine::schema::{Change, TableName};
use cenotaph_engine::system::{SYSTEM_KEYSPACE, SystemTable};
use cenotaph_sim::disk::CrashKind;

use super::agree::{add, burst, check_rows, drop_column, rows, set_window, window};
use crate::bench::CRASH_KINDS;
use crate::node::client::{Client, Outcome, create, table};
use crate::node::cluster::{CONFIG, Cluster};

fn served<F, R>(main: F) -> Cluster
where
    F: FnOnce(Client) -> R + 'static,
    R: Future<Output = ()> + 'static,
{
    let (cluster, answer) = Cluster::new(301, CONFIG, main);
    cluster.run();
    assert!(answer.borrow().is_some());
    cluster
}

#[test]
fn the_rows_of_a_change_are_there_with_its_answer() {
    served(|mut client| async move {
        assert_eq!(check_rows(&mut client).await, Ok(()));
        let drop = |name| Request::Change(Change::DropTable { table: table(name) });
        for request in [
            Request::Change(create("t")),
            add("t", "x"),
            Request::Change(create("u")),
            drop_column("t", "x"),
            add("t", "x"),
            drop("t"),
            Request::Change(create("t")),
            drop("t"),
            drop("u"),
        ] {
            let answer = client.insist(request).await;
            assert!(matches!(answer, Answer::Changed { .. }), "{answer:?}");
            assert_eq!(check_rows(&mut client).await, Ok(()));
        }
        assert_eq!(rows(&mut client).await, []);
    });
}

#[test]
fn a_client_changes_nothing_in_the_keyspace_of_the_schema() {
    served(|mut client| async move {
        client.create("t").await;
        let tables = SystemTable::Tables.definition().name.clone();
        let write = WriteStatement {
            table: tables.clone(),
            partition_key: vec![("keyspace_name".into(), Value::Text("ks".into()))],
            timestamp: 1,
            ttl_seconds: None,
            target: WriteTarget::DeletePartition,
        };
        let mut made = create("t");
        if let Change::CreateTable { name, .. } = &mut made {
            *name = TableName::new(SYSTEM_KEYSPACE, "mine");
        }
        for request in [
            Request::Write(write),
            Request::Change(made),
            Request::Change(Change::DropTable {
                table: tables.clone(),
            }),
            Request::Truncate {
                table: tables.clone(),
            },
        ] {
            let outcome = client.ask(request).await;
            let Outcome::Answered(Answer::Refused { code, message }) = outcome else {
                panic!("{outcome:?}");
            };
            assert_eq!(code, RefusalCode::Invalid);
            assert_eq!(message, "keyspace system_schema belongs to the system");
        }
        assert_eq!(check_rows(&mut client).await, Ok(()));
        assert_eq!(client.tables().await, ["t"], "described are users' tables");
    });
}

#[test]
fn a_window_above_the_maximum_is_refused() {
    served(|mut client| async move {
        let millis = cenotaph_engine::limits::SCHEMA_FLUSH_WINDOW_MILLIS_MAX;
        set_window(&mut client, millis).await;
        let millis = millis + 1;
        let outcome = client.ask(Request::SetSchemaFlushWindow { millis }).await;
        let refused = matches!(outcome, Outcome::Answered(Answer::Refused { .. }));
        assert!(refused, "{outcome:?}");
    });
}

#[test]
fn a_restart_after_a_quiet_time_mends_nothing_and_writes_nothing() {
    for how in CRASH_KINDS {
        let (cluster, answer) = Cluster::new(302, window(10), move |mut client| async move {
            burst(&mut client).await;
            client.sleep(Duration::from_millis(200)).await;
            client.crash_node(how).await;
            check_rows(&mut client).await
        });
        cluster.run();
        assert_eq!(answer.take(), Some(Ok(())), "{how:?}");
        assert_eq!(cluster.marks_count("replay.applied"), 0);
        assert_eq!(cluster.marks_count("schema.reconciled-missing"), 0);
        assert_eq!(cluster.marks_count("schema.reconciled-ghost"), 0);
    }
}

#[test]
fn a_restart_from_the_commit_log_alone_mends_nothing() {
    let (cluster, answer) = Cluster::new(303, window(60_000), |mut client| async move {
        burst(&mut client).await;
        client.crash_node(CrashKind::PowerCut).await;
        check_rows(&mut client).await?;
        client.crash_node(CrashKind::PowerCut).await;
        check_rows(&mut client).await
    });
    cluster.run();
    assert_eq!(answer.take(), Some(Ok(())));
    assert_eq!(
        cluster.marks_count("replay.applied"),
        1,
        "the first restart flushes"
    );
    assert_eq!(cluster.marks_count("schema.flush-begun"), 0);
    assert_eq!(cluster.marks_count("schema.reconciled-missing"), 0);
    assert_eq!(cluster.marks_count("schema.reconciled-ghost"), 0);
}
