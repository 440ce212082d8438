//! Vocabulary of the tests of the schema's rows: whether they agree with the schema, and whether flushes come when they are due.

use std::time::Duration;

use cenotaph_engine::keys::{DataType, Value};
use cenotaph_engine::message::{Answer, ReadStatement, Request};
use cenotaph_engine::node::Config;
use cenotaph_engine::schema::{Change, ColumnDefinition, ColumnKind, Table, TableName};
use cenotaph_engine::system::{Projection, RowKey, SYSTEM_KEYSPACE, SystemTable};
use cenotaph_sim::time::Instant;

use crate::node::client::{Client, Outcome, table};
use crate::node::cluster::CONFIG;

pub(super) const APPLIED: &str = "schema.applied";
pub(super) const ARMED: &str = "schema.flush-armed";
pub(super) const BEGUN: &str = "schema.flush-begun";
pub(super) const ENDED: &str = "schema.flush-ended";
pub(super) const FAILED: &str = "schema.flush-failed";

/// A node whose window is this.
pub(super) const fn window(millis: u64) -> Config {
    Config {
        schema_flush_coalescing_window_millis: millis,
        ..CONFIG
    }
}

pub(super) fn read_system(of: SystemTable) -> ReadStatement {
    ReadStatement {
        table: TableName::new(SYSTEM_KEYSPACE, of.name()),
        partition_key: vec![("keyspace_name".into(), Value::Text("ks".into()))],
        columns: None,
        lower: None,
        upper: None,
        order_by: None,
        limit: None,
    }
}

type Row = (RowKey, Vec<Option<Value>>);

/// The rows of keyspace `ks` as a client sees them, in the order of tables.
pub(super) async fn rows(client: &mut Client) -> Vec<Row> {
    let mut all = Vec::new();
    for system in SystemTable::ALL {
        let answer = client.insist(Request::Read(read_system(system))).await;
        let Answer::Rows(result) = answer else {
            panic!("reading {}: {answer:?}", system.name());
        };
        for row in result.rows {
            let names = row.clustering.into_iter().map(|name| match name {
                Value::Text(name) => name,
                other => panic!("{other} is no name"),
            });
            let key = RowKey {
                table: system,
                keyspace: "ks".into(),
                names: names.collect(),
            };
            all.push((key, row.columns));
        }
    }
    all
}

/// The tables that the node describes.
pub(super) async fn described(client: &mut Client) -> Vec<Table> {
    match client.insist(Request::Describe).await {
        Answer::Schema { tables, .. } => tables,
        other => panic!("describing: {other:?}"),
    }
}

/// Fails unless the rows say exactly what the schema says. No change may run meanwhile.
pub(super) async fn check_rows(client: &mut Client) -> Result<(), String> {
    let tables = described(client).await;
    let expected = Projection::of_tables(tables.iter());
    let expected: Vec<Row> = expected
        .rows()
        .map(|(key, values)| (key.clone(), values.clone()))
        .collect();
    let found = rows(client).await;
    if found == expected {
        return Ok(());
    }
    let only = |some: &[Row], others: &[Row]| -> Vec<String> {
        let only = some.iter().filter(|row| !others.contains(row));
        only.map(|(key, values)| format!("{key} {values:?}"))
            .collect()
    };
    let (ghosts, missing) = (only(&found, &expected), only(&expected, &found));
    Err(format!("too many: {ghosts:?}; missing: {missing:?}"))
}

pub(super) fn add(name: &str, column: &str) -> Request {
    Request::Change(Change::AddColumn {
        table: table(name),
        column: ColumnDefinition {
            name: column.into(),
            data_type: DataType::Text.into(),
            kind: ColumnKind::Regular,
        },
    })
}

pub(super) fn drop_column(name: &str, column: &str) -> Request {
    Request::Change(Change::DropColumn {
        table: table(name),
        column: column.into(),
        dropped_micros: 5,
    })
}

/// Creations, alterations and drops, whatever becomes of each.
pub(super) async fn burst(client: &mut Client) {
    for request in [
        Request::Change(crate::node::client::create("t")),
        Request::Change(crate::node::client::create("u")),
        add("t", "x"),
        drop_column("t", "v"),
        Request::Change(Change::DropTable { table: table("u") }),
        Request::Change(crate::node::client::create("u")),
        drop_column("t", "x"),
        add("t", "x"),
    ] {
        let _either = client.ask(request).await;
    }
}

pub(super) async fn set_window(client: &mut Client, millis: u64) {
    let outcome = client.ask(Request::SetSchemaFlushWindow { millis }).await;
    assert_eq!(outcome, Outcome::Answered(Answer::WindowSet));
}

pub(super) fn count(marks: &[(Instant, &str)], of: &str) -> usize {
    marks.iter().filter(|(_, mark)| *mark == of).count()
}

/// The times of a mark.
pub(super) fn times(marks: &[(Instant, &str)], of: &str) -> Vec<Instant> {
    let of_kind = marks.iter().filter(|(_, mark)| *mark == of);
    of_kind.map(|(at, _)| *at).collect()
}

/// Of one incarnation that ran on quietly: after each applied change a flush begins within `limit`, and the last that
/// begins ends well; one is under way at a time; none is armed twice.
pub(super) fn check_flushes(marks: &[(Instant, &str)], limit: Duration) -> Result<(), String> {
    let (mut is_armed, mut under_way) = (false, false);
    for (at, mark) in marks {
        match *mark {
            ARMED if std::mem::replace(&mut is_armed, true) => {
                return Err(format!("{at}: armed twice"));
            }
            BEGUN => {
                if std::mem::replace(&mut under_way, true) {
                    return Err(format!("{at}: two flushes under way"));
                }
                is_armed = false;
            }
            ENDED | FAILED => under_way = false,
            _ => {}
        }
    }
    for (index, (at, mark)) in marks.iter().enumerate() {
        if *mark != APPLIED {
            continue;
        }
        let later = &marks[index..];
        let Some(begun) = later.iter().position(|(_, mark)| *mark == BEGUN) else {
            return Err(format!("{at}: applied, and never flushed"));
        };
        let waited = later[begun].0.since(*at);
        if waited > limit {
            return Err(format!("{at}: applied, flushed after {waited:?}"));
        }
        if !later[begun..].iter().any(|(_, mark)| *mark == ENDED) {
            return Err(format!("{at}: its flush never ends"));
        }
    }
    Ok(())
}
