//! Vocabulary of what an operation is made of, to be changed in place.

use std::collections::BTreeMap;

use crate::plan::{Column, Edge, Operation, Plan, Scalar, TableNumber};

pub(super) fn table_mut(operation: &mut Operation) -> Option<&mut TableNumber> {
    match operation {
        Operation::CreateTable { table, .. }
        | Operation::AddColumn { table, .. }
        | Operation::DropTable { table }
        | Operation::Insert { table, .. }
        | Operation::Update { table, .. }
        | Operation::DeleteCells { table, .. }
        | Operation::DeleteRow { table, .. }
        | Operation::DeleteRange { table, .. }
        | Operation::DeletePartition { table, .. }
        | Operation::Read { table, .. }
        | Operation::DropColumn { table, .. }
        | Operation::Compact { table }
        | Operation::Truncate { table }
        | Operation::MarkRepaired { table }
        | Operation::Stones { table, .. }
        | Operation::Flush { table } => Some(table),
        Operation::Describe
        | Operation::SetSchemaFlushWindow { .. }
        | Operation::SystemSchema
        | Operation::Drain
        | Operation::Pause { .. } => None,
    }
}

pub(super) fn partition_mut(operation: &mut Operation) -> Option<&mut i32> {
    match operation {
        Operation::Insert { partition, .. }
        | Operation::Update { partition, .. }
        | Operation::DeleteCells { partition, .. }
        | Operation::DeleteRow { partition, .. }
        | Operation::DeleteRange { partition, .. }
        | Operation::DeletePartition { partition, .. }
        | Operation::Stones { partition, .. }
        | Operation::Read { partition, .. } => Some(partition),
        _ => None,
    }
}

/// The write time of the operation; of a column that goes, up to which its cells go with it.
pub(super) fn timestamp_mut(operation: &mut Operation) -> Option<&mut i64> {
    match operation {
        Operation::Insert { timestamp, .. }
        | Operation::Update { timestamp, .. }
        | Operation::DeleteCells { timestamp, .. }
        | Operation::DeleteRow { timestamp, .. }
        | Operation::DeleteRange { timestamp, .. }
        | Operation::DeletePartition { timestamp, .. }
        | Operation::DropColumn {
            dropped_micros: timestamp,
            ..
        } => Some(timestamp),
        _ => None,
    }
}

/// How long what the operation writes lives.
pub(super) fn ttl_mut(operation: &mut Operation) -> Option<&mut Option<u32>> {
    match operation {
        Operation::Insert { ttl_seconds, .. } | Operation::Update { ttl_seconds, .. } => {
            Some(ttl_seconds)
        }
        _ => None,
    }
}

/// The cells that the operation writes.
pub(super) fn cells_mut(operation: &mut Operation) -> Option<&mut BTreeMap<Column, Scalar>> {
    match operation {
        Operation::Insert { cells, .. } | Operation::Update { cells, .. } => Some(cells),
        _ => None,
    }
}

/// All values of clustering columns in the operation: of its row, or of its slice.
pub(super) fn clustering_mut(operation: &mut Operation) -> Vec<&mut Scalar> {
    match operation {
        Operation::Insert { row, .. }
        | Operation::Update { row, .. }
        | Operation::DeleteCells { row, .. } => row.iter_mut().flatten().collect(),
        Operation::DeleteRow { row, .. } => row.iter_mut().collect(),
        Operation::DeleteRange { slice, .. } | Operation::Read { slice, .. } => {
            let edges = [&mut slice.from, &mut slice.to].into_iter();
            let bounds = edges.filter_map(|edge| match edge {
                Edge::Open => None,
                Edge::Inclusive(value) | Edge::Exclusive(value) => Some(value),
            });
            slice.prefix.iter_mut().chain(bounds).collect()
        }
        _ => Vec::new(),
    }
}

/// The plan with each operation changed in place.
pub(super) fn with_each(plan: &Plan, change: impl Fn(&mut Operation)) -> Plan {
    let mut next = plan.clone();
    next.clients.iter_mut().flatten().for_each(change);
    next
}
