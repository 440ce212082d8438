//! Steps of judging stored deletions: their form; then that each is one of an operation that may
//! have landed; then that each deletion that must have landed, and that no compaction may have
//! forgotten, is in force wherever it reaches.

use std::collections::BTreeSet;

use super::edges;
use super::effects;
use super::excuse::{Part, Veil, reach, takes, takes_veil};
use super::fate::View;
use super::landed::{Landed, ttl_of};
use super::objection::{Cause, Place};
use super::partitions::Sorted;
use super::slot::{Path, Slot, slot};
use super::state::Model;
use super::stones_form::{check, enclosing, of_elements, over_row, stone_of, strength};
use crate::history::{Element, StoneEdge, StoneOf, StoneSeen, StonesSeen};
use crate::plan::{Column, Operation, Scalar, Shape, TableNumber};

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
        let statics = statics.map(|(of, stone)| (Place::Static, of, *stone));
        let cells = self.seen.cells.iter();
        let cells = cells.map(|(row, of, stone)| (Place::Row(row.clone()), of, *stone));
        for (place, of, stone) in statics.chain(cells) {
            if !self.is_part_written(&place, of, stone) {
                return invented(format!("{of} in {place}"), stone);
            }
            self.is_not_dropped(place, of, stone)?;
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

    /// What a drop of its column made dead is not stored, as far as anyone sees.
    fn is_not_dropped(
        &self,
        place: Place,
        of: &StoneOf,
        stone: StoneSeen,
    ) -> Result<(), (Cause, String)> {
        let known = self.sorted.known.iter();
        let mut drops = known
            .map(|(index, _)| self.model.record(*index))
            .filter(|record| {
                let dropped_at = effects::column_drop(record.what, of.column());
                dropped_at.is_some_and(|at| stone.timestamp <= at)
            });
        match drops.next() {
            None => Ok(()),
            Some(drop) => {
                let detail = format!("a deletion of {of} in {place}, dropped by {}", drop.name);
                Err((
                    Cause::DroppedCellShows {
                        by: drop.name,
                        place,
                    },
                    detail,
                ))
            }
        }
    }

    /// Whether a deletion of this may have this time and second.
    fn is_part_written(&self, place: &Place, of: &StoneOf, stone: StoneSeen) -> bool {
        let cell = |own: Slot<'_>| self.is_cell_written(place, stone, |slot| slot == own);
        match of {
            StoneOf::Cell(column) => cell(slot(*column, Path::Whole)),
            StoneOf::Element(column, Element::Key(key)) => cell(slot(*column, Path::Key(key))),
            StoneOf::Element(column, Element::Field(field)) => {
                cell(slot(*column, Path::Field(*field)))
            }
            // The id is the node's.
            StoneOf::Element(column, Element::Item(_)) => {
                self.is_cell_written(place, stone, |slot| {
                    slot.column == *column && matches!(slot.path, Path::Item(_))
                })
            }
            StoneOf::Elements(column) => self.records().into_iter().any(|index| {
                let landed = Landed::at(self.model.record(index).what, 0);
                effects::elements_deletion(&landed, place, *column) == Some(stone.timestamp)
                    && self.model.fates[index].seconds.contains(&stone.second)
            }),
        }
    }

    /// Whether a deletion of such a cell may have this time and second, or a value that expired: it has
    /// the second at which it did, and once a compaction has found it so, that of its write.
    fn is_cell_written(
        &self,
        place: &Place,
        stone: StoneSeen,
        is_own: impl Fn(Slot<'_>) -> bool,
    ) -> bool {
        self.records().into_iter().any(|index| {
            let (what, fate) = (self.model.record(index).what, &self.model.fates[index]);
            if what.timestamp() != Some(stone.timestamp) {
                return false;
            }
            let landed = Landed::at(what, 0);
            let mut slots = effects::slots(&landed, place).into_iter();
            let own = slots.find(|slot| is_own(*slot));
            let cell = own.and_then(|slot| effects::cell(&landed, place, slot));
            let Some(cell) = cell else {
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
            let at = what.timestamp().unwrap_or(i64::MIN);
            let is_in_force = match what {
                _ if self.may_be_gone(*index) => true,
                Operation::DeletePartition { .. } => {
                    self.is_taken(&landed, &Place::Static, Part::Marker)
                        || is_as_strong(self.seen.partition, at, &landed)
                }
                Operation::DeleteRow { row, .. } => {
                    self.is_taken(&landed, &Place::Row(row.clone()), Part::Marker)
                        || is_as_strong(over_row(self.shape, self.seen, row), at, &landed)
                }
                Operation::DeleteRange { .. } => self.is_range_in_force(&landed),
                Operation::Insert { row, .. }
                | Operation::Update { row, .. }
                | Operation::DeleteCells { row, .. } => what.columns().into_iter().all(|column| {
                    let place = match (column, row) {
                        (Column::Regular(_), Some(row)) => Place::Row(row.clone()),
                        _ => Place::Static,
                    };
                    self.is_column_in_force(&landed, &place, column)
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
    fn takers(&self) -> impl Iterator<Item = Landed<'_>> {
        (0..self.sorted.count())
            .filter(|position| self.may_be_gone(self.sorted.record(*position)))
            .map(|position| self.sorted.landed(position))
    }

    fn is_taken(&self, taken: &Landed<'_>, place: &Place, part: Part<'_>) -> bool {
        self.takers().any(|taker| takes(&taker, taken, place, part))
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
            let is_taken = self.takers().any(|taker| {
                let is_stronger = (taker.what.timestamp(), taker.last_second)
                    >= (landed.what.timestamp(), landed.first_second);
                is_stronger && reach(taker.what) >= reach(landed.what) && self.spans(&taker, gap)
            });
            let at = landed.what.timestamp().unwrap_or(i64::MIN);
            is_taken || is_as_strong(enclosing(self.shape, self.seen, gap), at, landed)
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

    /// What a write deletes of a column: all elements, or cells one by one.
    fn is_column_in_force(&self, landed: &Landed<'_>, place: &Place, column: Column) -> bool {
        let column_type = self.model.column_type(self.table, column);
        let is_many = column_type.is_some_and(|column_type| column_type.many().is_some());
        let is_emptied = !is_many || self.is_emptying_in_force(landed, place, column);
        let slots = effects::slots(landed, place).into_iter();
        let mut own = slots.filter(|slot| slot.column == column && slot.is_element() == is_many);
        is_emptied && own.all(|slot| self.is_cell_in_force(landed, place, slot))
    }

    /// A deletion of all elements also goes when its column is dropped.
    fn is_emptying_in_force(&self, landed: &Landed<'_>, place: &Place, column: Column) -> bool {
        let Some(at) = effects::elements_deletion(landed, place, column) else {
            return true;
        };
        let veil = Veil::Elements(column, at);
        let is_taken = || {
            self.takers()
                .any(|taker| takes_veil(&taker, landed, &veil, place))
        };
        if self.is_dropped(column, at) || is_taken() {
            return true;
        }
        let stone = of_elements(self.seen, row_of(place), column);
        is_as_strong(stone, at, landed) || is_as_strong(self.around(place), at, landed)
    }

    /// Whether a drop of the column may hide what has this time.
    fn is_dropped(&self, column: Column, at: i64) -> bool {
        let mut all = (0..self.sorted.count()).map(|position| self.sorted.landed(position));
        self.absent.contains(&column)
            || all.any(|other| {
                let dropped_at = effects::column_drop(other.what, column);
                dropped_at.is_some_and(|dropped_at| at <= dropped_at)
            })
    }

    /// The strongest stored deletion of the row, or of the partition for the static row.
    fn around(&self, place: &Place) -> Option<StoneSeen> {
        match place {
            Place::Static => self.seen.partition,
            Place::Row(row) => over_row(self.shape, self.seen, row),
        }
    }

    /// A cell's deletion also goes when something later is written into the cell, or its column is
    /// dropped.
    fn is_cell_in_force(&self, landed: &Landed<'_>, place: &Place, slot: Slot<'_>) -> bool {
        let own = effects::cell(landed, place, slot);
        let Some(own) = own.filter(|own| own.value.is_none()) else {
            return true;
        };
        let is_replaced = (0..self.sorted.count()).any(|position| {
            let cell = effects::cell(&self.sorted.landed(position), place, slot);
            cell.is_some_and(|cell| cell.value.is_some() && cell.timestamp > own.timestamp)
        });
        if is_replaced
            || self.is_dropped(slot.column, own.timestamp)
            || self.is_taken(landed, place, Part::Cell(slot))
        {
            return true;
        }
        let of = match slot.path {
            Path::Whole => StoneOf::Cell(slot.column),
            Path::Key(key) => StoneOf::Element(slot.column, Element::Key(key.clone())),
            Path::Field(field) => StoneOf::Element(slot.column, Element::Field(field)),
            // Elements of lists are not deleted one by one.
            Path::Item(_) => return true,
        };
        let stone = stone_of(self.seen, row_of(place), &of);
        let all = of_elements(self.seen, row_of(place), slot.column);
        let outer = [self.around(place), all.filter(|_| slot.is_element())];
        let mut outer = outer.into_iter().flatten();
        outer.any(|outer| outer.timestamp >= own.timestamp)
            || is_as_strong(stone, own.timestamp, landed)
    }
}

/// The row of a place; none of the static one.
fn row_of(place: &Place) -> Option<&[Scalar]> {
    match place {
        Place::Static => None,
        Place::Row(row) => Some(row),
    }
}

/// Whether what is stored is at least as strong as the deletion of this time.
fn is_as_strong(stone: Option<StoneSeen>, at: i64, landed: &Landed<'_>) -> bool {
    stone.is_some_and(|stone| strength(stone) >= (at, landed.first_second))
}
