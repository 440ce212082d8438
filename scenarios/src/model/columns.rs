//! Invariants of columns: which of a table's additions and drops of a column must have landed at some
//! moment, which may have, and what that makes possible. Everything here errs on the side of
//! "possible".

use std::collections::BTreeSet;

use super::fate::View;
use super::state::Model;
use crate::plan::{Column, ColumnType, Operation, TableNumber};

impl Model<'_> {
    pub(super) fn additions(
        &self,
        table: TableNumber,
        column: Column,
    ) -> impl Iterator<Item = usize> + '_ {
        // An addition with another type than the column was created with never lands.
        let created = self.created_type(table, column);
        let adds = move |index: &usize| match self.record(*index).what {
            Operation::AddColumn {
                column: added,
                column_type,
                ..
            } => *added == column && created.is_none_or(|created| created == *column_type),
            _ => false,
        };
        self.changes_of(table).filter(adds)
    }

    /// The drops of any column of a table.
    pub(super) fn column_drops(&self, table: TableNumber) -> impl Iterator<Item = usize> + '_ {
        self.column_drops.get(&table).into_iter().flatten().copied()
    }

    /// Whether any column of the table may ever have been dropped.
    pub(super) fn drops_columns(&self, table: TableNumber) -> bool {
        self.column_drops.contains_key(&table)
    }

    pub(super) fn drops_of(
        &self,
        table: TableNumber,
        column: Column,
    ) -> impl Iterator<Item = usize> + '_ {
        let drops = move |index: &usize| {
            let what = self.record(*index).what;
            matches!(what, Operation::DropColumn { column: dropped, .. } if *dropped == column)
        };
        self.column_drops(table).filter(drops)
    }

    /// Whether a drop of the column must have come after it got there by this change.
    fn is_surely_gone(
        &self,
        source: usize,
        (table, column): (TableNumber, Column),
        view: View,
        other_than: usize,
    ) -> bool {
        let open_until = self.fates[source].landing.open_until;
        self.drops_of(table, column).any(|drop| {
            drop != other_than
                && self.is_sure(drop, view)
                && self.fates[drop].landing.first_at >= open_until
        })
    }

    /// The drops of the column that may have come after it got there by this change.
    pub(super) fn column_drops_after(
        &self,
        source: usize,
        (table, column): (TableNumber, Column),
        view: View,
        other_than: usize,
    ) -> impl Iterator<Item = usize> + '_ {
        let first_at = self.fates[source].landing.first_at;
        self.drops_of(table, column).filter(move |drop| {
            *drop != other_than
                && self.may_be(*drop, view)
                && self.fates[*drop].landing.open_until > first_at
        })
    }

    /// The changes by which the column may have got there: the table's creation, or additions.
    pub(super) fn living_sources(
        &self,
        table: TableNumber,
        column: Column,
        view: View,
        other_than: usize,
    ) -> impl Iterator<Item = usize> + '_ {
        let created = self.is_created_with(table, column);
        let creates = self
            .living_creates(table, view)
            .filter(move |_| created)
            .filter(move |create| !self.is_surely_gone(*create, (table, column), view, other_than));
        let additions = self.additions(table, column).filter(move |addition| {
            *addition != other_than
                && self.may_be(*addition, view)
                && !self.is_surely_dropped(*addition, table, view)
                && !self.is_surely_gone(*addition, (table, column), view, other_than)
        });
        creates.chain(additions)
    }

    /// Whether the column may be there when the table is; `other_than` one change, whose own answer
    /// is at question.
    pub(super) fn column_may_exist(
        &self,
        table: TableNumber,
        column: Column,
        view: View,
        other_than: usize,
    ) -> bool {
        let mut sources = self.living_sources(table, column, view, other_than);
        sources.next().is_some()
    }

    /// Whether the column may be absent when the table is there.
    pub(super) fn column_may_be_absent(
        &self,
        table: TableNumber,
        column: Column,
        view: View,
        other_than: usize,
    ) -> bool {
        let of = (table, column);
        let may_be_gone = |source: usize| {
            let mut drops = self.column_drops_after(source, of, view, other_than);
            drops.next().is_some()
        };
        if self.is_created_with(table, column) && !self.drops_columns(table) {
            return false;
        }
        let created_may_be_gone = !self.is_created_with(table, column)
            || self.living_creates(table, view).any(may_be_gone);
        created_may_be_gone
            && self
                .additions(table, column)
                .filter(|addition| *addition != other_than)
                .all(|addition| {
                    !self.is_sure(addition, view)
                        || self.drops_after(addition, table, view).next().is_some()
                        || may_be_gone(addition)
                })
    }

    pub(super) fn is_created_with(&self, table: TableNumber, column: Column) -> bool {
        self.created_type(table, column).is_some()
    }

    /// The type with which the table is created with the column; none when it is not.
    pub(super) fn created_type(&self, table: TableNumber, column: Column) -> Option<ColumnType> {
        let shape = self.shapes.get(&table);
        shape.and_then(|shape| shape.column_type(column))
    }

    /// The type of a column; none when the table never has it.
    pub(super) fn column_type(&self, table: TableNumber, column: Column) -> Option<ColumnType> {
        let added = || {
            let index = self.additions(table, column).next()?;
            match self.record(index).what {
                Operation::AddColumn { column_type, .. } => Some(*column_type),
                _ => None,
            }
        };
        self.created_type(table, column).or_else(added)
    }

    /// The columns that a read may not have shown because the table did not have them. Only drops
    /// take a column from what was written into it.
    pub(super) fn absent_columns(&self, table: TableNumber, view: View) -> BTreeSet<Column> {
        self.column_drops(table)
            .filter_map(|drop| match self.record(drop).what {
                Operation::DropColumn { column, .. } => Some(*column),
                _ => None,
            })
            .filter(|column| self.column_may_be_absent(table, *column, view, usize::MAX))
            .collect()
    }
}
