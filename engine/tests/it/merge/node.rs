//! Invariants of cases on a node: whether no write is flushed, or each before the next, or they are compacted
//! then, and in whatever order they come, a client sees the same.

use cenotaph_engine::keys::{Order, Text, Value};
use cenotaph_engine::message::{Answer, ReadStatement, Request, ResultSet, WriteStatement};
use cenotaph_engine::schema::{Change, ColumnDefinition, ColumnKind, TableName};
use cenotaph_sim::disk::CrashKind;

use super::case::{Case, select};
use super::notation::seen;
use super::statements::v;
use super::tables::create;
use super::{cells, collections, deletions, ranges, rows};
use crate::node::client::Client;
use crate::node::cluster::{CONFIG, Cluster};

/// Cases in which no second plays a part, on tables that ascend.
fn cases() -> Vec<Case> {
    let groups = [
        cells::all(),
        rows::all(),
        deletions::all(),
        collections::all(),
        ranges::all(),
    ];
    let all = groups.into_iter().flatten();
    all.filter(|case| case.is_timeless() && case.order == Order::Ascending)
        .collect()
}

/// Tables under test, by what befalls the writes of a case.
const TABLES: [&str; 3] = ["kept", "flushed", "compacted"];

fn table(name: &str) -> TableName {
    TableName::new("k", name)
}

fn partition(number: i32) -> Vec<(Text, Value)> {
    vec![("pk".into(), Value::Int(number))]
}

async fn done(client: &mut Client, request: Request) {
    match client.insist(request).await {
        Answer::Written | Answer::Flushed | Answer::Compacted(_) | Answer::Changed { .. } => {}
        other => panic!("{other:?}"),
    }
}

async fn read(client: &mut Client, name: &str, number: i32) -> ResultSet {
    let statement = ReadStatement {
        table: table(name),
        partition_key: partition(number),
        ..select()
    };
    match client.insist(Request::Read(statement)).await {
        Answer::Rows(rows) => rows,
        other => panic!("{other:?}"),
    }
}

/// Writes a case to a partition of a table, in its order or the opposite.
async fn write(client: &mut Client, case: &Case, name: &str, number: i32, backwards: bool) {
    let mut writes = case.writes.clone();
    if backwards {
        writes.reverse();
    }
    for write in writes {
        let statement = WriteStatement {
            table: table(name),
            partition_key: partition(number),
            ..write.statement
        };
        done(client, Request::Write(statement)).await;
        if name != "kept" {
            let table = Some(table(name));
            done(client, Request::Flush { table }).await;
        }
    }
    if name == "compacted" {
        let table = Some(table(name));
        done(client, Request::Compact { table }).await;
    }
}

#[test]
fn every_case_is_the_same_on_a_node_flushed_or_not_compacted_or_not_in_either_order() {
    let main = |mut client: Client| async move {
        let cases = cases();
        for name in TABLES {
            done(&mut client, Request::Change(create(name, Order::Ascending))).await;
        }
        let mut number = 0;
        for case in &cases {
            for backwards in [false, true] {
                for name in TABLES {
                    write(&mut client, case, name, number, backwards).await;
                    let found = seen(&read(&mut client, name, number).await);
                    // A list is in the order in which its elements came.
                    let is_list = case.seen[0].1.contains("l=[");
                    if !(is_list && backwards) {
                        assert_eq!(found, case.seen[0].1, "{} in {name}", case.name);
                    }
                }
                number += 1;
            }
        }
        // All once more from what a start finds.
        client.crash_node(CrashKind::PowerCut).await;
        for (number, case) in (0..).step_by(2).zip(&cases) {
            for name in TABLES {
                let found = seen(&read(&mut client, name, number).await);
                assert_eq!(
                    found, case.seen[0].1,
                    "{} in {name} after a crash",
                    case.name
                );
            }
        }
        cases.len()
    };
    let (cluster, count) = Cluster::new(1, CONFIG, main);
    cluster.run();
    let count = count.take().expect("the script ended");
    assert!(count > 70, "{count} cases");
}

#[test]
fn a_replayed_write_from_before_a_drop_stays_hidden_when_the_column_is_back() {
    let main = |mut client: Client| async move {
        done(&mut client, Request::Change(create("t", Order::Ascending))).await;
        for (number, timestamp) in [(1, 50), (2, 101)] {
            let statement = WriteStatement {
                partition_key: partition(number),
                ..v(timestamp, "x").statement
            };
            done(&mut client, Request::Write(statement)).await;
        }
        let (dropped, column) = (table("t"), "v".to_owned());
        let drop = Change::DropColumn {
            table: dropped,
            column: column.into(),
            dropped_micros: 100,
        };
        let column = ColumnDefinition {
            name: "v".into(),
            data_type: cenotaph_engine::keys::DataType::Text.into(),
            kind: ColumnKind::Regular,
        };
        let add = Change::AddColumn {
            table: table("t"),
            column,
        };
        for change in [drop, add] {
            done(&mut client, Request::Change(change)).await;
        }
        client.crash_node(CrashKind::ProcessKill).await;
        let (first, second) = (
            seen(&read(&mut client, "t", 1).await),
            seen(&read(&mut client, "t", 2).await),
        );
        (first, second)
    };
    let (cluster, found) = Cluster::new(1, CONFIG, main);
    cluster.run();
    let found = found.take().expect("the script ended");
    assert_eq!(found, (String::new(), "1: v=x".to_owned()));
}
