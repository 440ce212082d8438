//! Invariants of tables: which of a table's schema changes must have landed at some moment, which
//! may have, and what that makes possible. Everything here errs on the side of "possible".

use super::fate::View;
use super::state::Model;
use crate::plan::{Column, Operation, TableNumber};

impl Model<'_> {
    fn changes_of(&self, table: TableNumber) -> impl Iterator<Item = usize> + '_ {
        self.changes.get(&table).into_iter().flatten().copied()
    }

    pub(super) fn creates(&self, table: TableNumber) -> impl Iterator<Item = usize> + '_ {
        let is_create =
            |index: &usize| matches!(self.record(*index).what, Operation::CreateTable { .. });
        self.changes_of(table).filter(is_create)
    }

    pub(super) fn drops(&self, table: TableNumber) -> impl Iterator<Item = usize> + '_ {
        let is_drop =
            |index: &usize| matches!(self.record(*index).what, Operation::DropTable { .. });
        self.changes_of(table).filter(is_drop)
    }

    pub(super) fn additions(
        &self,
        table: TableNumber,
        column: Column,
    ) -> impl Iterator<Item = usize> + '_ {
        let adds = move |index: &usize| {
            let what = self.record(*index).what;
            matches!(what, Operation::AddColumn { column: added, .. } if *added == column)
        };
        self.changes_of(table).filter(adds)
    }

    /// Whether the change must have landed before the view: schema changes outlive every crash
    /// once they are acknowledged or seen.
    pub(super) fn is_sure(&self, change: usize, view: View) -> bool {
        let fate = &self.fates[change];
        let acknowledged = fate
            .landing
            .acknowledged
            .is_some_and(|(at, _)| at <= view.from);
        acknowledged || fate.shown_by(view).is_some()
    }

    pub(super) fn may_be(&self, change: usize, view: View) -> bool {
        self.is_sure(change, view) || self.fates[change].is_possible(view)
    }

    /// Whether a drop must have come after the operation, so that nothing of it is left.
    pub(super) fn is_surely_dropped(
        &self,
        operation: usize,
        table: TableNumber,
        view: View,
    ) -> bool {
        let open_until = self.fates[operation].landing.open_until;
        self.drops(table).any(|drop| {
            drop != operation
                && self.is_sure(drop, view)
                && self.fates[drop].landing.first_at >= open_until
        })
    }

    /// The drops that may have come after the operation.
    pub(super) fn drops_after(
        &self,
        operation: usize,
        table: TableNumber,
        view: View,
    ) -> impl Iterator<Item = usize> + '_ {
        let first_at = self.fates[operation].landing.first_at;
        self.drops(table).filter(move |drop| {
            *drop != operation
                && self.may_be(*drop, view)
                && self.fates[*drop].landing.open_until > first_at
        })
    }

    /// The creations that may be the one behind a table that is there.
    pub(super) fn living_creates(
        &self,
        table: TableNumber,
        view: View,
    ) -> impl Iterator<Item = usize> + '_ {
        self.creates(table).filter(move |create| {
            self.may_be(*create, view) && !self.is_surely_dropped(*create, table, view)
        })
    }

    /// The additions that may be the one behind a column that is there.
    pub(super) fn living_additions(
        &self,
        table: TableNumber,
        column: Column,
        view: View,
    ) -> impl Iterator<Item = usize> + '_ {
        self.additions(table, column).filter(move |addition| {
            self.may_be(*addition, view) && !self.is_surely_dropped(*addition, table, view)
        })
    }

    /// Whether the table may be there; `other_than` one change, whose own answer is at question.
    pub(super) fn may_exist(&self, table: TableNumber, view: View, other_than: usize) -> bool {
        self.living_creates(table, view)
            .any(|create| create != other_than)
    }

    /// Whether the table may be absent, leaving one change aside.
    pub(super) fn may_be_absent(&self, table: TableNumber, view: View, other_than: usize) -> bool {
        self.creates(table)
            .filter(|create| *create != other_than)
            .all(|create| {
                !self.is_sure(create, view)
                    || self
                        .drops_after(create, table, view)
                        .any(|drop| drop != other_than)
            })
    }

    /// Whether the column may be there when the table is.
    pub(super) fn column_may_exist(
        &self,
        table: TableNumber,
        column: Column,
        view: View,
        other_than: usize,
    ) -> bool {
        self.is_created_with(table, column)
            || self
                .living_additions(table, column, view)
                .any(|addition| addition != other_than)
    }

    /// Whether the column may be absent when the table is there.
    pub(super) fn column_may_be_absent(
        &self,
        table: TableNumber,
        column: Column,
        view: View,
        other_than: usize,
    ) -> bool {
        !self.is_created_with(table, column)
            && self
                .additions(table, column)
                .filter(|addition| *addition != other_than)
                .all(|addition| {
                    !self.is_sure(addition, view)
                        || self.drops_after(addition, table, view).next().is_some()
                })
    }

    pub(super) fn is_created_with(&self, table: TableNumber, column: Column) -> bool {
        self.shapes
            .get(&table)
            .is_some_and(|shape| shape.column_type(column).is_some())
    }
}
