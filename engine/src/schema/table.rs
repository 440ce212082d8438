//! Invariants of a table: columns ascend by id; ids of one name never change, and are never given to
//! another; columns of the partition key and of the clustering are in key order, and have scalar types.

use serde::{Deserialize, Serialize};

use super::column::{Column, ColumnKind, DroppedColumn};
use super::epoch::Epoch;
use super::name::TableName;
use super::purge::PurgeOptions;
use crate::keys::{ClusteringColumn, ClusteringShape, DataType};
use crate::rows::{ColumnId, TableId};

/// A table at some epoch.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Table {
    /// For ever: the epoch that created it.
    pub id: TableId,
    /// What statements call it.
    pub name: TableName,
    /// Epoch of the last change of this table.
    pub altered: Epoch,
    /// Live columns, ascending by id.
    pub columns: Vec<Column>,
    /// Columns that were dropped at some time, ascending by id.
    pub dropped: Vec<DroppedColumn>,
    /// The id that the next new column name gets.
    pub next_column: ColumnId,
    /// How long a tombstone is kept, in seconds.
    pub gc_grace_seconds: u32,
    /// What its compactions may drop.
    pub purge: PurgeOptions,
}

impl Table {
    /// `gc_grace_seconds` of a table that does not say: ten days.
    pub const GC_GRACE_SECONDS_DEFAULT: u32 = 864_000;

    /// The live column with this id.
    #[must_use]
    pub fn column(&self, id: ColumnId) -> Option<&Column> {
        let index = self
            .columns
            .binary_search_by_key(&id, |column| column.id)
            .ok()?;
        self.columns.get(index)
    }

    /// The live column of this name.
    #[must_use]
    pub fn column_named(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// Columns of the partition key, in key order; at least one.
    pub fn partition_key(&self) -> impl Iterator<Item = &Column> {
        self.columns
            .iter()
            .filter(|column| column.kind == ColumnKind::PartitionKey)
    }

    /// Types of the partition key, in key order.
    #[must_use]
    pub fn partition_key_types(&self) -> Vec<DataType> {
        self.partition_key()
            .filter_map(|column| column.data_type.scalar())
            .collect()
    }

    /// Clustering columns, in key order.
    pub fn clustering(&self) -> impl Iterator<Item = &Column> {
        self.columns
            .iter()
            .filter(|column| matches!(column.kind, ColumnKind::Clustering(_)))
    }

    /// How this table's clusterings become positions.
    #[must_use]
    pub fn clustering_shape(&self) -> ClusteringShape {
        let shaped = |column: &Column| match column.kind {
            ColumnKind::Clustering(order) => Some(ClusteringColumn {
                data_type: column.data_type.scalar()?,
                order,
            }),
            ColumnKind::PartitionKey | ColumnKind::Static | ColumnKind::Regular => None,
        };
        ClusteringShape {
            columns: self.columns.iter().filter_map(shaped).collect(),
        }
    }

    /// Static columns, ascending by id.
    pub fn statics(&self) -> impl Iterator<Item = &Column> {
        self.columns
            .iter()
            .filter(|column| column.kind == ColumnKind::Static)
    }

    /// Regular columns, ascending by id.
    pub fn regulars(&self) -> impl Iterator<Item = &Column> {
        self.columns
            .iter()
            .filter(|column| column.kind == ColumnKind::Regular)
    }

    /// Up to which write time, in microseconds, cells of this column are dead because it was dropped.
    #[must_use]
    pub fn dropped_micros(&self, id: ColumnId) -> Option<i64> {
        let index = self
            .dropped
            .binary_search_by_key(&id, |dropped| dropped.column.id)
            .ok()?;
        self.dropped
            .get(index)
            .map(|dropped| dropped.dropped_micros)
    }

    /// Whether what was written to the column at this time is dead because the column was dropped.
    #[must_use]
    pub fn is_dropped(&self, id: ColumnId, timestamp: i64) -> bool {
        self.dropped_micros(id)
            .is_some_and(|micros| timestamp <= micros)
    }
}
