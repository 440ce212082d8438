//! Steps of judging stored deletions: their form; then that each is one of an operation that may
//! have landed; then that each deletion that must have landed, and that no compaction may have
//! forgotten, is in force wherever it reaches.

use std::collections::BTreeSet;

use super::edges;
use super::effects;
use super::excuse::{Part, reach, takes};
use super::fate::View;
use super::landed::{Landed, ttl_of};
use super::objection::{Cause, Place};
use super::partitions::Sorted;
use super::state::Model;
use super::stones_form::{check, enclosing, over_row, strength};
use crate::history::{StoneEdge, StoneSeen, StonesSeen};
use crate::plan::{Column, Operation, Shape, TableNumber};

/// One look at the stored deletions of a partition.
struct Look<'m, 'a> {
    model: &'m Model<'a>,
    table: TableNumber,
    shape: &'a Shape,
    view: View,
    now_seconds: u32,
    seen: &'m StonesSeen,
    sorted: Sorted<'a>,
    absent: BTreeSet<Column>,
}

impl Model<'_> {
    /// Judges the stored deletions that the answer of this record showed.
    pub(super) fn stones(
        &self,
        index: usize,
        seen: &StonesSeen,
        view: View,
    ) -> Result<(), (Cause, String)> {
        let record = self.record(index);
        let (Some(table), Some(partition)) = (record.what.table(), record.what.partition()) else {
            return Ok(());
        };
        let shape = self.shapes[&table];
        let now_seconds = record.now_seconds.unwrap_or(0);
        check(shape, seen).map_err(|wrong| (Cause::StonesMalformed, wrong))?;
        let look = Look {
            model: self,
            table,
            shape,
            view,
            now_seconds,
            seen,
            sorted: self.sorted(table, partition, view, now_seconds),
            absent: self.absent_columns(table, view),
        };
        look.all_are_written()?;
        look.all_survive()
    }
}

impl Look<'_, '_> {
    fn all_are_written(&self) -> Result<(), (Cause, String)> {
        let invented = |what: String, stone: StoneSeen| {
            let (timestamp, second) = strength(stone);
            let detail = format!(
                "nobody wrote the deletion of {what} with time {timestamp}, second {second}"
            );
            Err((Cause::StoneInvented, detail))
        };
        let shape = self.shape;
        if let Some(stone) = self.seen.partition {
            let is_own = |what: &Operation| matches!(what, Operation::DeletePartition { .. });
            if !self.is_written(stone, is_own) {
                return invented("the partition".to_owned(), stone);
            }
        }
        let bounds = self.bounds();
        for (from, to, stone) in &self.seen.ranges {
            let gaps = bounds.windows(2).map(|pair| (&pair[0], &pair[1]));
            let mut within = gaps.filter(|gap| edges::covers(shape, (from, to), *gap));
            // Ranges that are alike are stored as one where they meet.
            let is_own = |gap| {
                self.is_written(*stone, |what| match what {
                    Operation::DeleteRange { slice, .. } => {
                        let (first, last) = edges::of_slice(shape, slice);
                        edges::covers(shape, (&first, &last), gap)
                    }
                    _ => false,
                })
            };
            if !within.all(is_own) {
                return invented(format!("a range from {from:?} to {to:?}"), *stone);
            }
        }
        for (row, stone) in &self.seen.rows {
            let is_own = |what: &Operation| matches!(what, Operation::DeleteRow { row: at, .. } if at == row);
            if !self.is_written(*stone, is_own) {
                return invented(Place::Row(row.clone()).to_string(), *stone);
            }
        }
        let statics = self.seen.statics.iter();
        let statics = statics.map(|(column, stone)| (Place::Static, *column, *stone));
        let cells = self.seen.cells.iter();
        let cells = cells.map(|(row, column, stone)| (Place::Row(row.clone()), *column, *stone));
        for (place, column, stone) in statics.chain(cells) {
            if !self.is_cell_written(&place, column, stone) {
                return invented(format!("{column} in {place}"), stone);
            }
        }
        Ok(())
    }

