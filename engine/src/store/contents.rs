//! Invariants of the manifest's contents: an sstable is added once and removed once; floors only rise; what is
//! settled of the commit log stays so, whatever becomes of the sstables that held it.

use std::collections::{BTreeMap, BTreeSet};

use super::edit::{Added, Edit, Repaired, Settled};
use super::error::EditError;
use crate::commitlog::{Interval, IntervalSet, Position};
use crate::planted::{self, Plant};
use crate::rows::TableId;
use crate::sstable::{SstableId, SstableName};

/// Sstables, or intervals, in one edit of a rewritten manifest: it stays far below a record's maximum.
const PARTS_PER_EDIT_MAX: usize = 10_000;

/// What a manifest says, edit by edit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    tables: BTreeMap<TableId, BTreeMap<SstableId, Added>>,
    /// Above the log floor.
    settled: BTreeMap<TableId, IntervalSet>,
    /// Wall seconds since which sstables are repaired; of those that are.
    repaired: BTreeMap<SstableName, u32>,
    id_floor: u64,
    log_floor: Option<Position>,
}

impl Contents {
    /// Applies an edit: whole, or not at all. Costs what the edit holds.
    ///
    /// # Errors
    /// [`EditError`] when the edit does not fit.
    pub fn apply(&mut self, edit: &Edit) -> Result<(), EditError> {
        self.check(edit)?;
        for name in &edit.removed {
            self.repaired.remove(name);
            if let Some(sstables) = self.tables.get_mut(&name.table) {
                sstables.remove(&name.id);
                if sstables.is_empty() {
                    self.tables.remove(&name.table);
                }
            }
        }
        for table in &edit.dropped {
            self.settled.remove(table);
        }
        for added in &edit.added {
            self.tables
                .entry(added.name.table)
                .or_default()
                .insert(added.name.id, *added);
            self.settle(added.name.table, added.interval);
        }
        for Settled { table, interval } in &edit.settled {
            self.settle(*table, *interval);
        }
        let repaired = edit.repaired.iter();
        self.repaired
            .extend(repaired.map(|repaired| (repaired.name, repaired.seconds)));
        self.id_floor = edit.id_floor.unwrap_or(self.id_floor);
        if let Some(floor) = edit.log_floor {
            self.raise_log_floor(floor);
        }
        Ok(())
    }

    fn settle(&mut self, table: TableId, mut interval: Interval) {
        interval.lower = interval.lower.max(self.log_floor.unwrap_or(Position::NONE));
        if !interval.is_empty() {
            self.settled.entry(table).or_default().add(interval);
        }
    }

    /// What lies below the floor is settled for every table, so no table has to say so.
    fn raise_log_floor(&mut self, floor: Position) {
        self.log_floor = Some(floor);
        self.settled.retain(|_, settled| {
            *settled = settled.above(floor);
            !settled.intervals().is_empty()
        });
    }

    /// Whether an edit fits.
    ///
    /// # Errors
    /// [`EditError`] when it does not.
    pub fn check(&self, edit: &Edit) -> Result<(), EditError> {
        if edit.id_floor.is_some_and(|floor| floor < self.id_floor) {
            return Err(EditError::Backwards("id floor"));
        }
        if edit.log_floor.is_some() && edit.log_floor < self.log_floor {
            return Err(EditError::Backwards("log floor"));
        }
        let mut removed = BTreeSet::new();
        for name in &edit.removed {
            if !self.holds(*name) || !removed.insert(*name) {
                return Err(EditError::RemovedUnknown(name.to_string()));
            }
        }
        let mut added = BTreeSet::new();
        for Added { name, .. } in &edit.added {
            if self.holds(*name) || !added.insert(*name) {
                return Err(EditError::AddedTwice(name.to_string()));
            }
        }
        for Repaired { name, seconds } in &edit.repaired {
            let is_there = added.contains(name) || self.holds(*name) && !removed.contains(name);
            if !is_there || *seconds == 0 {
                return Err(EditError::RepairedUnknown(name.to_string()));
            }
        }
        Ok(())
    }

