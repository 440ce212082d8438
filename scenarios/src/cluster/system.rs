//! Steps of reading `system_schema`: describe the schema, read its rows, describe it again; both in
//! the same lines of text, when no change came between.

use std::collections::BTreeMap;

use cenotaph_engine::keys::{Order, Value};
use cenotaph_engine::message::{Answer as NodeAnswer, ReadStatement, Request, ResultSet};
use cenotaph_engine::schema::{Column, ColumnKind, Epoch, Table, TableName};

use super::connection::{Connection, Performed, Told, unknown};
use super::requests::KEYSPACE;
use crate::history::{Answer, Outcome, SystemSchemaSeen};

/// The keyspace of the schema's own tables.
const SYSTEM_KEYSPACE: &str = "system_schema";

/// How often it is read before it is given up, because the schema changes all the time.
const READS_MAX: u32 = 5;

/// How many requests that takes: each time four reads and a description, and one description before.
pub(super) const REQUESTS_MAX: u32 = 1 + READS_MAX * 5;

/// A table of `system_schema`, and which of its columns are compared.
struct Shown {
    table: &'static str,
    columns: &'static [&'static str],
}

const KEYSPACES: Shown = Shown {
    table: "keyspaces",
    columns: &["durable_writes"],
};
const TABLES: Shown = Shown {
    table: "tables",
    columns: &[
        "altered_epoch",
        "gc_grace_seconds",
        "id",
        "next_column_id",
        "only_purge_repaired_tombstones",
        "provide_overlapping_tombstones",
    ],
};
const COLUMNS: Shown = Shown {
    table: "columns",
    columns: &["clustering_order", "id", "kind", "position", "type"],
};
const DROPPED: Shown = Shown {
    table: "dropped_columns",
    columns: &["dropped_micros", "id", "kind", "type"],
};

/// Reads the rows of `system_schema`, and the schema beside them.
pub(super) async fn read_system_schema(connection: &mut Connection) -> Performed {
    match read(connection).await {
        Ok(performed) | Err(performed) => performed,
    }
}

async fn read(connection: &mut Connection) -> Result<Performed, Performed> {
    let (mut before, mut tables, _) = describe(connection).await?;
    for _ in 0..READS_MAX {
        let mut rows = Vec::new();
        for shown in [&KEYSPACES, &TABLES, &COLUMNS, &DROPPED] {
            rows.extend(lines(connection, shown).await?);
        }
        rows.sort();
        let (after, next, told) = describe(connection).await?;
        if after == before {
            let schema = of_schema(&tables);
            let seen = SystemSchemaSeen { schema, rows };
            return Ok(Performed {
                outcome: Outcome::Ok(Answer::SystemSchema(seen)),
                ..told
            });
        }
        (before, tables) = (after, next);
    }
    Err(Performed::alone(unknown(
        "the schema changed while its rows were read",
    )))
}

/// The schema; and what else is known of the answer.
async fn describe(
    connection: &mut Connection,
) -> Result<(Epoch, Vec<Table>, Performed), Performed> {
    let told = connection.ask(Request::Describe).await?;
    match &told.answer {
        NodeAnswer::Schema { epoch, tables } => {
            let (epoch, tables) = (*epoch, tables.clone());
            Ok((epoch, tables, told.performed()))
        }
        _ => Err(told.performed()),
    }
}

/// The rows of one table, a line each.
async fn lines(connection: &mut Connection, shown: &Shown) -> Result<Vec<String>, Performed> {
    let request = Request::Read(ReadStatement {
        table: TableName::new(SYSTEM_KEYSPACE, shown.table),
        partition_key: vec![("keyspace_name".to_owned(), Value::Text(KEYSPACE.to_owned()))],
        columns: None,
        lower: None,
        upper: None,
        order_by: None,
        limit: None,
    });
    let told: Told = connection.ask(request).await?;
    match &told.answer {
        NodeAnswer::Rows(rows) => Ok(of_rows(shown, rows)),
        _ => Err(told.performed()),
    }
}

