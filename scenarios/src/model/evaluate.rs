//! Steps of a read, by definition: the winner of each cell among all that is said of it, the rows
//! that are visible, their order, the slice, the limit. Slow on purpose.

use std::collections::BTreeMap;

use super::effects;
use super::landed::Landed;
use super::order::{by_clustering, contains};
use super::said::{Said, SaidCell, Spot};
use super::slot::{Content, Path, Slot, shown};
use crate::history::{PartitionSeen, RowSeen};
use crate::plan::{Collection, Column, Operation, Scalar, Shape, Slice, Value};

/// What a read asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadRequest<'a> {
    /// The table's shape, which decides the order of rows.
    pub shape: &'a Shape,
    /// Which rows.
    pub slice: &'a Slice,
    /// Whether against the clustering order.
    pub reversed: bool,
    /// How many rows at most.
    pub limit: Option<usize>,
    /// The wall second at which the node read: what expires then or earlier is dead.
    pub now_seconds: u32,
}

impl<'a> ReadRequest<'a> {
    /// What an operation asks for when the node does it at this wall second; none when it is not a
    /// read.
    #[must_use]
    pub fn of(
        operation: &'a Operation,
        shape: &'a Shape,
        now_seconds: u32,
    ) -> Option<ReadRequest<'a>> {
        let Operation::Read { slice, limit, .. } = operation else {
            return None;
        };
        let limit = limit.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX));
        Some(ReadRequest {
            shape,
            slice,
            reversed: operation.is_reversed(shape),
            limit,
            now_seconds,
        })
    }

    /// How two rows stand to each other in the answer.
    pub(super) fn compare(&self, left: &[Scalar], right: &[Scalar]) -> std::cmp::Ordering {
        let ordering = by_clustering(self.shape, left, right);
        if self.reversed {
            ordering.reverse()
        } else {
            ordering
        }
    }

    /// Whether the answer says of the row whether it shows. A read that reached its limit says
    /// nothing of what comes after its last row.
    pub(super) fn is_told_of(&self, row: &[Scalar], seen: &PartitionSeen) -> bool {
        let last = match self.limit {
            Some(limit) if seen.rows.len() == limit => seen.rows.last(),
            _ => None,
        };
        let is_before = |last: &RowSeen| self.compare(row, &last.clustering).is_le();
        self.asks_for(row) && last.is_none_or(is_before)
    }

    /// Whether the row is asked for.
    pub(super) fn asks_for(&self, row: &[Scalar]) -> bool {
        contains(self.slice, row)
    }
}

/// What the place shows when of all operations exactly these have landed.
fn live_cells(
    spot: &Spot<'_>,
    all: &[Landed<'_>],
    is_in: &[bool],
    now_seconds: u32,
) -> BTreeMap<Column, Value> {
    let value = |column: &[SaidCell<'_>]| {
        let live = column
            .chunk_by(|left, right| left.slot == right.slot)
            .filter_map(|cell| {
                let (index, content) = spot.live_cell(cell, is_in, now_seconds)?;
                let slot = cell.first()?.slot;
                let order = list_order(&all[index], index, slot);
                Some((order, (slot.path, content)))
            });
        let mut live: Vec<(ListOrder, (Path<'_>, Content<'_>))> = live.collect();
        live.sort_by_key(|(order, _)| *order);
        let cells: Vec<_> = live.into_iter().map(|(_, cell)| cell).collect();
        Some((column.first()?.slot.column, shown(&cells)?))
    };
    spot.columns().filter_map(value).collect()
}

/// Elements of a list stand by their write times, then in the order in which they were put, here that of
/// the operations. All else stands by its key, as it is given.
type ListOrder = (i64, usize, usize);

fn list_order(landed: &Landed<'_>, index: usize, slot: Slot<'_>) -> ListOrder {
    match slot.path {
        Path::Item(item) => {
            let place = effects::place_in_list(landed.what, slot.column, item);
            (landed.what.timestamp().unwrap_or(0), index, place)
        }
        _ => (0, 0, 0),
    }
}

/// Whether both show the same, apart from the order of lists, of which operations alone say too little.
pub(super) fn is_same_but_for_lists(left: &PartitionSeen, right: &PartitionSeen) -> bool {
    left == right || sorted_lists(left) == sorted_lists(right)
}

fn sorted_lists(seen: &PartitionSeen) -> PartitionSeen {
    let mut seen = seen.clone();
    let rows = seen.rows.iter_mut().flat_map(|row| row.cells.values_mut());
    for value in seen.statics.values_mut().chain(rows) {
        if let Value::Many(Collection::List(items)) = value {
            items.sort();
        }
    }
    seen
}

/// What a read of a partition shows when exactly these operations have landed, and the table has all
/// columns.
#[must_use]
pub fn evaluate(operations: &[Landed<'_>], read: &ReadRequest<'_>) -> PartitionSeen {
    let said = Said::of(operations, read, std::iter::empty());
    shows(&said, operations, &vec![true; operations.len()], read)
}

/// The same when of all operations, which say this, exactly those have landed.
pub(super) fn shows(
    said: &Said<'_>,
    all: &[Landed<'_>],
    is_in: &[bool],
    read: &ReadRequest<'_>,
) -> PartitionSeen {
    let now_seconds = read.now_seconds;
    let mut rows: Vec<RowSeen> = Vec::new();
    for spot in said.rows() {
        let cells = live_cells(spot, all, is_in, now_seconds);
        let clustering = spot.row.unwrap_or_default();
        if !cells.is_empty() || spot.live_marker(is_in, now_seconds).is_some() {
            rows.push(RowSeen {
                clustering: clustering.to_vec(),
                cells,
            });
        }
    }
    rows.sort_by(|left, right| read.compare(&left.clustering, &right.clustering));
    rows.truncate(read.limit.unwrap_or(usize::MAX));
    let statics = if !rows.is_empty() || read.slice.is_whole() {
        live_cells(said.statics(), all, is_in, now_seconds)
    } else {
        BTreeMap::new()
    };
    PartitionSeen { statics, rows }
}
