//! Invariants of the registry: a table's set is made at its first use, and order is by table id.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;

use super::node::NodeMetrics;
use super::table::TableMetrics;

/// All metrics of a node.
#[derive(Debug, Default)]
pub struct Metrics {
    /// What the node counts.
    pub node: NodeMetrics,
    tables: RefCell<BTreeMap<u64, Rc<TableMetrics>>>,
}

impl Metrics {
    /// The metrics of the table with this id. O(log tables): keep the answer.
    pub fn table(&self, table_id: u64) -> Rc<TableMetrics> {
        Rc::clone(self.tables.borrow_mut().entry(table_id).or_default())
    }

    /// Forgets a dropped table.
    pub fn forget_table(&self, table_id: u64) {
        self.tables.borrow_mut().remove(&table_id);
    }

    /// Ids of the tables that have metrics, ascending.
    #[must_use]
    pub fn table_ids(&self) -> Vec<u64> {
        self.tables.borrow().keys().copied().collect()
    }
}

impl fmt::Display for Metrics {
    /// One line a metric that is not zero: `name value`, or `table 7 name value`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in self
            .node
            .values()
            .into_iter()
            .filter(|(_, value)| *value > 0)
        {
            writeln!(f, "{name} {value}")?;
        }
        for (id, table) in self.tables.borrow().iter() {
            for (name, value) in table.values().into_iter().filter(|(_, value)| *value > 0) {
                writeln!(f, "table {id} {name} {value}")?;
            }
        }
        Ok(())
    }
}