    /// Edits that make all of this out of nothing; the first has the floors, so there is always one.
    #[must_use]
    pub fn as_edits(&self) -> Vec<Edit> {
        let floors = Edit {
            id_floor: Some(self.id_floor),
            log_floor: self.log_floor,
            ..Edit::default()
        };
        let sstables: Vec<Added> = self.sstables().copied().collect();
        let added = sstables.chunks(PARTS_PER_EDIT_MAX).map(|added| Edit {
            added: added.to_vec(),
            ..Edit::default()
        });
        let all = self.settled.iter().flat_map(|(&table, settled)| {
            let intervals = settled.intervals().iter();
            intervals.map(move |&interval| Settled { table, interval })
        });
        let all: Vec<Settled> = all.collect();
        let settled = all.chunks(PARTS_PER_EDIT_MAX).map(|settled| Edit {
            settled: settled.to_vec(),
            ..Edit::default()
        });
        let all = self.repaired.iter();
        let all: Vec<Repaired> = all
            .map(|(&name, &seconds)| Repaired { name, seconds })
            .collect();
        let repaired = all.chunks(PARTS_PER_EDIT_MAX).map(|repaired| Edit {
            repaired: repaired.to_vec(),
            ..Edit::default()
        });
        std::iter::once(floors)
            .chain(added)
            .chain(settled)
            .chain(repaired)
            .collect()
    }

    /// The positions whose writes the table needs no more from the log: they are in its sstables, or in ones
    /// that they replaced, or truncated.
    #[must_use]
    pub fn persisted(&self, table: TableId) -> IntervalSet {
        let mut persisted = self.settled.get(&table).cloned().unwrap_or_default();
        persisted.add(Interval {
            lower: Position::NONE,
            upper: self.log_floor.unwrap_or(Position::NONE),
        });
        // Flushes end in any order and may fail: what lies below the largest position need not be there.
        if planted::on(Plant::P04) {
            let last = persisted.intervals().last();
            let upper = last.map_or(Position::NONE, |interval| interval.upper);
            let lower = Position::NONE;
            return IntervalSet::from_iter([Interval { lower, upper }]);
        }
        persisted
    }

    /// Whether the table needs the log at this position no more.
    #[must_use]
    pub fn is_settled(&self, table: TableId, position: Position) -> bool {
        let settled = self.settled.get(&table);
        self.log_floor >= Some(position) || settled.is_some_and(|set| set.contains(position))
    }

    /// All sstables, by table and id.
    pub fn sstables(&self) -> impl Iterator<Item = &Added> {
        self.tables.values().flat_map(BTreeMap::values)
    }

    /// The sstables of one table, by id.
    pub fn sstables_of(&self, table: TableId) -> impl Iterator<Item = &Added> {
        self.tables
            .get(&table)
            .into_iter()
            .flat_map(BTreeMap::values)
    }

    /// Whether this is an sstable of its table.
    #[must_use]
    pub fn holds(&self, name: SstableName) -> bool {
        self.tables
            .get(&name.table)
            .is_some_and(|sstables| sstables.contains_key(&name.id))
    }

    /// Since which wall second the sstable is repaired; none when it is not.
    #[must_use]
    pub fn repaired_seconds(&self, name: SstableName) -> Option<u32> {
        self.repaired.get(&name).copied()
    }

    /// Tables that have sstables.
    pub fn tables(&self) -> impl Iterator<Item = TableId> {
        self.tables.keys().copied()
    }

    /// Whether anything is said of this table.
    #[must_use]
    pub fn knows(&self, table: TableId) -> bool {
        self.tables.contains_key(&table) || self.settled.contains_key(&table)
    }

    /// Ids below this may have been given out.
    #[must_use]
    pub fn id_floor(&self) -> u64 {
        self.id_floor
    }

    /// All that the commit log holds up to here, of every table, is in sstables.
    #[must_use]
    pub fn log_floor(&self) -> Option<Position> {
        self.log_floor
    }
}
