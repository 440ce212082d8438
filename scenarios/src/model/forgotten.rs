//! Steps of adding what compactions may have done to a partition: which deletions they may have
//! forgotten before which writes landed, and which expired values they made into tombstones.

use std::collections::{BTreeMap, BTreeSet};

use super::effects;
use super::evaluate::ReadRequest;
use super::excuse::{Part, kills};
use super::fate::View;
use super::landed::{Decay, Landed, ttl_of};
use super::objection::Place;
use super::partitions::Sorted;
use super::slot::content_at;
use super::state::Model;
use crate::history::PartitionSeen;
use crate::plan::{Change, Column, CommitlogMode, Operation, TableNumber, Value};

impl<'a> Model<'a> {
    /// Adds to the candidates what compactions of the table may have done to them.
    pub(super) fn add_compactions(
        &self,
        sorted: &mut Sorted<'a>,
        table: TableNumber,
        view: View,
        now_seconds: u32,
    ) {
        if !self.compactions.contains_key(&table) {
            return;
        }
        self.add_decayed(sorted, table, view, now_seconds);
        let count = sorted.count();
        let deletions: Vec<usize> = (0..count)
            .filter(|position| {
                let is_deletion = is_deletion(sorted.landed(*position).what);
                is_deletion && self.may_be_forgotten_by(sorted.record(*position), table, view)
            })
            .collect();
        for deletion in deletions {
            let (record, landed) = (sorted.record(deletion), sorted.landed(deletion));
            let timestamp = landed.what.timestamp();
            for write in 0..count {
                let hidden = sorted.landed(write);
                let may_show = matches!(
                    hidden.what,
                    Operation::Insert { .. } | Operation::Update { .. }
                );
                if !may_show || hidden.decay.is_some() || hidden.what.timestamp() > timestamp {
                    continue;
                }
                let until = self.fates[sorted.record(write)].landing.open_until;
                if self.may_be_forgotten(record, table, until) {
                    sorted.candidates.forgettable.insert((deletion, write));
                }
            }
        }
        for position in 0..count {
            let index = sorted.record(position);
            let parts = self
                .settled
                .range((index, Part::FIRST)..=(index, Part::LAST));
            let parts = parts.map(|(_, part)| (position, *part));
            sorted.candidates.settled.extend(parts);
        }
    }

    /// Adds what is left of writes whose time to live a compaction may have found over, where that
    /// says more than the write itself: the clock went back since, or it wins over another that ends
    /// later.
    fn add_decayed(
        &self,
        sorted: &mut Sorted<'a>,
        table: TableNumber,
        view: View,
        now_seconds: u32,
    ) {
        let mut seen = BTreeSet::new();
        for position in 0..sorted.count() {
            let (index, landed) = (sorted.record(position), sorted.landed(position));
            let Some(ttl_seconds) = ttl_of(landed.what) else {
                continue;
            };
            if !seen.insert(index) || !self.may_have_decayed(index, table, view.to) {
                continue;
            }
            let seconds = &self.fates[index].seconds;
            let lives = now_seconds < seconds.end().saturating_add(ttl_seconds);
            let has_rival = (0..sorted.count()).any(|other| {
                let what = sorted.landed(other).what;
                sorted.record(other) != index
                    && ttl_of(what).is_some()
                    && what.timestamp() == landed.what.timestamp()
            });
            if !lives && !has_rival {
                continue;
            }
            // What is left of a marker is nothing, once its grace is over.
            let may_go = self.may_be_forgotten_by(index, table, view);
            let decays = decays(landed.what).into_iter();
            for decay in decays.filter(|decay| *decay != Decay::Marker || may_go) {
                let part = sorted.count();
                let landed = Landed {
                    decay: Some(decay),
                    ..landed
                };
                sorted.add_unknown(index, landed);
                sorted.candidates.part_of.insert(part, position);
            }
        }
    }

    /// Keeps which parts of writes the answer shows to be dead for good: they do not show, and all
    /// that may hide them is known and might have been forgotten before they landed. So something was
    /// not forgotten, and made them dead; no later compaction finds them alive. Unless one that has
    /// forgotten it already is not done: until then it hides them still.
    pub(super) fn settle(
        &mut self,
        table: TableNumber,
        sorted: &Sorted<'a>,
        read: &ReadRequest<'_>,
        seen: &PartitionSeen,
        view: View,
    ) {
        // Where acknowledged writes may be lost, so may the deletion that made others dead.
        let is_lossy = self.knobs.engine.commitlog_mode == CommitlogMode::Periodic;
        let pairs = &sorted.candidates.forgettable;
        let writes: BTreeSet<usize> = pairs.iter().map(|(_, write)| *write).collect();
        for write in writes.into_iter().filter(|_| !is_lossy) {
            let index = sorted.record(write);
            let what = sorted.landed(write).what;
            let open_until = self.fates[index].landing.open_until;
            let may_yet_show =
                open_until > view.from || self.may_be_compacting(table, open_until, view);
            if may_yet_show || ttl_of(what).is_some() {
                continue;
            }
            for (place, part) in spots(what) {
                let is_column = |part| matches!(part, Part::Cell(slot) if sorted.candidates.absent.contains(&slot.column));
                if !is_column(part)
                    && is_missed(what, &place, part, read, seen)
                    && is_hidden_by_forgettable(sorted, write, &place, part)
                {
                    self.settled.insert((index, part));
                }
            }
        }
    }
}

