//! Vocabulary of where a cell stands in its row: its column and, in a column of many cells, its element.

use std::sync::Arc;

use super::cell::ColumnId;

/// Which element of a multi-cell column: the bytes of a map key, a set element, a list id or a field
/// number. They compare as bytes; that is the order in which elements are shown. May be empty.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellPath(Arc<[u8]>);

impl CellPath {
    /// The bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl From<&[u8]> for CellPath {
    fn from(bytes: &[u8]) -> CellPath {
        CellPath(bytes.into())
    }
}

/// The place of a cell in its row.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellKey {
    /// The column.
    pub column: ColumnId,
    /// The element; `None` in a column that has one cell. Costs no allocation then.
    pub path: Option<CellPath>,
}

impl CellKey {
    /// An element of a multi-cell column.
    #[must_use]
    pub const fn element(column: ColumnId, path: CellPath) -> CellKey {
        CellKey {
            column,
            path: Some(path),
        }
    }
}

impl From<ColumnId> for CellKey {
    /// The only cell of a column.
    fn from(column: ColumnId) -> CellKey {
        CellKey { column, path: None }
    }
}
