//! Steps of a read: merge what every source has; hide dropped columns; drop deletions that outlived their grace;
//! walk the rows in order, counting what is met; stop at the limit.

use super::columns::{hide_dropped, values};
use super::command::ReadCommand;
use super::counts::{Markers, ReadCounts};
use super::result::{ReadResult, ResultRow};
use crate::error;
use crate::keys::Clustering;
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

/// What a reader sees of `merged`, which holds the slice that the command asks for, or more.
///
/// # Errors
/// A class of `Corruption` when a stored value or position is none of its column's type.
pub fn execute(
    command: &ReadCommand,
    table: &Table,
    merged: Partition,
) -> error::Result<ReadResult> {
    assert_eq!(command.table, table.id, "a read of another table");
    let whole = command.is_whole_partition();
    let mut partition = merged;
    if !whole {
        partition.narrow(&command.slice);
    }
    hide_dropped(&mut partition, table);
    // What a compaction of everything could forget is no reader's burden.
    let rule = PurgeRule::new(
        command.now_seconds,
        table.gc_grace_seconds,
        Outside::NOTHING,
    );
    partition.purge(&rule);
    let mut counts = ReadCounts::default();
    let static_is_live = counts.meet_row(&partition.static_row, command.now_seconds);
    let rows = walk(command, table, &partition, &mut counts)?;
    let static_alone = rows.is_empty() && static_is_live && whole;
    if static_alone {
        counts.live_row_count += 1;
    }
    let statics = if static_alone || !rows.is_empty() {
        let columns = command.shown(ColumnKind::Static, table);
        Some(values(
            &columns,
            &partition.static_row,
            command.now_seconds,
        )?)
    } else {
        None
    };
    Ok(ReadResult {
        statics,
        rows,
        counts,
    })
}

fn walk(
    command: &ReadCommand,
    table: &Table,
    partition: &Partition,
    counts: &mut ReadCounts,
) -> error::Result<Vec<ResultRow>> {
    let shape = table.clustering_shape();
    let columns = command.shown(ColumnKind::Regular, table);
    let limit = command.limit.unwrap_or(usize::MAX);
    let mut markers = Markers::new(&partition.ranges, command.reversed);
    let mut found = Vec::new();
    for (clustering, row) in in_order(partition, command.reversed) {
        if found.len() >= limit {
            return Ok(found);
        }
        counts.tombstone_count += markers.meet(Some(clustering));
        if counts.meet_row(row, command.now_seconds) {
            counts.live_row_count += 1;
            found.push(ResultRow {
                clustering: shape.values(clustering)?,
                columns: values(&columns, row, command.now_seconds)?,
            });
        }
    }
    if found.len() < limit {
        counts.tombstone_count += markers.meet(None);
    }
    Ok(found)
}

fn in_order(
    partition: &Partition,
    reversed: bool,
) -> Box<dyn Iterator<Item = (&Clustering, &Row)> + '_> {
    if reversed {
        Box::new(partition.rows.iter().rev())
    } else {
        Box::new(partition.rows.iter())
    }
}
