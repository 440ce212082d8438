//! Steps of a witness: an answer says that a table or a column is there or is not; first that is
//! judged, then whatever it leaves only one explanation for becomes known.

use super::fate::View;
use super::objection::Cause;
use super::state::Model;
use crate::history::{Answer, Outcome, Refusal, TableSeen};
use crate::plan::{Column, ColumnType, Operation, TableNumber};

/// No change's own answer is at question.
const NOBODY: usize = usize::MAX;

impl Model<'_> {
    /// What the answer of a record says about the schema; a cause when that cannot be.
    pub(super) fn witness(&mut self, index: usize, view: View) -> Result<(), (Cause, String)> {
        let record = self.record(index);
        let outcome = record.outcome.expect("a view is of an answer");
        if let (Operation::Describe, Outcome::Ok(Answer::Tables(tables))) = (record.what, outcome) {
            return self.described(tables, view);
        }
        let Some(table) = record.what.table() else {
            return Ok(());
        };
        match (record.what, outcome) {
            (Operation::CreateTable { .. }, Outcome::Ok(_)) => self.absent(table, view, index),
            (Operation::CreateTable { .. }, Outcome::Refused(Refusal::TableExists)) => {
                self.present(table, view)
            }
            (
                Operation::AddColumn {
                    column,
                    column_type,
                    ..
                },
                Outcome::Ok(_),
            ) => {
                self.present(table, view)?;
                self.keeps_type(table, *column, *column_type)?;
                self.column_absent(table, *column, view, index)
            }
            (Operation::AddColumn { column, .. }, Outcome::Refused(Refusal::ColumnExists)) => {
                self.present(table, view)?;
                self.column_present(table, *column, view, NOBODY)
            }
            (Operation::DropColumn { column, .. }, Outcome::Ok(_)) => {
                self.present(table, view)?;
                self.column_present(table, *column, view, index)
            }
            (Operation::DropColumn { column, .. }, Outcome::Refused(Refusal::NoSuchColumn)) => {
                self.present(table, view)?;
                self.column_absent(table, *column, view, NOBODY)
            }
            (_, Outcome::Refused(Refusal::NoSuchTable)) => self.absent(table, view, NOBODY),
            (what, Outcome::Refused(Refusal::NoSuchColumn)) => {
                self.present(table, view)?;
                let mut named = what.columns().into_iter().peekable();
                let first = named.peek().copied();
                let may_be = |column| self.column_may_be_absent(table, column, view, NOBODY);
                match (first, named.any(may_be)) {
                    (Some(column), false) => {
                        let detail = format!("columns of {table} are unknown to the node");
                        Err((Cause::ColumnMissing { table, column }, detail))
                    }
                    _ => Ok(()),
                }
            }
            (what, Outcome::Ok(_)) => {
                self.present(table, view)?;
                what.columns()
                    .into_iter()
                    .try_for_each(|column| self.column_present(table, column, view, NOBODY))
            }
            _ => Ok(()),
        }
    }

    fn described(&mut self, seen: &[TableSeen], view: View) -> Result<(), (Cause, String)> {
        let mut tables: Vec<TableNumber> = self.changes.keys().copied().collect();
        tables.extend(seen.iter().map(|seen| seen.table));
        tables.sort_unstable();
        tables.dedup();
        for table in tables {
            let mut shown = seen.iter().filter(|seen| seen.table == table);
            let Some(first) = shown.next() else {
                self.absent(table, view, NOBODY)?;
                continue;
            };
            if shown.next().is_some() {
                return Err((Cause::TableShows { table }, format!("{table} shows twice")));
            }
            self.present(table, view)?;
            for column in self
                .columns_of(table)
                .into_iter()
                .chain(first.columns.iter().copied())
            {
                match first.columns.contains(&column) {
                    true => self.column_present(table, column, view, NOBODY)?,
                    false => self.column_absent(table, column, view, NOBODY)?,
                }
            }
        }
        Ok(())
    }

    /// All columns that the table may ever have.
    fn columns_of(&self, table: TableNumber) -> Vec<Column> {
        let created = self
            .shapes
            .get(&table)
            .into_iter()
            .flat_map(|shape| shape.columns());
        let mut columns: Vec<Column> = created.map(|(column, _)| column).collect();
        for change in self.changes.get(&table).into_iter().flatten() {
            if let Operation::AddColumn { column, .. } = self.record(*change).what {
                columns.push(*column);
            }
        }
        columns
    }

    fn present(&mut self, table: TableNumber, view: View) -> Result<(), (Cause, String)> {
        if !self.may_exist(table, view, NOBODY) {
            let detail = format!("{table} was never created, or is dropped");
            return Err((Cause::TableShows { table }, detail));
        }
        let living: Vec<usize> = self.living_creates(table, view).collect();
        if let [only] = living[..] {
            self.fates[only].keep(view);
        }
        // A drop after which nothing can have created the table again did not happen.
        let undone: Vec<usize> = self
            .drops(table)
            .filter(|drop| {
                let first_at = self.fates[*drop].landing.first_at;
                !self.is_sure(*drop, view)
                    && living
                        .iter()
                        .all(|create| self.fates[*create].landing.open_until <= first_at)
            })
            .collect();
        for drop in undone {
            self.fates[drop].miss(view);
        }
        Ok(())
    }

    fn absent(
        &mut self,
        table: TableNumber,
        view: View,
        other_than: usize,
    ) -> Result<(), (Cause, String)> {
        if !self.may_be_absent(table, view, other_than) {
            let detail = format!("{table} was created, and is not dropped");
            return Err((Cause::TableMissing { table }, detail));
        }
        let creates: Vec<usize> = self
            .creates(table)
            .filter(|create| *create != other_than)
            .collect();
        for create in creates {
            let drops: Vec<usize> = self.drops_after(create, table, view).collect();
            match (self.is_sure(create, view), &drops[..]) {
                (false, []) => self.fates[create].miss(view),
                (true, [only]) => self.fates[*only].keep(view),
                _ => {}
            }
        }
        Ok(())
    }

    /// A column comes back with the type that it had, or not at all.
    fn keeps_type(
        &self,
        table: TableNumber,
        column: Column,
        column_type: ColumnType,
    ) -> Result<(), (Cause, String)> {
        match self.created_type(table, column) {
            Some(created) if created != column_type => {
                let detail = format!("{column} of {table} was {created}, and is now {column_type}");
                Err((Cause::ColumnRetyped { table, column }, detail))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn column_present(
        &mut self,
        table: TableNumber,
        column: Column,
        view: View,
        other_than: usize,
    ) -> Result<(), (Cause, String)> {
        if self.is_created_with(table, column) && !self.drops_columns(table) {
            return Ok(());
        }
        if !self.column_may_exist(table, column, view, other_than) {
            let detail = format!("{table} never got a column {column}, or it was dropped since");
            return Err((Cause::ColumnShows { table, column }, detail));
        }
        let sources = self.living_sources(table, column, view, other_than);
        let living: Vec<usize> = sources.collect();
        if let [only] = living[..] {
            self.fates[only].keep(view);
        }
        // A drop after which nothing can have added the column again did not happen.
        let is_undone = |drop: &usize| {
            let first_at = self.fates[*drop].landing.first_at;
            *drop != other_than
                && !self.is_sure(*drop, view)
                && living
                    .iter()
                    .all(|source| self.fates[*source].landing.open_until <= first_at)
        };
        let drops = self.drops_of(table, column);
        let undone: Vec<usize> = drops.filter(is_undone).collect();
        for drop in undone {
            self.fates[drop].miss(view);
        }
        Ok(())
    }

    fn column_absent(
        &mut self,
        table: TableNumber,
        column: Column,
        view: View,
        other_than: usize,
    ) -> Result<(), (Cause, String)> {
        if !self.column_may_be_absent(table, column, view, other_than) {
            let detail = format!("{table} has a column {column}, and it is not dropped");
            return Err((Cause::ColumnMissing { table, column }, detail));
        }
        let created = self.is_created_with(table, column);
        let creates = self.creates(table).filter(|_| created);
        let additions = self.additions(table, column);
        let sources: Vec<usize> = creates
            .chain(additions)
            .filter(|source| *source != other_than)
            .collect();
        for source in sources {
            let is_addition = matches!(self.record(source).what, Operation::AddColumn { .. });
            let is_table_dropped = self.drops_after(source, table, view).next().is_some();
            let of = (table, column);
            let drops = self.column_drops_after(source, of, view, other_than);
            let drops: Vec<usize> = drops.collect();
            match (self.is_sure(source, view), is_table_dropped, &drops[..]) {
                (false, false, []) if is_addition => self.fates[source].miss(view),
                (true, false, [only]) => self.fates[*only].keep(view),
                _ => {}
            }
        }
        Ok(())
    }
}
