//! Steps of a change of one partition: the partition deletion first, then what it does not reach of the update: the
//! static row, ranges, rows. A deletion takes out what it shadows; what comes is cut by the deletions that are there.

use std::cell::RefCell;

use super::branch::{Branch, in_force};
use super::held::{Held, STATIC_KEY};
use super::leaf::Leaf;
use super::partitions::row_of;
use crate::keys::separator::BEFORE;
use crate::planted::{self, Plant};
use crate::rows::{DeletionTime, Partition, RangeTombstone, Row};
use crate::trie::arena::{ArenaFull, Fate, Mutation, Reach, Root, Slots};

/// A change under way. Once an operation fails, all of it has to be given up.
pub(super) struct Change<'a> {
    pub(super) trie: Mutation<'a, Leaf>,
    pub(super) rows: &'a mut Slots<Row>,
    pub(super) held: Held,
    pub(super) growth: Growth,
}

/// By how much the memtable grew beside its trie.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Growth {
    /// Of the content of rows.
    pub(super) content_bytes: i64,
    pub(super) row_count: i64,
}

impl Change<'_> {
    pub(super) fn apply(&mut self, update: Partition) -> Result<(), ArenaFull> {
        if let Some(deletion) = update.deletion {
            self.delete(deletion)?;
        }
        if !update.static_row.is_empty() {
            self.put_row(STATIC_KEY, update.static_row, self.held.deletion)?;
        }
        for range in &update.ranges {
            self.delete_range(range)?;
        }
        for (clustering, row) in update.rows {
            self.apply_row(&clustering.0, row)?;
        }
        Ok(())
    }

    fn delete(&mut self, deletion: DeletionTime) -> Result<(), ArenaFull> {
        if !deletion.supersedes(self.held.deletion) {
            return Ok(());
        }
        self.held.deletion = Some(deletion);
        self.branch(|branch| branch.delete_all(deletion))?;
        self.put_row(STATIC_KEY, Row::default(), Some(deletion))?;
        self.shadow(&[BEFORE], &[0xFF], deletion)
    }

    fn delete_range(&mut self, range: &RangeTombstone) -> Result<(), ArenaFull> {
        let (start, end) = (&range.start.0[..], &range.end.0[..]);
        if end <= start || !range.deletion.supersedes(self.held.deletion) {
            return Ok(());
        }
        self.branch(|branch| branch.delete_range(start, end, range.deletion))?;
        self.shadow(start, end, range.deletion)
    }

    fn apply_row(&mut self, key: &[u8], mut row: Row) -> Result<(), ArenaFull> {
        let own = row.deletion.take();
        let mut active = self.held.deletion;
        if let Some(own) = own.filter(|own| own.supersedes(self.held.deletion)) {
            let mut in_force = None;
            self.branch(|branch| {
                in_force = branch.delete_row(key, own)?;
                Ok(())
            })?;
            active = active.max(in_force);
        } else if planted::on(Plant::C04) {
            active = active.max(own);
        } else if self.held.stones != Root::EMPTY {
            let mut path = Vec::with_capacity(key.len() + 1);
            active = active.max(in_force(&self.trie, self.held.stones, key, &mut path).strongest());
        }
        if row.is_empty() {
            return self.shadow_row(key, active);
        }
        self.put_row(key, row, active)
    }

    /// Drops of one row what `active` shadows.
    fn shadow_row(&mut self, key: &[u8], active: Option<DeletionTime>) -> Result<(), ArenaFull> {
        let (Some(active), Some(leaf)) = (active, self.trie.get(self.held.live, key)) else {
            return Ok(());
        };
        let (slot, timestamp_max) = row_of(leaf);
        let mut row = Row::default();
        if active.timestamp <= timestamp_max {
            row = self.rows.get(slot).clone();
            row.shadow(Some(active));
        }
        self.replace(key, slot, row)
    }

    /// Merges a version of what is live of a row, over which `active` is in force.
    fn put_row(
        &mut self,
        key: &[u8],
        mut row: Row,
        active: Option<DeletionTime>,
    ) -> Result<(), ArenaFull> {
        row.shadow(active);
        let Some(written) = row.timestamps() else {
            return self.shadow_row(key, active);
        };
        let bytes = row.size_bytes().cast_signed();
        let slot = self.rows.insert(row);
        let leaf = Leaf::Row {
            slot,
            timestamp_max: written.max,
        };
        // Most rows are new: one walk finds out, and puts them there.
        let (live, before) = self.trie.replace(self.held.live, key, leaf)?;
        self.held.live = live;
        self.growth.content_bytes += bytes;
        let Some(before) = before else {
            self.growth.row_count += 1;
            self.held.row_count += u32::from(key != STATIC_KEY);
            return Ok(());
        };
        let (old_slot, old_max) = row_of(before);
        let mut merged = self.rows.get(old_slot).clone();
        self.growth.content_bytes -= merged.size_bytes().cast_signed();
        self.rows.release(old_slot);
        merged.apply(self.rows.get(slot).clone());
        merged.shadow(active);
        self.replace(key, slot, merged)?;
        if planted::on(Plant::C06)
            && let Some(Leaf::Row { slot, .. }) = self.trie.get(self.held.live, key)
        {
            let stale = Leaf::Row {
                slot,
                timestamp_max: old_max,
            };
            self.held.live = self.trie.put(self.held.live, key, stale)?;
        }
        Ok(())
    }

    /// Drops what a deletion of all between two positions shadows: where it is later than all that is below a node,
    /// the whole of that.
    fn shadow(
        &mut self,
        start: &[u8],
        end: &[u8],
        deletion: DeletionTime,
    ) -> Result<(), ArenaFull> {
        // With an equal time, a deletion of all elements of a column may be the later of the two.
        let reach = Reach {
            dropped_to: deletion.timestamp.saturating_sub(1),
            visited_to: deletion.timestamp,
        };
        let swept = RefCell::new(Swept {
            rows: &mut *self.rows,
            growth: &mut self.growth,
            dropped_count: 0,
        });
        self.held.live = self.trie.remove_range(
            self.held.live,
            start..end,
            reach,
            |_, leaf| swept.borrow_mut().shadow(leaf, deletion),
            |leaf| swept.borrow_mut().drop_row(row_of(leaf).0),
        )?;
        self.held.row_count -= swept.into_inner().dropped_count;
        Ok(())
    }

    /// Puts a row in place of another version of it; an empty one takes it out.
    fn replace(&mut self, key: &[u8], slot: u32, row: Row) -> Result<(), ArenaFull> {
        let before = self.rows.get(slot);
        if *before == row {
            return Ok(());
        }
        self.growth.content_bytes -= before.size_bytes().cast_signed();
        let before_max = before.timestamps().map(|written| written.max);
        let Some(written) = row.timestamps() else {
            self.rows.release(slot);
            self.held.live = self.trie.remove(self.held.live, key)?.0;
            self.held.row_count -= u32::from(key != STATIC_KEY);
            self.growth.row_count -= 1;
            return Ok(());
        };
        self.growth.content_bytes += row.size_bytes().cast_signed();
        let new_slot = self.rows.update(slot, row);
        if new_slot != slot || before_max != Some(written.max) {
            let leaf = Leaf::Row {
                slot: new_slot,
                timestamp_max: written.max,
            };
            self.held.live = self.trie.put(self.held.live, key, leaf)?;
        }
        Ok(())
    }

    fn branch(
        &mut self,
        change: impl FnOnce(&mut Branch<'_, '_>) -> Result<(), ArenaFull>,
    ) -> Result<(), ArenaFull> {
        let mut branch = Branch {
            trie: &mut self.trie,
            root: self.held.stones,
            count: self.held.stone_count,
        };
        change(&mut branch)?;
        self.held.stones = branch.root;
        self.held.stone_count = branch.count;
        Ok(())
    }
}

/// The rows under a deletion.
struct Swept<'a> {
    rows: &'a mut Slots<Row>,
    growth: &'a mut Growth,
    dropped_count: u32,
}

impl Swept<'_> {
    fn shadow(&mut self, leaf: Leaf, deletion: DeletionTime) -> Fate<Leaf> {
        let (slot, timestamp_max) = row_of(leaf);
        let before = self.rows.get(slot);
        let before_bytes = before.size_bytes().cast_signed();
        let mut row = before.clone();
        row.shadow(Some(deletion));
        if row == *before {
            return Fate::Keep;
        }
        if row.is_empty() {
            self.drop_row(slot);
            return Fate::Remove;
        }
        self.growth.content_bytes += row.size_bytes().cast_signed() - before_bytes;
        Fate::Replace(Leaf::Row {
            slot: self.rows.replace(slot, row),
            // What is gone was older.
            timestamp_max,
        })
    }

    fn drop_row(&mut self, slot: u32) {
        self.growth.content_bytes -= self.rows.get(slot).size_bytes().cast_signed();
        self.growth.row_count -= 1;
        self.dropped_count += 1;
        self.rows.release(slot);
    }
}
