//! Steps of turning the node's answer into what the client knows: typed values become scalars, names
//! become columns; an answer that fits no request is an outcome that nobody knows.

use std::collections::{BTreeMap, BTreeSet};

use cenotaph_engine::message::{Answer as NodeAnswer, FailureCode, RefusalCode, ResultSet};
use cenotaph_engine::schema::Table;

use super::stones::{compaction_seen, stones_seen};
use super::values::{scalar_seen, value_seen};
use crate::history::{Answer, Blame, Outcome, PartitionSeen, Refusal, RowSeen, TableSeen};
use crate::plan::{Column, ColumnType, TableNumber};

/// The types of columns of the table that was asked of.
pub(super) type TypeOf<'a> = &'a dyn Fn(Column) -> Option<ColumnType>;

/// What a client knows after this answer.
pub(super) fn outcome_of(answer: NodeAnswer, type_of: TypeOf<'_>) -> Outcome {
    match answer {
        NodeAnswer::Changed { .. }
        | NodeAnswer::Written
        | NodeAnswer::Flushed
        | NodeAnswer::Drained
        | NodeAnswer::Truncated
        | NodeAnswer::MarkedRepaired { .. }
        | NodeAnswer::WindowSet
        | NodeAnswer::Welcome { .. } => Outcome::Ok(Answer::Done),
        NodeAnswer::Rows(rows) => match partition_seen(&rows, type_of) {
            Some(seen) => Outcome::Ok(Answer::Rows(seen)),
            None => Outcome::Unknown {
                why: format!("rows that no plan's table has: {rows:?}"),
            },
        },
        NodeAnswer::Schema { tables, .. } => Outcome::Ok(Answer::Tables(
            tables.iter().filter_map(table_seen).collect(),
        )),
        NodeAnswer::Compacted(report) => Outcome::Ok(Answer::Compacted(compaction_seen(&report))),
        NodeAnswer::Stones(stones) => match stones_seen(&stones, type_of) {
            Some(seen) => Outcome::Ok(Answer::Stones(seen)),
            None => Outcome::Unknown {
                why: format!("stones that no plan's table has: {stones:?}"),
            },
        },
        NodeAnswer::Refused { code, message } => Outcome::Refused(match code {
            RefusalCode::UnknownTable => Refusal::NoSuchTable,
            RefusalCode::TableExists => Refusal::TableExists,
            RefusalCode::UnknownColumn => Refusal::NoSuchColumn,
            RefusalCode::ColumnExists => Refusal::ColumnExists,
            RefusalCode::Busy | RefusalCode::Draining => Refusal::NotNow(message),
            RefusalCode::Invalid => Refusal::Other(message),
        }),
        NodeAnswer::Failed { code, message } => Outcome::Unknown {
            why: format!("{code:?}: {message}"),
        },
    }
}

/// What the node blames in this answer.
pub(super) fn blame_of(answer: &NodeAnswer) -> Option<(Blame, String)> {
    let NodeAnswer::Failed { code, message } = answer else {
        return None;
    };
    let blame = match code {
        FailureCode::Corruption => Blame::Corruption,
        FailureCode::Storage | FailureCode::Stopped => Blame::Machine,
        FailureCode::SessionEnded => return None,
    };
    Some((blame, message.clone()))
}

fn partition_seen(rows: &ResultSet, type_of: TypeOf<'_>) -> Option<PartitionSeen> {
    let columns: Vec<Column> = rows
        .column_names
        .iter()
        .map(|name| name.parse().ok())
        .collect::<Option<_>>()?;
    let mut statics = BTreeMap::new();
    for (name, value) in rows.statics.iter().flatten() {
        if let Some(value) = value {
            let column: Column = name.parse().ok()?;
            statics.insert(column, value_seen(value, type_of(column))?);
        }
    }
    let mut seen = Vec::new();
    for row in &rows.rows {
        let clustering = row
            .clustering
            .iter()
            .map(scalar_seen)
            .collect::<Option<Vec<_>>>()?;
        let mut cells = BTreeMap::new();
        for (column, value) in columns.iter().zip(&row.columns) {
            if let Some(value) = value {
                cells.insert(*column, value_seen(value, type_of(*column))?);
            }
        }
        seen.push(RowSeen { clustering, cells });
    }
    Some(PartitionSeen {
        statics,
        rows: seen,
    })
}

fn table_seen(table: &Table) -> Option<TableSeen> {
    let number = table.name.table.strip_prefix('t')?.parse().ok()?;
    let cells = table.columns.iter().filter(|column| !column.kind.is_key());
    let columns: BTreeSet<Column> = cells
        .filter_map(|column| column.name.parse().ok())
        .collect();
    Some(TableSeen {
        table: TableNumber(number),
        columns,
    })
}
