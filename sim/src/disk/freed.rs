//! Invariants of freed pages: the last few are remembered, since a crash may show their bytes again.

use std::sync::Arc;

use super::chance::{Chance, RegisterName};
use super::options::{PAGE_SIZE, SECTOR_SIZE};
use super::page::Page;
use crate::entropy::mix64;

/// Freed pages remembered.
const REMEMBERED: usize = 4;

/// Bytes that blocks may still hold from their former files.
#[derive(Clone, Debug, Default)]
pub(super) struct FreedPages {
    pages: Arc<Vec<Arc<Page>>>,
    next: usize,
}

impl FreedPages {
    /// Remembers one page, and forgets the oldest.
    pub(super) fn remember(&mut self, page: &Arc<Page>) {
        let pages = Arc::make_mut(&mut self.pages);
        if pages.len() < REMEMBERED {
            pages.push(Arc::clone(page));
        } else {
            pages[self.next] = Arc::clone(page);
            self.next = (self.next + 1) % REMEMBERED;
        }
    }

    /// Remembers these pages, one after the other.
    pub(super) fn remember_all(&mut self, pages: Vec<&Arc<Page>>) {
        // Of those that are forgotten again, only their number shows.
        let forgotten = pages.len().saturating_sub(2 * REMEMBERED);
        let forgotten = forgotten - forgotten % REMEMBERED;
        pages[forgotten..]
            .iter()
            .for_each(|page| self.remember(page));
    }

    /// Whether these are the very same pages.
    pub(super) fn is_same(&self, other: &FreedPages) -> bool {
        Arc::ptr_eq(&self.pages, &other.pages) && self.next == other.next
    }

    /// The pages remembered.
    pub(super) fn pages(&self) -> &[Arc<Page>] {
        &self.pages
    }

    /// How many earlier owners a block may have had.
    pub(super) fn stale_bound(&self) -> u64 {
        self.pages.len() as u64 + 1
    }

    /// Writes into `unit`, which begins at `within` in its page, what an earlier owner of the block
    /// left there: a freed page's bytes, or bytes from before this disk's first file.
    pub(super) fn stale(&self, chance: &mut dyn Chance, inode: u64, sector: u64, unit: &mut [u8]) {
        let within = (sector as usize * SECTOR_SIZE) % PAGE_SIZE;
        let bound = self.stale_bound();
        let pick = if bound > 1 {
            chance.below(RegisterName::Stale { inode, sector }, bound) as usize
        } else {
            0
        };
        if let Some(page) = self.pages.get(pick) {
            unit.copy_from_slice(&page.bytes()[within..within + unit.len()]);
        } else {
            former_life(sector, unit);
        }
    }
}

/// Bytes of a former life of the disk: never zero, the same for the same sector.
pub(super) fn former_life(sector: u64, unit: &mut [u8]) {
    for (index, byte) in unit.iter_mut().enumerate() {
        *byte = (mix64(sector, index as u64) as u8) | 0x80;
    }
}
