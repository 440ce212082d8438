//! Vocabulary of the schema's own tables: what each is called, and its columns.

use std::sync::LazyLock;

use crate::keys::{ClusteringShape, DataType, Order};
use crate::limits::SYSTEM_TABLE_ID_MIN;
use crate::rows::{ColumnId, TableId};
use crate::schema::{Column, ColumnKind, Epoch, PurgeOptions, Table, TableName};

/// The keyspace of the schema's own tables.
pub const SYSTEM_KEYSPACE: &str = "system_schema";
/// Seven days.
const GC_GRACE_SECONDS: u32 = 7 * 86_400;

/// One of the schema's own tables. The order is that of ids and of flushes: what belongs to a table before the
/// table, that before its keyspace. So a crash amid a flush leaves no table without its columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SystemTable {
    /// A row a live column.
    Columns,
    /// A row a column that was dropped at some time.
    DroppedColumns,
    /// A row a table.
    Tables,
    /// A row a keyspace that has a table.
    Keyspaces,
}

/// A table as it is used.
#[derive(Debug)]
pub(super) struct Defined {
    pub(super) table: Table,
    pub(super) shape: ClusteringShape,
    /// Regular columns, ascending by id.
    pub(super) regulars: Vec<(ColumnId, DataType)>,
}

static DEFINED: LazyLock<[Defined; 4]> = LazyLock::new(|| SystemTable::ALL.map(Defined::new));

impl SystemTable {
    /// All of them, in order.
    pub const ALL: [SystemTable; 4] = [
        SystemTable::Columns,
        SystemTable::DroppedColumns,
        SystemTable::Tables,
        SystemTable::Keyspaces,
    ];

    /// Its id, for ever.
    #[must_use]
    pub const fn id(self) -> TableId {
        TableId(SYSTEM_TABLE_ID_MIN + self as u64)
    }

    /// The table with this id.
    #[must_use]
    pub fn of_id(id: TableId) -> Option<SystemTable> {
        SystemTable::ALL.into_iter().find(|table| table.id() == id)
    }

    /// The table of this name.
    #[must_use]
    pub fn named(name: &TableName) -> Option<SystemTable> {
        let mut all = SystemTable::ALL.into_iter();
        all.find(|table| name.keyspace == SYSTEM_KEYSPACE && name.table == table.name())
    }

    /// What it is called in its keyspace.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            SystemTable::Columns => "columns",
            SystemTable::DroppedColumns => "dropped_columns",
            SystemTable::Tables => "tables",
            SystemTable::Keyspaces => "keyspaces",
        }
    }

    /// Its definition.
    #[must_use]
    pub fn definition(self) -> &'static Table {
        &self.defined().table
    }

    pub(super) fn defined(self) -> &'static Defined {
        &DEFINED[self as usize]
    }

    /// Clustering columns, and regular ones with their types. Ids follow from the order, so new ones go last.
    const fn columns(self) -> (&'static [&'static str], &'static [(&'static str, DataType)]) {
        match self {
            SystemTable::Columns => (
                &["table_name", "column_name"],
                &[
                    ("id", DataType::Int),
                    ("clustering_order", DataType::Text),
                    ("kind", DataType::Text),
                    ("position", DataType::Int),
                    ("type", DataType::Text),
                ],
            ),
            SystemTable::DroppedColumns => (
                &["table_name", "column_name"],
                &[
                    ("id", DataType::Int),
                    ("dropped_micros", DataType::BigInt),
                    ("kind", DataType::Text),
                    ("type", DataType::Text),
                ],
            ),
            SystemTable::Tables => (
                &["table_name"],
                &[
                    ("id", DataType::BigInt),
                    ("altered_epoch", DataType::BigInt),
                    ("gc_grace_seconds", DataType::BigInt),
                    ("next_column_id", DataType::Int),
                    ("only_purge_repaired_tombstones", DataType::Boolean),
                    ("provide_overlapping_tombstones", DataType::Text),
                ],
            ),
            SystemTable::Keyspaces => (&[], &[("durable_writes", DataType::Boolean)]),
        }
    }
}

impl Defined {
    fn new(of: SystemTable) -> Defined {
        let (clustering, regulars) = of.columns();
        let keyspace = ("keyspace_name", DataType::Text, ColumnKind::PartitionKey);
        let clustering = clustering.iter().map(|name| {
            let kind = ColumnKind::Clustering(Order::Ascending);
            (*name, DataType::Text, kind)
        });
        let regulars = regulars
            .iter()
            .map(|(name, data_type)| (*name, *data_type, ColumnKind::Regular));
        let all = std::iter::once(keyspace).chain(clustering).chain(regulars);
        let columns: Vec<Column> = (0..)
            .zip(all)
            .map(|(id, (name, data_type, kind))| Column {
                id: ColumnId(id),
                name: name.into(),
                data_type: data_type.into(),
                kind,
            })
            .collect();
        let next_column = ColumnId(
            u32::try_from(columns.len()).expect("a system table has fewer than 2^32 columns"),
        );
        let table = Table {
            id: of.id(),
            name: TableName::new(SYSTEM_KEYSPACE, of.name()),
            altered: Epoch::EMPTY,
            columns,
            dropped: Vec::new(),
            next_column,
            gc_grace_seconds: GC_GRACE_SECONDS,
            purge: PurgeOptions::default(),
        };
        Defined {
            shape: table.clustering_shape(),
            regulars: table
                .regulars()
                .filter_map(|column| Some((column.id, column.data_type.scalar()?)))
                .collect(),
            table,
        }
    }
}
