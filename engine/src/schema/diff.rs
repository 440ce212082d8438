//! Invariants of a diff: applied to the one schema it gives the other's tables; of two schemas that
//! share their unchanged tables it visits only nodes that are not shared.

use std::sync::Arc;

use imbl::ordmap::DiffItem;

use super::table::Table;
use super::value::Schema;

/// What differs between two schemas, by table id, each list ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SchemaDiff {
    /// Tables only in the later one.
    pub created: Vec<Arc<Table>>,
    /// Tables only in the earlier one.
    pub dropped: Vec<Arc<Table>>,
    /// Tables in both that differ: before and after.
    pub altered: Vec<(Arc<Table>, Arc<Table>)>,
}

impl SchemaDiff {
    /// Whether the two schemas have the same tables.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.created.is_empty() && self.dropped.is_empty() && self.altered.is_empty()
    }
}

impl Schema {
    /// What changed from `self` to `later`. The cost is O(changed · log tables) when one was made from
    /// the other by changes.
    #[must_use]
    pub fn diff(&self, later: &Schema) -> SchemaDiff {
        let mut diff = SchemaDiff::default();
        for item in self.tables.diff(&later.tables) {
            match item {
                DiffItem::Add(_, table) => diff.created.push(Arc::clone(table)),
                DiffItem::Remove(_, table) => diff.dropped.push(Arc::clone(table)),
                DiffItem::Update {
                    old: (_, before),
                    new: (_, after),
                } => {
                    diff.altered.push((Arc::clone(before), Arc::clone(after)));
                }
            }
        }
        diff
    }
}