    /// The records of what may have landed, each once.
    fn records(&self) -> BTreeSet<usize> {
        (0..self.sorted.count())
            .map(|position| self.sorted.record(position))
            .collect()
    }

    /// Whether a deletion of that kind may have this time and second.
    fn is_written(&self, stone: StoneSeen, is_own: impl Fn(&Operation) -> bool) -> bool {
        self.records().into_iter().any(|index| {
            let what = self.model.record(index).what;
            what.timestamp() == Some(stone.timestamp)
                && self.model.fates[index].seconds.contains(&stone.second)
                && is_own(what)
        })
    }

    /// Whether a deletion of the cell may have this time and second, or a value that expired: it has
    /// the second at which it did, and once a compaction has found it so, that of its write.
    fn is_cell_written(&self, place: &Place, column: Column, stone: StoneSeen) -> bool {
        self.records().into_iter().any(|index| {
            let (what, fate) = (self.model.record(index).what, &self.model.fates[index]);
            let cell = effects::cell(&Landed::at(what, 0), place, column);
            let Some(cell) = cell.filter(|cell| cell.timestamp == stone.timestamp) else {
                return false;
            };
            if cell.value.is_none() {
                return fate.seconds.contains(&stone.second);
            }
            let Some(ttl_seconds) = ttl_of(what) else {
                return false;
            };
            let has_decayed = self.model.may_have_decayed(index, self.table, self.view.to);
            let has_expired = stone
                .second
                .checked_sub(ttl_seconds)
                .is_some_and(|second| fate.seconds.contains(&second))
                && (stone.second <= self.now_seconds || has_decayed);
            has_expired || (has_decayed && fate.seconds.contains(&stone.second))
        })
    }

    fn all_survive(&self) -> Result<(), (Cause, String)> {
        for (position, (index, _)) in self.sorted.known.iter().enumerate() {
            let (what, landed) = (self.model.record(*index).what, self.sorted.landed(position));
            let is_in_force = match what {
                _ if self.may_be_gone(*index) => true,
                Operation::DeletePartition { .. } => {
                    self.is_taken(&landed, &Place::Static, Part::Marker)
                        || is_as_strong(self.seen.partition, &landed)
                }
                Operation::DeleteRow { row, .. } => {
                    self.is_taken(&landed, &Place::Row(row.clone()), Part::Marker)
                        || is_as_strong(over_row(self.shape, self.seen, row), &landed)
                }
                Operation::DeleteRange { .. } => self.is_range_in_force(&landed),
                Operation::DeleteCells { row, columns, .. } => columns.iter().all(|column| {
                    let place = match (column, row) {
                        (Column::Regular(_), Some(row)) => Place::Row(row.clone()),
                        _ => Place::Static,
                    };
                    self.is_cell_in_force(&landed, &place, *column)
                }),
                _ => true,
            };
            if !is_in_force {
                let by = self.model.record(*index).name;
                let detail = format!("nothing as strong is stored as {}", self.model.tell(*index));
                return Err((Cause::StoneLost { by }, detail));
            }
        }
        Ok(())
    }

    fn may_be_gone(&self, index: usize) -> bool {
        self.model.may_be_forgotten_by(index, self.table, self.view)
    }