/// Whether the answer would show the part of the write, were it live, and does not.
fn is_missed(
    what: &Operation,
    place: &Place,
    part: Part,
    read: &ReadRequest<'_>,
    seen: &PartitionSeen,
) -> bool {
    let cells = match place {
        Place::Static if !seen.rows.is_empty() || read.slice.is_whole() => Some(&seen.statics),
        Place::Static => return false,
        Place::Row(row) if read.is_told_of(row, seen) => {
            let shown = seen.rows.iter().find(|shown| shown.clustering == *row);
            shown.map(|shown| &shown.cells)
        }
        Place::Row(_) => return false,
    };
    match part {
        Part::Marker => cells.is_none(),
        Part::Cell(slot) => {
            let own = effects::cell(&Landed::at(what, 0), place, slot);
            let own = own.and_then(|own| own.value);
            let value = cells.and_then(|cells| cells.get(&slot.column));
            value.and_then(|value| content_at(value, slot.path)) != own
        }
    }
}

/// Whether something hides the part of the write, and all that may do so is known and may have been
/// forgotten.
fn is_hidden_by_forgettable(sorted: &Sorted<'_>, write: usize, place: &Place, part: Part) -> bool {
    let landed = sorted.landed(write);
    let forgettable = &sorted.candidates.forgettable;
    let hides = |position: &usize| {
        *position != write && kills(&sorted.landed(*position), &landed, place, part)
    };
    let mut hiders = (0..sorted.count()).filter(hides).peekable();
    hiders.peek().is_some()
        && hiders.all(|hider| hider < sorted.known.len() && forgettable.contains(&(hider, write)))
}

/// Whether a compaction may ever forget anything of the operation: a deletion, or what expires.
pub(super) fn is_deletion(what: &Operation) -> bool {
    match what {
        Operation::Insert { .. } | Operation::Update { .. } => {
            ttl_of(what).is_some() || deletes(what)
        }
        _ => what.is_write(),
    }
}

/// Whether a write leaves deletions, with or without values: of elements, or of all that a collection
/// had before it was set whole.
pub(super) fn deletes(what: &Operation) -> bool {
    let sets_whole = |cells: &BTreeMap<Column, Value>| {
        let mut values = cells.values();
        values.any(|value| matches!(value, Value::Many(_)))
    };
    let removes = |change: &Change| match change {
        Change::Add(_) => false,
        Change::Remove(_) => true,
        Change::Fields(fields) => fields.values().any(Option::is_none),
    };
    match what {
        Operation::Insert { cells, .. } => sets_whole(cells),
        Operation::Update {
            cells, elements, ..
        } => sets_whole(cells) || elements.values().any(removes),
        _ => false,
    }
}

/// The parts of a write that may decay.
fn decays(what: &Operation) -> Vec<Decay<'_>> {
    let parts = spots(what).into_iter().map(|(_, part)| match part {
        Part::Cell(slot) => Decay::Cell(slot),
        Part::Marker => Decay::Marker,
    });
    parts.collect()
}

/// Where a write may show.
fn spots(what: &Operation) -> Vec<(Place, Part<'_>)> {
    let (Operation::Insert { row, .. } | Operation::Update { row, .. }) = what else {
        return Vec::new();
    };
    let at_row = row.clone().map(Place::Row);
    let mut spots: Vec<(Place, Part<'_>)> = [Some(Place::Static), at_row.clone()]
        .into_iter()
        .flatten()
        .flat_map(|place| {
            let landed = Landed::at(what, 0);
            let mut slots = effects::slots(&landed, &place);
            slots.retain(|slot| {
                let cell = effects::cell(&landed, &place, *slot);
                cell.is_some_and(|cell| cell.value.is_some())
            });
            slots
                .into_iter()
                .map(move |slot| (place.clone(), Part::Cell(slot)))
        })
        .collect();
    if let (Operation::Insert { .. }, Some(place)) = (what, at_row) {
        spots.push((place, Part::Marker));
    }
    spots
}
