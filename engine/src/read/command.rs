//! Vocabulary of reads.

use crate::keys::{DecoratedKey, Slice};
use crate::rows::{ColumnId, TableId};
use crate::schema::{Column, ColumnKind, Table};

/// Which columns a read shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Columns {
    /// All static and regular columns, by id.
    All,
    /// These static and regular columns, in this order. Rows are found by all columns all the same.
    Ids(Vec<ColumnId>),
}

/// A read of one partition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadCommand {
    /// The table.
    pub table: TableId,
    /// The partition.
    pub key: DecoratedKey,
    /// Which rows; [`Slice::ALL`] asks for the whole partition, static columns without rows included.
    pub slice: Slice,
    /// Whether the last row comes first.
    pub reversed: bool,
    /// How many visible rows at most; `None` for all.
    pub limit: Option<usize>,
    /// Which columns.
    pub columns: Columns,
    /// The wall second at which it is asked what is alive, the same for every source.
    pub now_seconds: u32,
}

impl ReadCommand {
    /// Whether the whole partition is asked for, so that its static row alone is a row.
    #[must_use]
    pub fn is_whole_partition(&self) -> bool {
        self.slice == Slice::ALL
    }

    /// The columns of one kind that the read shows, in the order it asked for.
    #[must_use]
    pub fn shown<'a>(&self, kind: ColumnKind, table: &'a Table) -> Vec<&'a Column> {
        let of_kind = |column: &&Column| column.kind == kind;
        match &self.columns {
            Columns::All => table.columns.iter().filter(of_kind).collect(),
            Columns::Ids(ids) => ids
                .iter()
                .filter_map(|id| table.column(*id))
                .filter(of_kind)
                .collect(),
        }
    }
}
