//! Steps: the versions of each tear unit of a page are derived from the pending changes; a crash picks one a unit.
//!
//! A cut zeroes what it takes in the same transaction that sets the length: with the length in, older
//! bytes are out; with the length out, the zeros are too, except where a later write carried them.

use std::ops::Range;
use std::sync::Arc;

use super::constraints::GrowthFill;
use super::content::Content;
use super::file_space::{Fate, FileSpace};
use super::freed::former_life;
use super::image_hash::PAGE_SECTORS;
use super::options::{PAGE_SIZE, SECTOR_SIZE};
use super::page::Page;
use super::pending::Change;
use super::readable::bad_sectors;
use super::rules::{ContentDraw, Rules};
use super::states::PageParts;
use super::table::{Slot, page_start};
use super::tear::Tear;

/// Tear units of a page at most.
pub(super) const UNITS_MAX: usize = PAGE_SIZE / SECTOR_SIZE;

const ZEROS: [u8; PAGE_SIZE] = [0; PAGE_SIZE];
const NO_DIGESTS: [u128; PAGE_SECTORS] = [0; PAGE_SECTORS];

/// The versions of one tear unit, oldest first, each with the number of changes it includes.
pub(super) struct Unit {
    pub(super) versions: Vec<(usize, Vec<u8>)>,
    pub(super) may_be_stale: bool,
}

/// What a unit shows after a crash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pick {
    /// One of its versions.
    Version(usize),
    /// Former bytes of its block.
    Stale,
    /// What an interrupted write left.
    Damaged,
}

/// All that a crash may leave of one page.
pub(super) struct PageSpace {
    pub(super) page: u64,
    pub(super) units: Vec<Unit>,
    /// Sectors that cannot be read while no write to them survives.
    bad: u8,
    /// With the oldest version of every unit.
    oldest: Option<Arc<Page>>,
    /// With the newest version of every unit.
    newest: Option<Arc<Page>>,
    /// What was made of it for lists of images.
    pub(super) parts: PageParts,
}

impl Unit {
    /// One more version, unless it equals the one before.
    fn write(&mut self, count: usize, bytes: &[u8]) {
        if self
            .versions
            .last()
            .is_some_and(|version| version.1 != bytes)
        {
            self.versions.push((count, bytes.to_vec()));
        }
    }

    /// Whatever version survives, it is zeros from here on.
    fn cut(&mut self, from: usize) {
        for (_, bytes) in &mut self.versions {
            bytes[from..].fill(0);
        }
        self.versions
            .dedup_by(|later, earlier| later.1 == earlier.1);
        self.may_be_stale = false;
    }

    pub(super) fn newest(&self) -> usize {
        self.versions.len() - 1
    }

    /// Whether nothing is to be chosen.
    pub(super) fn is_settled(&self) -> bool {
        self.versions.len() == 1 && !self.may_be_stale
    }

    /// What a number from 0 on means: a version, then former bytes where there may be some, then
    /// damage.
    pub(super) fn pick(&self, word: usize) -> Pick {
        match word.checked_sub(self.versions.len()) {
            None => Pick::Version(word),
            Some(0) if self.may_be_stale => Pick::Stale,
            Some(_) => Pick::Damaged,
        }
    }
}

impl PageSpace {
    fn new(compiled: Compiled<'_>, unit_size: usize) -> PageSpace {
        let Compiled {
            page, slot, units, ..
        } = compiled;
        let image = |version: fn(&Unit) -> usize, like: Option<&Arc<Page>>| {
            let mut bytes = [0; PAGE_SIZE];
            for (unit, target) in units.iter().zip(bytes.chunks_exact_mut(unit_size)) {
                target.copy_from_slice(&unit.versions[version(unit)].1);
            }
            match like {
                _ if slot.durable.is_none() && bytes == ZEROS => None,
                Some(page) if *page.bytes() == bytes => Some(Arc::clone(page)),
                _ => Some(Arc::new(Page::holding(&bytes))),
            }
        };
        PageSpace {
            page,
            bad: slot.bad_durable,
            oldest: image(|_| 0, slot.durable.as_ref()),
            newest: image(Unit::newest, slot.cached()),
            units,
            parts: PageParts::default(),
        }
    }

    /// The first sector of a unit, from the start of the file.
    pub(super) fn sector(&self, index: usize, unit_size: usize) -> u64 {
        (page_start(self.page) + (index * unit_size) as u64) / SECTOR_SIZE as u64
    }

    /// The digests of the sectors of a unit that shows its oldest or its newest version.
    pub(super) fn known_digests(&self, index: usize, version: usize) -> Option<&[u128]> {
        let image = match version {
            0 => &self.oldest,
            _ if version == self.units[index].newest() => &self.newest,
            _ => return None,
        };
        let digests = image.as_ref().map_or(&NO_DIGESTS, |page| page.sectors());
        let sectors = PAGE_SECTORS / self.units.len();
        Some(&digests[index * sectors..][..sectors])
    }

