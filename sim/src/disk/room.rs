//! Fault policy: where blocks are allocated only when bytes are written out, a full disk is met by the sync.
//!
//! A write takes no space, then. What a sync cannot find a block for is lost as after a failed
//! writeback: it stays in the cache, no later sync writes it, and the length that it reached stays.

use super::constraints::Allocation;
use super::content::Content;
use super::inode::Ino;
use super::options::PAGE_SIZE;
use super::table::Slot;
use super::volume::Disk;

impl Disk {
    /// Whether blocks are allocated only when bytes are written out.
    pub(super) fn allocates_late(&self) -> bool {
        self.constraints().allocation == Allocation::AtSync
    }

    /// Pages that a write may newly take.
    pub(super) fn free_pages(&self) -> u64 {
        if self.allocates_late() {
            u64::MAX
        } else {
            self.capacity_pages().saturating_sub(self.used_pages)
        }
    }

    /// Pages that the medium has left.
    pub(super) fn free_blocks(&self) -> u64 {
        let blockless: u64 = self
            .inodes
            .values()
            .filter_map(|inode| inode.content())
            .map(Content::blockless_pages)
            .sum();
        self.capacity_pages()
            .saturating_sub(self.used_pages - blockless)
    }

    fn capacity_pages(&self) -> u64 {
        self.options.capacity_bytes / PAGE_SIZE as u64
    }

    /// Before a file is written out: loses what there are no blocks for.
    pub(super) fn lose_what_has_no_room(&mut self, ino: Ino) {
        if !self.allocates_late() {
            return;
        }
        let free = self.free_blocks();
        if self.content(ino).waiting_dirty_pages() > free {
            self.change_content(ino, |content, _, _| content.lose_beyond(free));
        }
    }

    /// As [`Disk::lose_what_has_no_room`], for one file after the other.
    pub(super) fn lose_all_that_has_no_room(&mut self) {
        if !self.allocates_late() {
            return;
        }
        let mut free = self.free_blocks();
        for ino in self.files_where(|content| !content.dirty.is_empty()) {
            if self.content(ino).waiting_dirty_pages() > free {
                self.change_content(ino, |content, _, _| content.lose_beyond(free));
            }
            let waiting = self.content(ino).waiting_dirty_pages();
            free = free.saturating_sub(waiting);
        }
    }
}

impl Slot {
    /// Whether the page counts as used space, and the medium has no block for it.
    fn has_no_block(&self) -> bool {
        self.allocated && self.durable.is_none() && !self.reserved && !self.reserved_durable
    }

    /// Whether the page has no block and needs one. One that a cut took away needs none.
    fn waits_for_block(&self) -> bool {
        self.has_no_block() && self.cached().is_some()
    }
}

impl Content {
    /// Pages that count as used space, and for which the medium has no block.
    fn blockless_pages(&self) -> u64 {
        let has_no_block = |&page: &u64| self.table.get(page).is_some_and(Slot::has_no_block);
        // A page that was lost, written and lost again is listed twice.
        let mut lost = self.lost.clone();
        lost.sort_unstable();
        lost.dedup();
        lost.retain(|page| self.is_lost(*page) && has_no_block(page));
        let dirty = self.dirty.iter().copied().filter(has_no_block);
        (dirty.count() + lost.len()) as u64
    }

    /// Dirty pages for which a sync needs a block.
    fn waiting_dirty_pages(&self) -> u64 {
        self.dirty.iter().filter(|&&page| self.waits(page)).count() as u64
    }

    pub(super) fn waits(&self, page: u64) -> bool {
        self.table.get(page).is_some_and(Slot::waits_for_block)
    }

    fn is_lost(&self, page: u64) -> bool {
        self.table.get(page).is_some_and(|slot| slot.lost)
    }

    /// Loses the dirty pages that find no block among so many free ones.
    fn lose_beyond(&mut self, mut free: u64) {
        let sequence = self.pending.next_sequence();
        let mut dirty = std::mem::take(&mut self.dirty);
        dirty.sort_unstable();
        let lost_before = self.lost.len();
        for page in dirty {
            if !self.waits(page) {
                self.dirty.push(page);
            } else if free > 0 {
                free -= 1;
                self.dirty.push(page);
            } else {
                let slot = self.table.slot_mut(page);
                (slot.dirty, slot.lost) = (false, true);
                // There is no block, so that older changes have nothing to show.
                slot.settled = sequence;
                self.lost.push(page);
            }
        }
        if self.lost.len() > lost_before {
            self.write_errors += 1;
            self.lacked_room = true;
        }
    }
}
