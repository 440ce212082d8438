//! Vocabulary of what an operation is made of, to be changed in place.

use crate::plan::{Change, Collection, Edge, Operation, Plan, Scalar, TableNumber, Value};

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

/// All values that the operation writes, those of elements too, but not the keys of any.
pub(super) fn values_mut(operation: &mut Operation) -> Vec<&mut Scalar> {
    match operation {
        Operation::Insert { cells, .. } => cells.values_mut().flat_map(of_value).collect(),
        Operation::Update {
            cells, elements, ..
        } => {
            let changes = elements.values_mut().flat_map(of_change);
            cells
                .values_mut()
                .flat_map(of_value)
                .chain(changes)
                .collect()
        }
        _ => Vec::new(),
    }
}

fn of_value(value: &mut Value) -> Vec<&mut Scalar> {
    match value {
        Value::Scalar(value) => vec![value],
        Value::Many(collection) | Value::Frozen(collection) => of_collection(collection),
    }
}

fn of_change(change: &mut Change) -> Vec<&mut Scalar> {
    match change {
        Change::Add(collection) => of_collection(collection),
        Change::Remove(_) => Vec::new(),
        Change::Fields(fields) => fields.values_mut().flatten().collect(),
    }
}

fn of_collection(collection: &mut Collection) -> Vec<&mut Scalar> {
    match collection {
        Collection::Map(entries) => entries.iter_mut().map(|(_, value)| value).collect(),
        Collection::Set(_) => Vec::new(),
        Collection::List(elements) => elements.iter_mut().collect(),
        Collection::Struct(fields) => fields.values_mut().collect(),
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