fn of_rows(shown: &Shown, rows: &ResultSet) -> Vec<String> {
    let line_of = |row: &cenotaph_engine::message::ResultSetRow| {
        let mut key = vec![KEYSPACE.to_owned()];
        key.extend(row.clustering.iter().map(text));
        let columns = rows.column_names.iter().map(String::as_str);
        let values: BTreeMap<&str, String> = columns
            .zip(&row.columns)
            .filter_map(|(name, value)| Some((name, text(value.as_ref()?))))
            .collect();
        line(shown, &key, &values)
    };
    rows.rows.iter().map(line_of).collect()
}

/// `columns k.t0.v0 kind=regular ..`
fn line(shown: &Shown, key: &[String], values: &BTreeMap<&str, String>) -> String {
    let mut line = format!("{} {}", shown.table, key.join("."));
    for column in shown.columns {
        match values.get(column) {
            Some(value) => line += &format!(" {column}={value}"),
            None => line += &format!(" {column} is null"),
        }
    }
    line
}

fn text(value: &Value) -> String {
    match value {
        Value::Text(text) => text.clone(),
        Value::Boolean(flag) => flag.to_string(),
        Value::Int(number) => number.to_string(),
        Value::BigInt(number) => number.to_string(),
        Value::Blob(bytes) => format!("{bytes:?}"),
        Value::Map(_) | Value::Set(_) | Value::List(_) | Value::Struct(_) => value.to_string(),
    }
}

/// The lines that the schema's rows are to have.
fn of_schema(tables: &[Table]) -> Vec<String> {
    let own: Vec<&Table> = tables
        .iter()
        .filter(|table| table.name.keyspace == KEYSPACE)
        .collect();
    let mut lines = Vec::new();
    if !own.is_empty() {
        let values = BTreeMap::from([("durable_writes", true.to_string())]);
        lines.push(line(&KEYSPACES, &[KEYSPACE.to_owned()], &values));
    }
    for table in own {
        let key = |column: Option<&Column>| {
            let mut key = vec![KEYSPACE.to_owned(), table.name.table.clone()];
            key.extend(column.map(|column| column.name.clone()));
            key
        };
        let values = BTreeMap::from([
            ("altered_epoch", table.altered.0.to_string()),
            ("gc_grace_seconds", table.gc_grace_seconds.to_string()),
            ("id", table.id.0.to_string()),
            ("next_column_id", table.next_column.0.to_string()),
            (
                "only_purge_repaired_tombstones",
                table.purge.only_purge_repaired_tombstones.to_string(),
            ),
            (
                "provide_overlapping_tombstones",
                table.purge.provide_overlapping_tombstones.to_string(),
            ),
        ]);
        lines.push(line(&TABLES, &key(None), &values));
        for column in &table.columns {
            lines.push(line(
                &COLUMNS,
                &key(Some(column)),
                &of_column(table, column),
            ));
        }
        for dropped in &table.dropped {
            let mut values = of_column(table, &dropped.column);
            values.insert("dropped_micros", dropped.dropped_micros.to_string());
            lines.push(line(&DROPPED, &key(Some(&dropped.column)), &values));
        }
    }
    lines.sort();
    lines
}

fn of_column(table: &Table, column: &Column) -> BTreeMap<&'static str, String> {
    let place = |position: Option<usize>| position.map_or("-1".to_owned(), |at| at.to_string());
    let is_own = |other: &Column| other.id == column.id;
    let (kind, order, position) = match column.kind {
        ColumnKind::PartitionKey => (
            "partition_key",
            "none",
            table.partition_key().position(is_own),
        ),
        ColumnKind::Clustering(order) => {
            let order = match order {
                Order::Ascending => "asc",
                Order::Descending => "desc",
            };
            ("clustering", order, table.clustering().position(is_own))
        }
        ColumnKind::Static => ("static", "none", None),
        ColumnKind::Regular => ("regular", "none", None),
    };
    BTreeMap::from([
        ("clustering_order", order.to_owned()),
        ("id", column.id.0.to_string()),
        ("kind", kind.to_owned()),
        ("position", place(position)),
        ("type", column.data_type.to_string()),
    ])
}
