//! Invariants of unreadable sectors: each read of one fails until the whole sector is written again.

use super::content::Content;
use super::options::{PAGE_SIZE, SECTOR_SIZE};
use super::table::{page_of, page_start};

/// The bits of the sectors that a range of a page touches.
pub(super) fn bad_sectors(within: usize, size: usize) -> u8 {
    let touches = |sector: &usize| {
        let start = sector * SECTOR_SIZE;
        within < start + SECTOR_SIZE && start < within + size
    };
    (0..PAGE_SIZE / SECTOR_SIZE)
        .filter(touches)
        .fold(0, |bits, sector| bits | 1 << sector)
}

impl Content {
    /// Whether every sector of a range can be read.
    pub(super) fn is_readable(&self, offset: u64, size: usize) -> bool {
        let end = offset.saturating_add(size as u64).min(self.size);
        let mut position = offset;
        while position < end {
            let page = page_of(position);
            let next = end.min(page_start(page + 1));
            let within = (position - page_start(page)) as usize;
            let touched = bad_sectors(within, (next - position) as usize);
            if self
                .table
                .get(page)
                .is_some_and(|slot| slot.bad & touched != 0)
            {
                return false;
            }
            position = next;
        }
        true
    }

    /// Whether a range can be written: a sector that it covers in part must be read first.
    pub(super) fn is_writable(&self, offset: u64, size: usize) -> bool {
        let sector = SECTOR_SIZE as u64;
        let end = offset + size as u64;
        let edge =
            |at: u64| at.is_multiple_of(sector) || self.is_readable(at - at % sector, SECTOR_SIZE);
        edge(offset) && (end >= self.size || edge(end))
    }
}
