//! Steps of a read: take the live rows of all sources in order; of each hide dropped columns and drop what outlived its
//! grace; count what is met; stop at the limit.

use super::columns::{hide, values};
use super::command::ReadCommand;
use super::counts::ReadCounts;
use super::live_only::LiveOnly;
use super::result::{ReadResult, ResultRow};
use super::unfiltered::Unfiltered;
use crate::error;
use crate::rows::{Outside, Partition, PurgeRule, Row};
use crate::schema::{ColumnKind, Table};

/// One partition of the versions that several sources have, in any order.
#[must_use]
pub fn merge(sources: impl IntoIterator<Item = Partition>) -> Partition {
    let merged = sources.into_iter().reduce(|mut merged, source| {
        merged.apply(source);
        merged
    });
    merged.unwrap_or_default()
}

/// What a reader sees of `sources`, which hold the slice that the command asks for, or more.
///
/// # Errors
/// A class of `Corruption` when a stored value or position is none of its column's type.
pub fn execute(
    command: &ReadCommand,
    table: &Table,
    sources: impl Into<Unfiltered>,
) -> error::Result<ReadResult> {
    assert_eq!(command.table, table.id, "a read of another table");
    let whole = command.is_whole_partition();
    let live_only = sources
        .into()
        .into_live_only(&command.slice, command.reversed);
    let mut met = Met::new(command, table);
    met.counts.stones_present = live_only.stones_present();
    let static_row = met.clean(live_only.static_row());
    let static_is_live = met.counts.meet_row(&static_row, command.now_seconds);
    let rows = walk(&mut met, live_only)?;
    let static_alone = rows.is_empty() && static_is_live && whole;
    if static_alone {
        met.counts.live_row_count += 1;
    }
    let statics = if static_alone || !rows.is_empty() {
        let columns = command.shown(ColumnKind::Static, table);
        Some(values(&columns, &static_row, command.now_seconds)?)
    } else {
        None
    };
    Ok(ReadResult {
        statics,
        rows,
        counts: met.counts,
    })
}

/// What a read goes by, and what it met.
struct Met<'a> {
    command: &'a ReadCommand,
    table: &'a Table,
    rule: PurgeRule,
    counts: ReadCounts,
}

impl<'a> Met<'a> {
    fn new(command: &'a ReadCommand, table: &'a Table) -> Met<'a> {
        // What a compaction of everything could forget is no reader's burden.
        let rule = PurgeRule::new(
            command.now_seconds,
            table.gc_grace_seconds,
            Outside::NOTHING,
        );
        Met {
            command,
            table,
            rule,
            counts: ReadCounts::default(),
        }
    }

    /// A row without cells that do not show, and without what outlived its grace.
    fn clean(&self, mut row: Row) -> Row {
        hide(&mut row, self.table);
        row.purge(&self.rule);
        row
    }
}

fn walk(met: &mut Met<'_>, mut live_only: LiveOnly) -> error::Result<Vec<ResultRow>> {
    let command = met.command;
    let shape = met.table.clustering_shape();
    let columns = command.shown(ColumnKind::Regular, met.table);
    let limit = command.limit.unwrap_or(usize::MAX);
    let mut found = Vec::new();
    while found.len() < limit
        && let Some((clustering, row)) = live_only.next()
    {
        let row = met.clean(row);
        if met.counts.meet_row(&row, command.now_seconds) {
            met.counts.live_row_count += 1;
            found.push(ResultRow {
                clustering: shape.values(&clustering)?,
                columns: values(&columns, &row, command.now_seconds)?,
            });
        }
    }
    met.counts.shadowed_row_count = live_only.shadowed_count();
    Ok(found)
}
