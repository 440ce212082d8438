//! Vocabulary of stored deletions as a client may see them: merged over all sources, nothing purged. An
//! expired cell is one, since it hides what is older as a tombstone does.

use serde::{Deserialize, Serialize};

use super::columns::hide_dropped;
use crate::error;
use crate::keys::{Bound, BoundSide, Clustering, ClusteringShape, Text, Value};
use crate::rows::{DeletionTime, Partition, RangeTombstone, Row};
use crate::schema::Table;

/// One deletion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Stone {
    /// Write time in microseconds: data up to it is dead.
    pub timestamp: i64,
    /// The wall second of the deletion, from which `gc_grace_seconds` count; of an expiring cell, when
    /// it expires.
    pub local_deletion_seconds: u32,
}

/// One side of a range tombstone, in clustering order: before or after all rows that begin with the
/// values.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct StoneBound {
    /// The first clustering values; none for the partition's end on this side.
    pub values: Vec<Value>,
    /// Whether the bound stands after the rows that begin with the values, not before them.
    pub is_after: bool,
}

/// A range tombstone.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RangeStone {
    /// Where it begins, in clustering order.
    pub start: StoneBound,
    /// Where it ends.
    pub end: StoneBound,
    /// The deletion.
    pub stone: Stone,
}

/// The deletions of one row, or of the static row.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowStones {
    /// Clustering values; empty for the static row.
    pub clustering: Vec<Value>,
    /// The row deletion.
    pub row: Option<Stone>,
    /// Deletions of all elements of a multi-cell column, by column name, ascending by column.
    pub complex: Vec<(Text, Stone)>,
    /// Cell tombstones by column name, ascending by column.
    pub cells: Vec<(Text, Stone)>,
    /// Tombstones of elements of multi-cell columns: column name, the element's path; ascending by column,
    /// then path.
    pub elements: Vec<(Text, Vec<u8>, Stone)>,
}

/// All deletions of a partition, in the canonical form in which the engine merges them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stones {
    /// The partition deletion.
    pub partition: Option<Stone>,
    /// Of static cells.
    pub statics: RowStones,
    /// Range tombstones, ascending.
    pub ranges: Vec<RangeStone>,
    /// Of rows that have any, in clustering order.
    pub rows: Vec<RowStones>,
}

impl RowStones {
    /// Whether the row has no deletion.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let RowStones {
            clustering: _,
            row,
            complex,
            cells,
            elements,
        } = self;
        row.is_none() && complex.is_empty() && cells.is_empty() && elements.is_empty()
    }
}

impl Stone {
    fn of(deletion: DeletionTime) -> Stone {
        Stone {
            timestamp: deletion.timestamp,
            local_deletion_seconds: deletion.local_deletion_seconds,
        }
    }
}

/// The deletions of a partition that all its sources were merged into. Cells that have expired by the wall
/// second `now_seconds` are deletions, as a compaction would make them. Expired row markers are left out: they
/// delete nothing. So are the cells of columns that were dropped.
///
/// # Errors
/// A class of `Corruption` when a stored position is none of the table's.
pub fn stones(table: &Table, mut partition: Partition, now_seconds: u32) -> error::Result<Stones> {
    hide_dropped(&mut partition, table);
    let shape = table.clustering_shape();
    let range = |range: &RangeTombstone| {
        Ok(RangeStone {
            start: bound(&shape, &range.start)?,
            end: bound(&shape, &range.end)?,
            stone: Stone::of(range.deletion),
        })
    };
    let row = |(clustering, row): (&Clustering, &Row)| {
        let clustering = shape.values(clustering)?;
        Ok(of_row(table, clustering, row, now_seconds))
    };
    let rows: error::Result<Vec<RowStones>> = partition.rows.iter().map(row).collect();
    let mut rows = rows?;
    rows.retain(|row| !row.is_empty());
    Ok(Stones {
        partition: partition.deletion.map(Stone::of),
        statics: of_row(table, Vec::new(), &partition.static_row, now_seconds),
        ranges: partition
            .ranges
            .iter()
            .map(range)
            .collect::<error::Result<_>>()?,
        rows,
    })
}

fn bound(shape: &ClusteringShape, bound: &Bound) -> error::Result<StoneBound> {
    let (values, side) = shape.bound_values(bound)?;
    Ok(StoneBound {
        values,
        is_after: side == BoundSide::After,
    })
}

fn of_row(table: &Table, clustering: Vec<Value>, row: &Row, now_seconds: u32) -> RowStones {
    let name = |id| table.column(id).map(|column| column.name.clone());
    let mut stones = RowStones {
        clustering,
        row: row.deletion.map(Stone::of),
        ..RowStones::default()
    };
    for (id, deletion) in &row.complex {
        let stone = Stone::of(*deletion);
        stones.complex.extend(name(*id).map(|name| (name, stone)));
    }
    for (key, cell) in row
        .cells
        .iter()
        .filter(|(_, cell)| !cell.is_live(now_seconds))
    {
        let Some(name) = name(key.column) else {
            continue;
        };
        let stone = Stone {
            timestamp: cell.timestamp,
            local_deletion_seconds: cell.local_deletion_seconds,
        };
        match &key.path {
            None => stones.cells.push((name, stone)),
            Some(path) => stones
                .elements
                .push((name, path.as_bytes().to_vec(), stone)),
        }
    }
    stones
}
