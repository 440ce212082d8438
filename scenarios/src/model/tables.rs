//! Invariants of tables: which of a table's schema changes must have landed at some moment, which
//! may have, and what that makes possible. Everything here errs on the side of "possible".

use super::fate::View;
use super::state::Model;
use crate::plan::{Operation, TableNumber};

impl Model<'_> {
    pub(super) fn changes_of(&self, table: TableNumber) -> impl Iterator<Item = usize> + '_ {
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

    /// The truncation or the drop that must have come after the write, so that nothing of it is left.
    pub(super) fn surely_cut_by(
        &self,
        write: usize,
        table: TableNumber,
        view: View,
    ) -> Option<usize> {
        let cuts = self.cuts.get(&table)?;
        let open_until = self.fates[write].landing.open_until;
        let cuts = cuts.iter().copied();
        let mut cuts = cuts.filter(|cut| self.fates[*cut].landing.first_at >= open_until);
        cuts.find(|cut| self.is_sure(*cut, view))
    }

    /// Whether a truncation or a drop may have come after the write.
    pub(super) fn may_be_cut(&self, write: usize, table: TableNumber, view: View) -> bool {
        self.cuts_after(write, table, view).next().is_some()
    }

    /// The truncations and drops that may have come after the write.
    pub(super) fn cuts_after(
        &self,
        write: usize,
        table: TableNumber,
        view: View,
    ) -> impl Iterator<Item = usize> + '_ {
        let first_at = self.fates[write].landing.first_at;
        let cuts = self.cuts.get(&table).into_iter().flatten().copied();
        cuts.filter(move |cut| {
            self.fates[*cut].landing.open_until > first_at && self.may_be(*cut, view)
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
}