    /// Whether a sector of the page cannot be read while its oldest version survives.
    pub(super) fn is_bad(&self, sector_within: usize) -> bool {
        self.bad & (1 << sector_within) != 0
    }

    /// The page as the crash leaves it, and its unreadable sectors.
    pub(super) fn image(
        &self,
        space: &FileSpace,
        fate: &Fate,
        draw: &mut ContentDraw<'_>,
    ) -> (Option<Arc<Page>>, u8) {
        let unit_size = draw.rules.tear.unit_size();
        let mut picks = [Pick::Version(0); UNITS_MAX];
        let mut count = Counts::default();
        for (index, unit) in self.units.iter().enumerate() {
            let pick = draw.pick(space, fate, unit, self.sector(index, unit_size));
            count.add(unit, pick);
            picks[index] = pick;
        }
        count.report(draw);
        self.compose(&picks[..self.units.len()], draw)
    }

    /// The page with these versions of its units.
    pub(super) fn compose(
        &self,
        picks: &[Pick],
        draw: &mut ContentDraw<'_>,
    ) -> (Option<Arc<Page>>, u8) {
        let unit_size = draw.rules.tear.unit_size();
        let bad = self.bad_after(picks, draw.rules.tear);
        if let Some(image) = self.end_of_history(picks, 0..picks.len()) {
            return (image.clone(), bad);
        }
        let mut image = match &self.oldest {
            Some(page) => Page::clone(page),
            None => Page::zeroed(),
        };
        let bytes = image.bytes_mut();
        for (index, (unit, &pick)) in self.units.iter().zip(picks).enumerate() {
            if pick == Pick::Version(0) {
                continue;
            }
            let sector = self.sector(index, unit_size);
            draw.fill(
                unit,
                pick,
                sector,
                &mut bytes[index * unit_size..][..unit_size],
            );
        }
        if draw.rules.tear == Tear::GarbagePage && picks.contains(&Pick::Damaged) {
            former_life(self.page, bytes);
        }
        if self.oldest.is_none() && *bytes == ZEROS {
            return (None, bad);
        }
        (Some(Arc::new(image)), bad)
    }

    /// Appends a range of the page to `bytes`; whether all of it can be read.
    pub(super) fn read(
        &self,
        space: &FileSpace,
        fate: &Fate,
        range: Range<usize>,
        bytes: &mut Vec<u8>,
        draw: &mut ContentDraw<'_>,
    ) -> bool {
        let tear = draw.rules.tear;
        let unit_size = tear.unit_size();
        // Garbage in one unit of the page may be garbage in all of them.
        let looked_at = match tear {
            Tear::GarbagePage => 0..self.units.len(),
            _ => range.start / unit_size..range.end.div_ceil(unit_size),
        };
        let mut picks = [Pick::Version(0); UNITS_MAX];
        for index in looked_at.clone() {
            let sector = self.sector(index, unit_size);
            picks[index] = draw.pick(space, fate, &self.units[index], sector);
        }
        let picks = &picks[..self.units.len()];
        let composed;
        let image = match self.end_of_history(picks, looked_at) {
            Some(image) => image,
            None => {
                composed = self.compose(picks, draw).0;
                &composed
            }
        };
        match image {
            Some(page) => bytes.extend_from_slice(&page.bytes()[range.clone()]),
            None => bytes.resize(bytes.len() + range.len(), 0),
        }
        self.bad_after(picks, tear) & bad_sectors(range.start, range.len()) == 0
    }

    /// The page as far as these units go, when all show their oldest or all their newest version.
    fn end_of_history(&self, picks: &[Pick], units: Range<usize>) -> Option<&Option<Arc<Page>>> {
        let shows = |version: fn(&Unit) -> usize| {
            let mut indices = units.clone();
            indices.all(|index| picks[index] == Pick::Version(version(&self.units[index])))
        };
        if shows(|_| 0) {
            Some(&self.oldest)
        } else if shows(Unit::newest) {
            Some(&self.newest)
        } else {
            None
        }
    }

    fn bad_after(&self, picks: &[Pick], tear: Tear) -> u8 {
        let mut bad = self.bad;
        if bad == 0 && tear != Tear::Unreadable {
            return 0;
        }
        for (index, &pick) in picks.iter().enumerate() {
            let sectors = bad_sectors(index * tear.unit_size(), tear.unit_size());
            if pick != Pick::Version(0) {
                bad &= !sectors;
            }
            if pick == Pick::Damaged && tear == Tear::Unreadable {
                bad |= sectors;
            }
        }
        bad
    }
}

