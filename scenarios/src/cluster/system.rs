//! Steps of reading `system_schema`: describe the schema, read its rows, describe it again; both in
//! the same lines of text, when no change came between.

use std::fmt::{self, Write as _};

use cenotaph_engine::keys::{Order, Value};
use cenotaph_engine::message::{
    Answer as NodeAnswer, ReadStatement, Request, ResultSet, ResultSetRow,
};
use cenotaph_engine::schema::{Column, ColumnKind, DroppedColumn, Epoch, Table, TableName};

use super::connection::{Connection, Performed, Told, unknown};
use super::requests::KEYSPACE;
use crate::history::{Answer, Outcome, SystemSchemaSeen};

/// The keyspace of the schema's own tables.
const SYSTEM_KEYSPACE: &str = "system_schema";

/// Bytes that most lines fit into.
const LINE_SIZE: usize = 120;

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
    match told.answer {
        NodeAnswer::Schema { epoch, tables } => {
            let rest = Told {
                answer: NodeAnswer::Schema {
                    epoch,
                    tables: Vec::new(),
                },
                ..told
            };
            Ok((epoch, tables, rest.performed(&|_| None)))
        }
        _ => Err(told.performed(&|_| None)),
    }
}

/// The rows of one table, a line each.
async fn lines(connection: &mut Connection, shown: &Shown) -> Result<Vec<String>, Performed> {
    let request = Request::Read(ReadStatement {
        table: TableName::new(SYSTEM_KEYSPACE, shown.table),
        partition_key: vec![("keyspace_name".into(), Value::Text(KEYSPACE.into()))],
        columns: None,
        lower: None,
        upper: None,
        order_by: None,
        limit: None,
    });
    let told: Told = connection.ask(request).await?;
    match &told.answer {
        NodeAnswer::Rows(rows) => Ok(of_rows(shown, rows)),
        _ => Err(told.performed(&|_| None)),
    }
}

fn of_rows(shown: &Shown, rows: &ResultSet) -> Vec<String> {
    // Where each column stands, looked up once for all rows.
    let place = |column: &&str| rows.column_names.iter().position(|name| name == column);
    let places: Vec<Option<usize>> = shown.columns.iter().map(place).collect();
    let line_of = |row: &ResultSetRow| {
        let mut line = begin(shown.table);
        for part in &row.clustering {
            line.push('.');
            push_value(&mut line, part);
        }
        for (column, place) in shown.columns.iter().zip(&places) {
            match place.and_then(|place| row.columns.get(place)?.as_ref()) {
                Some(value) => {
                    push_name(&mut line, column);
                    push_value(&mut line, value);
                }
                None => push(&mut line, format_args!(" {column} is null")),
            }
        }
        line
    };
    rows.rows.iter().map(line_of).collect()
}

/// `columns k`; parts of the key follow, then ` kind=regular` and so on.
fn begin(table: &str) -> String {
    // Most lines fit, and are allocated once.
    let mut line = String::with_capacity(LINE_SIZE);
    line.push_str(table);
    line.push(' ');
    line.push_str(KEYSPACE);
    line
}

fn push_name(line: &mut String, column: &str) {
    line.push(' ');
    line.push_str(column);
    line.push('=');
}

fn push(line: &mut String, text: fmt::Arguments<'_>) {
    line.write_fmt(text).expect("a string takes all text");
}

fn push_value(line: &mut String, value: &Value) {
    match value {
        Value::Text(text) => line.push_str(text),
        Value::Boolean(flag) => push(line, format_args!("{flag}")),
        Value::Int(number) => push(line, format_args!("{number}")),
        Value::BigInt(number) => push(line, format_args!("{number}")),
        Value::Blob(bytes) => push(line, format_args!("{bytes:?}")),
        Value::Map(_) | Value::Set(_) | Value::List(_) | Value::Struct(_) => {
            push(line, format_args!("{value}"));
        }
    }
}

/// The lines that the schema's rows are to have.
fn of_schema(tables: &[Table]) -> Vec<String> {
    let is_own = |table: &&Table| table.name.keyspace == KEYSPACE;
    let mut lines = Vec::new();
    if tables.iter().any(|table| is_own(&table)) {
        let mut line = begin(KEYSPACES.table);
        push(&mut line, format_args!(" durable_writes={}", true));
        lines.push(line);
    }
    for table in tables.iter().filter(is_own) {
        lines.push(of_table(table));
        let columns = table.columns.iter();
        lines.extend(columns.map(|column| of_column(table, column)));
        let dropped = table.dropped.iter();
        lines.extend(dropped.map(|dropped| of_dropped(table, dropped)));
    }
    lines.sort();
    lines
}

fn of_table(table: &Table) -> String {
    let mut line = begin(TABLES.table);
    let (name, id, altered) = (&table.name.table, table.id.0, table.altered.0);
    let (grace, next, purge) = (table.gc_grace_seconds, table.next_column.0, &table.purge);
    push(
        &mut line,
        format_args!(
            ".{name} altered_epoch={altered} gc_grace_seconds={grace} id={id} next_column_id={next}"
        ),
    );
    let repaired = purge.only_purge_repaired_tombstones;
    let overlapping = &purge.provide_overlapping_tombstones;
    push(
        &mut line,
        format_args!(
            " only_purge_repaired_tombstones={repaired} provide_overlapping_tombstones={overlapping}"
        ),
    );
    line
}

fn of_column(table: &Table, column: &Column) -> String {
    let is_own = |other: &Column| other.id == column.id;
    let (order, position) = match column.kind {
        ColumnKind::PartitionKey => ("none", table.partition_key().position(is_own)),
        ColumnKind::Clustering(Order::Ascending) => ("asc", table.clustering().position(is_own)),
        ColumnKind::Clustering(Order::Descending) => ("desc", table.clustering().position(is_own)),
        ColumnKind::Static | ColumnKind::Regular => ("none", None),
    };
    let (id, kind, data_type) = (column.id.0, kind_of(column), column.data_type.to_string());
    let mut line = begin(COLUMNS.table);
    let (table, name) = (&table.name.table, &column.name);
    push(
        &mut line,
        format_args!(".{table}.{name} clustering_order={order} id={id} kind={kind} position="),
    );
    match position {
        Some(position) => push(&mut line, format_args!("{position}")),
        None => line.push_str("-1"),
    }
    push_name(&mut line, "type");
    line.push_str(&data_type);
    line
}

fn of_dropped(table: &Table, dropped: &DroppedColumn) -> String {
    let column = &dropped.column;
    let mut line = begin(DROPPED.table);
    let (table, name, at) = (&table.name.table, &column.name, dropped.dropped_micros);
    let (id, kind, data_type) = (column.id.0, kind_of(column), column.data_type.to_string());
    push(
        &mut line,
        format_args!(".{table}.{name} dropped_micros={at} id={id} kind={kind} type={data_type}"),
    );
    line
}

fn kind_of(column: &Column) -> &'static str {
    match column.kind {
        ColumnKind::PartitionKey => "partition_key",
        ColumnKind::Clustering(_) => "clustering",
        ColumnKind::Static => "static",
        ColumnKind::Regular => "regular",
    }
}
