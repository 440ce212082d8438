//! Steps from row changes to mutations: sort them by table and partition; fill mutations one after the other,
//! none above the maximum.

use std::collections::BTreeMap;

use bytes::Bytes;

use super::changes::RowChanges;
use super::object::RowKey;
use super::stamp::Stamp;
use super::table::SystemTable;
use crate::keys::{BoundSide, DecoratedKey, PartitionKey, Text, Value};
use crate::limits::SYSTEM_ROW_SIZE_MAX;
use crate::rows::{
    Cell, DeletionTime, Liveness, Mutation, NO_DELETION_SECONDS, Partition, RangeTombstone, Row,
};

/// What a mutation holds beside rows: version, table, sizes, counts.
const MUTATION_OVERHEAD_SIZE: usize = 24;
/// What a row or a range holds beside names and values: times, flags, sizes.
const ROW_OVERHEAD_SIZE: usize = 48;
/// What a cell holds beside its value.
const CELL_OVERHEAD_SIZE: usize = 13;
/// What a name takes beside its bytes, in a clustering or a bound.
const NAME_OVERHEAD_SIZE: usize = 3;

/// One row or one deletion.
struct Part {
    names: Vec<Text>,
    /// `None` deletes.
    values: Option<Vec<Option<Value>>>,
}

impl RowChanges {
    /// The mutations that do it, none larger than `size_max` bytes. `now_seconds` is the wall second from which
    /// tombstones are kept for their grace; it decides nothing else.
    ///
    /// # Panics
    /// When `size_max` is below [`SYSTEM_ROW_SIZE_MAX`].
    #[must_use]
    pub fn mutations(self, stamp: Stamp, now_seconds: u32, size_max: usize) -> Vec<Mutation> {
        assert!(size_max >= SYSTEM_ROW_SIZE_MAX, "a row fits a mutation");
        let deletion = DeletionTime {
            timestamp: stamp.deletions(),
            local_deletion_seconds: now_seconds.min(NO_DELETION_SECONDS - 1),
        };
        let mut mutations = Vec::new();
        for ((table, keyspace), parts) in self.by_partition() {
            let key = DecoratedKey::new(PartitionKey(Bytes::copy_from_slice(keyspace.as_bytes())));
            let empty_size = MUTATION_OVERHEAD_SIZE + key.key.0.len();
            let (mut update, mut size) = (Partition::default(), empty_size);
            for part in parts {
                let part_size = part.size_max();
                if size + part_size > size_max && !update.is_empty() {
                    let update = std::mem::take(&mut update);
                    mutations.push(mutation(table, &key, update));
                    size = empty_size;
                }
                size += part_size;
                part.put(table, stamp, deletion, &mut update);
            }
            mutations.push(mutation(table, &key, update));
        }
        mutations
    }

    fn by_partition(self) -> BTreeMap<(SystemTable, Text), Vec<Part>> {
        let mut all: BTreeMap<(SystemTable, Text), Vec<Part>> = BTreeMap::new();
        let deleted = self.deleted.into_iter().map(|key| (key, None));
        let written = self.written.into_iter();
        let written = written.map(|(key, values)| (key, Some(values)));
        for (key, values) in deleted.chain(written) {
            let RowKey {
                table,
                keyspace,
                names,
            } = key;
            let parts = all.entry((table, keyspace)).or_default();
            parts.push(Part { names, values });
        }
        all
    }
}

fn mutation(table: SystemTable, key: &DecoratedKey, update: Partition) -> Mutation {
    Mutation {
        table: table.id(),
        key: key.clone(),
        update,
    }
}

impl Part {
    /// No encoding of it is larger.
    fn size_max(&self) -> usize {
        let names = self.names.iter();
        let names_size: usize = names.map(|name| name.len() + NAME_OVERHEAD_SIZE).sum();
        match &self.values {
            None => ROW_OVERHEAD_SIZE + 2 * names_size,
            Some(values) => {
                let values = values.iter();
                let cells = values.map(|value| CELL_OVERHEAD_SIZE + value_size(value.as_ref()));
                ROW_OVERHEAD_SIZE + names_size + cells.sum::<usize>()
            }
        }
    }

    fn put(self, table: SystemTable, stamp: Stamp, deletion: DeletionTime, update: &mut Partition) {
        let defined = table.defined();
        let is_row = self.names.len() == defined.shape.columns.len();
        let names: Vec<Value> = self.names.into_iter().map(Value::Text).collect();
        if !is_row {
            let bound = |side| {
                let bound = defined.shape.bound(&names, side);
                bound.expect("names are texts, and short")
            };
            update.delete_range(&RangeTombstone {
                start: bound(BoundSide::Before),
                end: bound(BoundSide::After),
                deletion,
            });
            return;
        }
        let clustering = defined.shape.clustering(&names);
        let clustering = clustering.expect("names are texts, and short");
        let Some(values) = self.values else {
            let deletion = Some(deletion);
            update.apply_row(
                clustering,
                Row {
                    deletion,
                    ..Row::default()
                },
            );
            return;
        };
        let time = stamp.rows();
        let cell = |value: Value| Cell::plain(time, value.encode());
        let columns = defined.regulars.iter().zip(values);
        let row = Row {
            liveness: Some(Liveness::plain(time)),
            // Whatever else an earlier row of the table held goes.
            deletion: (table == SystemTable::Tables).then_some(deletion),
            cells: columns
                .filter_map(|((id, _), value)| Some(((*id).into(), cell(value?))))
                .collect(),
            ..Row::default()
        };
        update.apply_row(clustering, row);
    }
}

fn value_size(value: Option<&Value>) -> usize {
    match value {
        None | Some(Value::Boolean(_) | Value::Int(_) | Value::BigInt(_)) => 8,
        Some(Value::Text(text)) => text.len().max(8),
        Some(other) => other.encode().len().max(8),
    }
}
