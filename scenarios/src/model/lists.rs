//! Invariants of the order of lists: elements stand by the write times of what put them there; of one write
//! time, in the order in which the node did so; of one write, in its own. The ids that decide it are the
//! node's, so that of two writes with one time that overlap either may be the first.

use super::effects;
use super::objection::{Cause, Place};
use super::partitions::Sorted;
use super::slot::{Content, Path, slot};
use super::state::Model;
use crate::history::PartitionSeen;
use crate::plan::{Collection, Column, Scalar, Value};

impl Model<'_> {
    /// Judges the order of all lists that the answer shows.
    pub(super) fn lists_in_order(
        &self,
        sorted: &Sorted<'_>,
        seen: &PartitionSeen,
    ) -> Result<(), (Cause, String)> {
        let rows = seen
            .rows
            .iter()
            .map(|row| (Some(&row.clustering), &row.cells));
        for (row, cells) in rows.chain([(None, &seen.statics)]) {
            for (column, value) in cells {
                let Value::Many(Collection::List(items)) = value else {
                    continue;
                };
                let place = row.map_or(Place::Static, |row| Place::Row(row.clone()));
                self.list_in_order(sorted, &place, *column, items)?;
            }
        }
        Ok(())
    }

    /// No element surely was put before any that stands before it.
    fn list_in_order(
        &self,
        sorted: &Sorted<'_>,
        place: &Place,
        column: Column,
        items: &[Scalar],
    ) -> Result<(), (Cause, String)> {
        let putters: Vec<Option<usize>> = items
            .iter()
            .map(|item| self.putter(sorted, place, column, item))
            .collect();
        let putters = || items.iter().zip(&putters);
        for (index, (item, putter)) in putters().enumerate() {
            for (earlier, before) in putters().take(index) {
                let (Some(putter), Some(before)) = (putter, before) else {
                    continue;
                };
                if self.is_put_before((*putter, item), (*before, earlier), column) {
                    let detail = format!("{column} in {place} shows {item} behind {earlier}");
                    let place = place.clone();
                    return Err((Cause::CollectionMalformed { place }, detail));
                }
            }
        }
        Ok(())
    }

    /// The record of the one write of this element.
    fn putter(
        &self,
        sorted: &Sorted<'_>,
        place: &Place,
        column: Column,
        item: &Scalar,
    ) -> Option<usize> {
        let own = slot(column, Path::Item(item));
        let puts = |position: &usize| {
            let cell = effects::cell(&sorted.landed(*position), place, own);
            cell.is_some_and(|cell| cell.value == Some(Content::Scalar(item)))
        };
        let position = (0..sorted.count()).find(puts)?;
        Some(sorted.record(position))
    }

    /// Whether the first element surely has the smaller id.
    fn is_put_before(
        &self,
        (first, own): (usize, &Scalar),
        (second, other): (usize, &Scalar),
        column: Column,
    ) -> bool {
        let place = |record, item| effects::place_in_list(self.record(record).what, column, item);
        if first == second {
            return place(first, own) < place(second, other);
        }
        let at = |record| self.record(record).what.timestamp();
        let is_done_before =
            self.fates[first].landing.open_until < self.fates[second].landing.first_at;
        at(first) < at(second) || (at(first) == at(second) && is_done_before)
    }
}