impl ContentDraw<'_> {
    /// Writes into `target` what a unit shows.
    pub(super) fn fill(&mut self, unit: &Unit, pick: Pick, sector: u64, target: &mut [u8]) {
        match pick {
            Pick::Version(version) => target.copy_from_slice(&unit.versions[version].1),
            Pick::Damaged => self.damage(unit, sector, target),
            Pick::Stale => self
                .rules
                .freed
                .stale(self.chance, self.inode, sector, target),
        }
    }
}

/// What became of the units of one page.
#[derive(Default)]
struct Counts {
    kept: u64,
    lost: u64,
    between: u64,
}

impl Counts {
    fn add(&mut self, unit: &Unit, pick: Pick) {
        match pick {
            _ if unit.is_settled() => {}
            Pick::Version(version) if version == unit.newest() && version > 0 => self.kept += 1,
            Pick::Version(0) => self.lost += 1,
            _ => self.between += 1,
        }
    }

    fn report(&self, draw: &mut ContentDraw<'_>) {
        draw.report.units_kept += self.kept;
        draw.report.units_lost += self.lost;
        draw.report.units_between += self.between;
        draw.report.pages_torn += u64::from(self.kept > 0 && self.lost + self.between > 0);
    }
}

/// A page on the way to its versions.
struct Compiled<'a> {
    page: u64,
    slot: &'a Slot,
    bytes: Box<[u8; PAGE_SIZE]>,
    units: Vec<Unit>,
    may_be_stale: bool,
}

/// The versions of every unit of these pages, in order, that go with a length of so many changes.
pub(super) fn compile(
    before: &Content,
    pages: &[u64],
    included: usize,
    rules: &Rules,
) -> Vec<PageSpace> {
    let unit_size = rules.tear.unit_size();
    let compiled = pages
        .iter()
        .filter_map(|&page| Some(Compiled::new(before, page, before.table.get(page)?, rules)));
    let mut compiled: Vec<Compiled<'_>> = compiled.collect();
    for (index, entry) in before.pending.changes().iter().enumerate() {
        let change = &entry.change;
        let pages = change.pages();
        let from = compiled.partition_point(|page| page.page < pages.start);
        let touched = compiled[from..].iter_mut();
        let cut_is_in = index < included || entry.sequence < before.size_settled;
        for page in touched.take_while(|page| page.page < pages.end) {
            if entry.sequence >= page.slot.settled && change.replay(page.page, &mut page.bytes) {
                page.change(index + 1, change, cut_is_in, before, unit_size);
            }
        }
    }
    let space = |page| PageSpace::new(page, unit_size);
    compiled.into_iter().map(space).collect()
}

impl<'a> Compiled<'a> {
    fn new(before: &Content, page: u64, slot: &'a Slot, rules: &Rules) -> Compiled<'a> {
        let bytes = slot.durable.as_ref().map_or(&ZEROS, |page| page.bytes());
        let unit = |unit: &[u8]| Unit {
            versions: vec![(0, unit.to_vec())],
            may_be_stale: false,
        };
        let units = bytes.chunks_exact(rules.tear.unit_size()).map(unit);
        // A page that writeback took by itself holds its bytes, though no durable length shows them.
        let taken = slot.durable.is_some() && slot.settled > before.size_settled;
        Compiled {
            page,
            slot,
            units: units.collect(),
            bytes: Box::new(*bytes),
            may_be_stale: rules.constraints.growth == GrowthFill::Former
                && !slot.reserved_durable
                && !taken,
        }
    }

    /// The page after the change that is number `count`.
    fn change(
        &mut self,
        count: usize,
        change: &Change,
        cut_is_in: bool,
        before: &Content,
        unit_size: usize,
    ) {
        for (at, unit) in self.units.iter_mut().enumerate() {
            let start = page_start(self.page) + (at * unit_size) as u64;
            match change {
                Change::Write { .. } if touches(change, start, unit_size) => {
                    unit.write(count, &self.bytes[at * unit_size..][..unit_size]);
                    unit.may_be_stale |= self.may_be_stale && start >= before.durable_size;
                }
                Change::Cut { size } if cut_is_in && *size < start + unit_size as u64 => {
                    unit.cut(size.saturating_sub(start) as usize);
                }
                _ => {}
            }
        }
    }
}

/// Whether a change wrote into the unit that begins at `start`.
fn touches(change: &Change, start: u64, unit_size: usize) -> bool {
    match change {
        Change::Write { offset, bytes } => {
            *offset < start + unit_size as u64 && start < offset + bytes.len() as u64
        }
        Change::Cut { .. } | Change::Grow { .. } => false,
    }
}
