//! Invariants of an operation's text: CQL where CQL has the statement, a dot-command where not;
//! one line; a statement's clauses always in the same order.

use std::fmt;

use super::operation::{Edge, Operation, Slice};
use super::scalar::Scalar;
use super::shape::{Column, Shape, TableNumber};
use super::value::{Change, Value};
use super::value_text::join;

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Operation::CreateTable { table, shape } => create_table(f, *table, shape),
            Operation::AddColumn {
                table,
                column,
                column_type,
            } => {
                write!(f, "ALTER TABLE k.{table} ADD {column} {column_type}")
            }
            Operation::DropColumn {
                table,
                column,
                dropped_micros,
            } => {
                write!(
                    f,
                    "ALTER TABLE k.{table} DROP {column} USING TIMESTAMP {dropped_micros}"
                )
            }
            Operation::Compact { table } => write!(f, ".compact {table}"),
            Operation::Truncate { table } => write!(f, "TRUNCATE k.{table}"),
            Operation::MarkRepaired { table } => write!(f, ".mark-repaired {table}"),
            Operation::Stones { table, partition } => write!(f, ".stones {table} {partition}"),
            Operation::SetSchemaFlushWindow { millis } => {
                write!(f, ".set schema_flush_coalescing_window {millis}ms")
            }
            Operation::SystemSchema => f.write_str("SELECT * FROM system_schema"),
            Operation::Drain => f.write_str(".drain"),
            Operation::DropTable { table } => write!(f, "DROP TABLE k.{table}"),
            Operation::Describe => f.write_str("DESCRIBE KEYSPACE k"),
            Operation::Flush { table } => write!(f, ".flush {table}"),
            Operation::Pause { millis } => write!(f, ".pause {millis}ms"),
            Operation::Insert { .. } | Operation::Update { .. } => write_cells(f, self),
            Operation::Read { .. } => select(f, self),
            Operation::DeleteCells { .. }
            | Operation::DeleteRow { .. }
            | Operation::DeleteRange { .. }
            | Operation::DeletePartition { .. } => delete(f, self),
        }
    }
}

fn write_cells(f: &mut fmt::Formatter<'_>, operation: &Operation) -> fmt::Result {
    match operation {
        Operation::Insert {
            table,
            partition,
            row,
            cells,
            timestamp,
            ttl_seconds,
        } => {
            let mut names = vec!["pk".to_owned()];
            let mut values = vec![partition.to_string()];
            for (index, value) in row.iter().flatten().enumerate() {
                names.push(format!("ck{index}"));
                values.push(value.to_string());
            }
            names.extend(cells.keys().map(Column::to_string));
            values.extend(cells.values().map(Value::to_string));
            let (names, values) = (names.join(", "), values.join(", "));
            write!(f, "INSERT INTO k.{table} ({names}) VALUES ({values})")?;
            write!(f, " USING TIMESTAMP {timestamp}")?;
            match ttl_seconds {
                Some(seconds) => write!(f, " AND TTL {seconds}"),
                None => Ok(()),
            }
        }
        Operation::Update {
            table,
            partition,
            row,
            cells,
            elements,
            timestamp,
            ttl_seconds,
        } => {
            let set = |(column, value)| format!("{column} = {value}");
            let mut sets: Vec<String> = cells.iter().map(set).collect();
            for (column, change) in elements {
                changes(*column, change, &mut sets);
            }
            write!(f, "UPDATE k.{table} USING TIMESTAMP {timestamp}")?;
            if let Some(seconds) = ttl_seconds {
                write!(f, " AND TTL {seconds}")?;
            }
            write!(f, " SET {}", sets.join(", "))?;
            restrict(f, *partition, row.as_deref().unwrap_or_default())
        }
        _ => Ok(()),
    }
}

fn changes(column: Column, change: &Change, sets: &mut Vec<String>) {
    match change {
        Change::Add(elements) => sets.push(format!("{column} = {column} + {elements}")),
        Change::Remove(keys) => sets.push(format!("{column} = {column} - {{{}}}", join(keys))),
        Change::Fields(fields) => {
            for (field, value) in fields {
                let value = value.as_ref().map_or("null".to_owned(), Scalar::to_string);
                sets.push(format!("{column}.{field} = {value}"));
            }
        }
    }
}

