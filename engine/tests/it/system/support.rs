//! Vocabulary of the tests of `system`: random histories, and a store of rows that is one map.

use std::collections::BTreeMap;

use cenotaph_engine::keys::{DataType, DecoratedKey, Order};
use cenotaph_engine::rows::{Mutation, Partition, TableId};
use cenotaph_engine::schema::{
    Change, ColumnDefinition, ColumnKind, Epoch, PurgeOptions, Schema, TableName, TombstoneOption,
};
use cenotaph_engine::system::{Projection, RowChanges, Stamp, SystemTable};
use proptest::prelude::*;

use crate::schema::column;

/// The wall second of every mutation here: it decides nothing.
const NOW_SECONDS: u32 = 1_700_000_000;

/// One of few changes over two keyspaces with three names each, so that most are accepted and many undo
/// one another.
pub(super) fn any_change() -> impl Strategy<Value = Change> {
    let name = (0..2_u8, 0..3_u8);
    let name = name.prop_map(|(ks, t)| TableName::new(&format!("ks{ks}"), &format!("t{t}")));
    (name, 0..4_u8, 0..3_u8, 0..100_i64).prop_map(|(table, what, n, dropped_micros)| {
        let name = format!("w{n}");
        match what {
            0 => create(table, n),
            1 => Change::AddColumn {
                table,
                column: added(&name, n),
            },
            2 => Change::DropColumn {
                table,
                column: name.into(),
                dropped_micros,
            },
            _ => Change::DropTable { table },
        }
    })
}

fn added(name: &str, n: u8) -> ColumnDefinition {
    let kind = if n == 0 {
        ColumnKind::Static
    } else {
        ColumnKind::Regular
    };
    column(name, DataType::BigInt, kind)
}

/// A table with two key columns of each sort; more columns the larger `n`.
pub(super) fn create(name: TableName, n: u8) -> Change {
    let descending = ColumnKind::Clustering(Order::Descending);
    let ascending = ColumnKind::Clustering(Order::Ascending);
    let mut columns = vec![
        column("b", DataType::Text, ColumnKind::PartitionKey),
        column("a", DataType::Boolean, ColumnKind::PartitionKey),
        column("d", DataType::Int, descending),
        column("c", DataType::Blob, ascending),
    ];
    columns.extend((0..n).map(|n| added(&format!("w{n}"), n)));
    Change::CreateTable {
        name,
        columns,
        gc_grace_seconds: u32::MAX - u32::from(n),
        purge: PurgeOptions {
            only_purge_repaired_tombstones: n % 2 == 1,
            provide_overlapping_tombstones: TombstoneOption::ALL[usize::from(n % 3)],
        },
    }
}

/// Every schema on the way; refused changes leave no trace.
pub(super) fn any_history() -> impl Strategy<Value = Vec<Schema>> {
    prop::collection::vec(any_change(), 0..40).prop_map(|changes| history(&changes))
}

pub(super) fn history(changes: &[Change]) -> Vec<Schema> {
    let mut all = vec![Schema::empty()];
    for change in changes {
        let last = all.last().expect("the empty schema");
        all.extend(last.apply(change).ok());
    }
    all
}

/// What enacting writes, when the schemas at these indices are the ones that a node came to see.
pub(super) fn enacted(history: &[Schema], seen: &[usize], size_max: usize) -> Vec<Mutation> {
    let mut mutations = Vec::new();
    for pair in seen.windows(2) {
        let (before, after) = (&history[pair[0]], &history[pair[1]]);
        let changes = RowChanges::enacted(before, after, &before.diff(after));
        let stamp = Stamp::enacted(after.epoch());
        mutations.extend(changes.mutations(stamp, NOW_SECONDS, size_max));
    }
    mutations
}

/// Rows as a store has them.
#[derive(Clone, Default)]
pub(super) struct Rows(BTreeMap<(TableId, DecoratedKey), Partition>);

impl Rows {
    pub(super) fn apply(&mut self, mutations: &[Mutation]) {
        for Mutation { table, key, update } in mutations {
            let partition = self.0.entry((*table, key.clone())).or_default();
            partition.apply(update.clone());
        }
    }

    pub(super) fn projection(&self, epoch: Epoch) -> Projection {
        let mut projection = Projection::default();
        for ((table, key), partition) in &self.0 {
            let table = SystemTable::of_id(*table).expect("one of the schema's own");
            let added = projection.add(table, key, partition, epoch);
            added.expect("rows that were written whole");
        }
        projection
    }

    /// What a start would write, and the number of rows written and deleted.
    pub(super) fn mend(&self, schema: &Schema, size_max: usize) -> (Vec<Mutation>, usize, usize) {
        let stored = self.projection(schema.epoch());
        let changes = RowChanges::mending(&stored, &Projection::of_schema(schema));
        let (written, deleted) = (changes.written_count(), changes.deleted_count());
        let stamp = Stamp::mended(schema.epoch());
        let mutations = changes.mutations(stamp, NOW_SECONDS, size_max);
        (mutations, written, deleted)
    }
}
