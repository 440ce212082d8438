//! Invariants of row changes: they lead from the rows of one schema to those of another, whatever order
//! their mutations are applied in. The cost is that of the tables that differ.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use super::object::{Row, RowKey, key, keyspace_row, table_rows};
use super::projection::Projection;
use super::table::SystemTable;
use crate::schema::{Schema, SchemaDiff, Table};

/// Rows that come and rows that go.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowChanges {
    /// Rows to write, whole.
    pub(super) written: Vec<Row>,
    /// Rows to delete, or prefixes of the clustering that all rows to delete begin with.
    pub(super) deleted: Vec<RowKey>,
}

impl RowChanges {
    /// What the rows lack that has changed between two schemas.
    #[must_use]
    pub fn enacted(before: &Schema, after: &Schema, diff: &SchemaDiff) -> RowChanges {
        let mut changes = RowChanges::default();
        for table in &diff.dropped {
            changes.drop_table(table);
        }
        for table in &diff.created {
            changes.written.extend(table_rows(table));
        }
        for (old, new) in &diff.altered {
            changes.alter(table_rows(old), table_rows(new));
        }
        let touched = diff.dropped.iter().chain(&diff.created);
        let keyspaces: BTreeSet<&str> = touched.map(|table| &table.name.keyspace[..]).collect();
        for keyspace in keyspaces {
            match (before.has_keyspace(keyspace), after.has_keyspace(keyspace)) {
                (false, true) => changes.written.push(keyspace_row(keyspace)),
                (true, false) => changes.deleted.push(keyspace_row(keyspace).0),
                (true, true) | (false, false) => {}
            }
        }
        changes
    }

    /// What leads from the rows that are stored to those that should be.
    #[must_use]
    pub fn mending(stored: &Projection, expected: &Projection) -> RowChanges {
        let mut changes = RowChanges::default();
        changes.compare(
            stored
                .rows()
                .map(|(key, values)| (key.clone(), values.clone())),
            expected
                .rows()
                .map(|(key, values)| (key.clone(), values.clone())),
        );
        changes
    }

    /// Whether nothing changes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.written.is_empty() && self.deleted.is_empty()
    }

    /// How many rows are written.
    #[must_use]
    pub fn written_count(&self) -> usize {
        self.written.len()
    }

    /// How many rows, or ranges of rows, are deleted.
    #[must_use]
    pub fn deleted_count(&self) -> usize {
        self.deleted.len()
    }

    fn drop_table(&mut self, table: &Table) {
        self.deleted.push(key(SystemTable::Columns, table, None));
        if !table.dropped.is_empty() {
            self.deleted
                .push(key(SystemTable::DroppedColumns, table, None));
        }
        self.deleted.push(key(SystemTable::Tables, table, None));
    }

    fn alter(&mut self, mut before: Vec<Row>, mut after: Vec<Row>) {
        before.sort();
        after.sort();
        self.compare(before.into_iter(), after.into_iter());
    }

    /// Walks two ascending lists of rows side by side.
    fn compare(&mut self, before: impl Iterator<Item = Row>, after: impl Iterator<Item = Row>) {
        let (mut before, mut after) = (before.peekable(), after.peekable());
        loop {
            let order = match (before.peek(), after.peek()) {
                (Some((old, _)), Some((new, _))) => old.cmp(new),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (None, None) => return,
            };
            match order {
                Ordering::Less => self.deleted.extend(before.next().map(|(key, _)| key)),
                Ordering::Greater => self.written.extend(after.next()),
                Ordering::Equal => {
                    let old = before.next();
                    let new = after.next();
                    self.written
                        .extend(new.filter(|new| old.as_ref() != Some(new)));
                }
            }
        }
    }
}