fn delete(f: &mut fmt::Formatter<'_>, operation: &Operation) -> fmt::Result {
    f.write_str("DELETE ")?;
    if let Operation::DeleteCells {
        columns, elements, ..
    } = operation
    {
        let mut names: Vec<String> = columns.iter().map(Column::to_string).collect();
        for (column, keys) in elements {
            names.extend(keys.iter().map(|key| format!("{column}[{key}]")));
        }
        write!(f, "{} ", names.join(", "))?;
    }
    if let (Some(table), Some(timestamp)) = (operation.table(), operation.timestamp()) {
        write!(f, "FROM k.{table} USING TIMESTAMP {timestamp}")?;
    }
    match operation {
        Operation::DeleteCells { partition, row, .. } => {
            restrict(f, *partition, row.as_deref().unwrap_or_default())
        }
        Operation::DeleteRow { partition, row, .. } => restrict(f, *partition, row),
        Operation::DeleteRange {
            partition, slice, ..
        } => restrict_slice(f, *partition, slice),
        Operation::DeletePartition { partition, .. } => restrict(f, *partition, &[]),
        _ => Ok(()),
    }
}

fn select(f: &mut fmt::Formatter<'_>, operation: &Operation) -> fmt::Result {
    let Operation::Read {
        table,
        partition,
        slice,
        order,
        limit,
    } = operation
    else {
        return Ok(());
    };
    write!(f, "SELECT * FROM k.{table}")?;
    restrict_slice(f, *partition, slice)?;
    if let Some(order) = order {
        write!(f, " ORDER BY ck0 {order}")?;
    }
    match limit {
        Some(limit) => write!(f, " LIMIT {limit}"),
        None => Ok(()),
    }
}

fn create_table(f: &mut fmt::Formatter<'_>, table: TableNumber, shape: &Shape) -> fmt::Result {
    write!(f, "CREATE TABLE k.{table} (pk int")?;
    for (index, column) in shape.clustering.iter().enumerate() {
        write!(f, ", ck{index} {}", column.0)?;
    }
    for (column, column_type) in shape.columns() {
        let suffix = if matches!(column, Column::Static(_)) {
            " static"
        } else {
            ""
        };
        write!(f, ", {column} {column_type}{suffix}")?;
    }
    f.write_str(", PRIMARY KEY (pk")?;
    for index in 0..shape.clustering.len() {
        write!(f, ", ck{index}")?;
    }
    f.write_str("))")?;
    let mut with = " WITH";
    if !shape.clustering.is_empty() {
        let orders: Vec<String> = (0..)
            .zip(&shape.clustering)
            .map(|(index, column): (u8, _)| format!("ck{index} {}", column.1))
            .collect();
        write!(f, "{with} CLUSTERING ORDER BY ({})", orders.join(", "))?;
        with = " AND";
    }
    if let Some(seconds) = shape.gc_grace_seconds {
        write!(f, "{with} gc_grace_seconds = {seconds}")?;
        with = " AND";
    }
    if shape.purge.is_default() {
        return Ok(());
    }
    let options = shape.purge.options().join(", ");
    write!(f, "{with} compaction = {{{options}}}")
}

fn restrict(f: &mut fmt::Formatter<'_>, partition: i32, prefix: &[Scalar]) -> fmt::Result {
    write!(f, " WHERE pk = {partition}")?;
    for (index, value) in prefix.iter().enumerate() {
        write!(f, " AND ck{index} = {value}")?;
    }
    Ok(())
}

fn restrict_slice(f: &mut fmt::Formatter<'_>, partition: i32, slice: &Slice) -> fmt::Result {
    restrict(f, partition, &slice.prefix)?;
    let index = slice.prefix.len();
    match &slice.from {
        Edge::Open => {}
        Edge::Inclusive(value) => write!(f, " AND ck{index} >= {value}")?,
        Edge::Exclusive(value) => write!(f, " AND ck{index} > {value}")?,
    }
    match &slice.to {
        Edge::Open => Ok(()),
        Edge::Inclusive(value) => write!(f, " AND ck{index} <= {value}"),
        Edge::Exclusive(value) => write!(f, " AND ck{index} < {value}"),
    }
}
