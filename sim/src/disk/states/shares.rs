//! Invariants of shares: what a register's outcome adds to an image's hash, cut off where the file ends.

use super::outcomes::{Answers, Asked, UnitOutcome};
use crate::disk::crash_content::Length;
use crate::disk::extents::Extent;
use crate::disk::freed::former_life;
use crate::disk::image_hash::{PAGE_SECTORS, sector_digest, sector_share};
use crate::disk::options::{PAGE_SIZE, SECTOR_SIZE};
use crate::disk::table::page_start;
use crate::disk::units::{PageSpace, Pick};

/// The share of the pages of an extent of which so many steps survive.
pub(super) fn extent_share(
    asked: Asked<'_>,
    length: &Length,
    extent: &Extent,
    cut: u64,
    pages: &[&PageSpace],
) -> u128 {
    let mut hash = 0;
    for page in pages {
        for index in 0..page.units.len() {
            let version = asked.version_in(extent, cut, page, index);
            hash ^= version_share(asked, length, page, index, version);
        }
    }
    hash
}

/// The share of a unit that shows this version.
pub(super) fn version_share(
    asked: Asked<'_>,
    length: &Length,
    page: &PageSpace,
    index: usize,
    version: usize,
) -> u128 {
    let outcome = UnitOutcome {
        bytes: (&page.units[index].versions[version].1[..]).into(),
        is_unreadable: false,
        pick: Pick::Version(version),
        answers: Answers::new(),
    };
    unit_share(asked, length, page, index, &outcome)
}

/// The share of a unit with this outcome.
pub(super) fn unit_share(
    asked: Asked<'_>,
    length: &Length,
    page: &PageSpace,
    index: usize,
    outcome: &UnitOutcome<'_>,
) -> u128 {
    let unit_size = asked.rules.tear.unit_size();
    let first = page.sector(index, unit_size);
    let known = match outcome.pick {
        Pick::Version(version) => page.known_digests(index, version),
        _ => None,
    };
    (0..unit_size / SECTOR_SIZE).fold(0, |hash, within| {
        let sector = first + within as u64;
        let start = sector * SECTOR_SIZE as u64;
        let kept = (length.size.saturating_sub(start) as usize).min(SECTOR_SIZE);
        let is_bad = outcome.is_unreadable
            || (outcome.pick == Pick::Version(0)
                && page.is_bad((sector % PAGE_SECTORS as u64) as usize));
        let digest = match known {
            Some(digests) if kept == SECTOR_SIZE => digests[within],
            _ => sector_digest(&outcome.bytes[within * SECTOR_SIZE..][..kept]),
        };
        hash ^ sector_share(asked.inode, sector, digest, is_bad)
    })
}

/// The share of a page that is all garbage.
pub(super) fn garbage_share(asked: Asked<'_>, length: &Length, page: &PageSpace) -> u128 {
    let mut bytes = [0; PAGE_SIZE];
    former_life(page.page, &mut bytes);
    let kept = (length.size.saturating_sub(page_start(page.page)) as usize).min(PAGE_SIZE);
    bytes[kept..].fill(0);
    let first = page.page * PAGE_SECTORS as u64;
    (0..PAGE_SECTORS).fold(0, |hash, index| {
        let digest = sector_digest(&bytes[index * SECTOR_SIZE..][..SECTOR_SIZE]);
        hash ^ sector_share(asked.inode, first + index as u64, digest, false)
    })
}