    /// Those that a compaction may have forgotten, and that may have taken the deletion with them.
    fn takers<'s>(&'s self, taken: &'s Landed<'_>) -> impl Iterator<Item = Landed<'s>> + 's {
        (0..self.sorted.count())
            .filter(|position| self.may_be_gone(self.sorted.record(*position)))
            .map(|position| self.sorted.landed(position))
            .filter(move |taker| taker.what.timestamp() >= taken.what.timestamp())
    }

    fn is_taken(&self, taken: &Landed<'_>, place: &Place, part: Part) -> bool {
        self.takers(taken)
            .any(|taker| takes(&taker, taken, place, part))
    }

    /// Between any two neighbours of all bounds and rows that anyone names.
    fn is_range_in_force(&self, landed: &Landed<'_>) -> bool {
        let Operation::DeleteRange { slice, .. } = landed.what else {
            return true;
        };
        let (from, to) = edges::of_slice(self.shape, slice);
        let bounds = self.bounds();
        bounds.windows(2).all(|pair| {
            let gap = (&pair[0], &pair[1]);
            if !edges::covers(self.shape, (&from, &to), gap) {
                return true;
            }
            let is_taken = self.takers(landed).any(|taker| {
                let is_stronger = (taker.what.timestamp(), taker.last_second)
                    >= (landed.what.timestamp(), landed.first_second);
                is_stronger && reach(taker.what) >= reach(landed.what) && self.spans(&taker, gap)
            });
            is_taken || is_as_strong(enclosing(self.shape, self.seen, gap), landed)
        })
    }

    /// Whether a deletion covers all between two bounds.
    fn spans(&self, landed: &Landed<'_>, gap: (&StoneEdge, &StoneEdge)) -> bool {
        match landed.what {
            Operation::DeletePartition { .. } => true,
            Operation::DeleteRange { slice, .. } => {
                let (from, to) = edges::of_slice(self.shape, slice);
                edges::covers(self.shape, (&from, &to), gap)
            }
            _ => false,
        }
    }

    /// All bounds of ranges, written or stored, and those around all rows, in order.
    fn bounds(&self) -> Vec<StoneEdge> {
        let mut bounds: Vec<StoneEdge> = Vec::new();
        for index in self.records() {
            let what = self.model.record(index).what;
            let pair = match what {
                Operation::DeleteRange { slice, .. } => edges::of_slice(self.shape, slice),
                Operation::DeleteRow { row, .. } => edges::around(row),
                _ => match effects::row(what) {
                    Some(row) => edges::around(row),
                    None => continue,
                },
            };
            bounds.extend([pair.0, pair.1]);
        }
        for (from, to, _) in &self.seen.ranges {
            bounds.extend([from.clone(), to.clone()]);
        }
        bounds.sort_by(|left, right| edges::compare(self.shape, left, right));
        bounds.dedup();
        bounds
    }

    /// A cell's deletion also goes when something later is written into the cell, or its column is
    /// dropped.
    fn is_cell_in_force(&self, landed: &Landed<'_>, place: &Place, column: Column) -> bool {
        let Some(own) = effects::cell(landed, place, column) else {
            return true;
        };
        let is_replaced = (0..self.sorted.count()).any(|position| {
            let other = self.sorted.landed(position);
            let is_dropped = effects::column_drop(other.what, column);
            let cell = effects::cell(&other, place, column);
            is_dropped.is_some_and(|at| own.timestamp <= at)
                || cell.is_some_and(|cell| cell.value.is_some() && cell.timestamp > own.timestamp)
        });
        if is_replaced
            || self.absent.contains(&column)
            || self.is_taken(landed, place, Part::Cell(column))
        {
            return true;
        }
        let (stone, outer) = match place {
            Place::Static => {
                let statics = self.seen.statics.iter();
                let mut own = statics.filter(|(at, _)| *at == column);
                (own.next().map(|(_, stone)| *stone), self.seen.partition)
            }
            Place::Row(row) => {
                let cells = self.seen.cells.iter();
                let mut own = cells.filter(|(at, of, _)| at == row && *of == column);
                let outer = over_row(self.shape, self.seen, row);
                (own.next().map(|(_, _, stone)| *stone), outer)
            }
        };
        let is_covered = outer.is_some_and(|outer| outer.timestamp >= own.timestamp);
        is_covered || is_as_strong(stone, landed)
    }
}

/// Whether what is stored is at least as strong as the deletion.
fn is_as_strong(stone: Option<StoneSeen>, landed: &Landed<'_>) -> bool {
    let timestamp = landed.what.timestamp();
    stone.is_some_and(|stone| {
        (Some(stone.timestamp), stone.second) >= (timestamp, landed.first_second)
    })
}
