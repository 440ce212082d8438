//! Invariants of extents: writes that share a page survive in order; of each, all, none, or its first units.
//!
//! This serves where bytes are not each unit's own affair: file systems that link written extents in,
//! journals that hold the bytes too, and devices that tear a write at one place only.

use std::cell::OnceCell;
use std::ops::RangeInclusive;

use super::chance::RegisterName;
use super::constraints::{DataOrder, GrowthFill};
use super::crash_content::{Length, Mood, size_before};
use super::file_space::FileSpace;
use super::moment::Moment;
use super::options::{PAGE_SIZE, SECTOR_SIZE};
use super::pending::Change;
use super::rules::{ContentDraw, Rules};
use super::table::page_of;
use super::tear::Tear;
use super::units::{PageSpace, Unit};

/// How much of each extent survives: chosen when a page of it is first looked at.
#[derive(Debug)]
pub(super) struct Kept {
    extents: Vec<Extent>,
    unit_size: u64,
}

/// Pending writes that survive one after the other.
#[derive(Debug)]
pub(super) struct Extent {
    pieces: Vec<Piece>,
    first_page: u64,
    last_page: u64,
    /// Steps that survive at least.
    least: u64,
    /// Steps that survive at most.
    most: u64,
    /// Steps that survive, once chosen.
    cut: OnceCell<u64>,
}

/// A pending write, as far as it may survive.
#[derive(Clone, Copy, Debug)]
struct Piece {
    /// The change that it is, from 1 on.
    count: usize,
    offset: u64,
    end: u64,
    /// Steps in which it survives: 1 when whole or not at all, else one a unit.
    steps: u64,
    /// Steps of the extent before it.
    before: u64,
    may_survive: bool,
    must_survive: bool,
}

impl Kept {
    /// The newest version of the unit at `start` whose write survives there.
    pub(super) fn version(&self, unit: &Unit, start: u64, draw: &mut ContentDraw<'_>) -> usize {
        let page = page_of(start);
        let after = self
            .extents
            .partition_point(|extent| extent.last_page < page);
        let found = self.extents.get(after);
        let Some(extent) = found.filter(|extent| extent.first_page <= page) else {
            return 0;
        };
        let cut = extent.cut(draw);
        extent.version(unit, start, cut, self.unit_size)
    }

    /// The extents, to fix how much of them survives.
    pub(super) fn extents(&self) -> &[Extent] {
        &self.extents
    }
}

impl Extent {
    /// The pages that it is about, from the first to the last.
    pub(super) fn pages(&self) -> (u64, u64) {
        (self.first_page, self.last_page)
    }

    /// Takes the pages that it is about out of those that are left.
    pub(super) fn take_pages<'a>(&self, left: &mut Vec<&'a PageSpace>) -> Vec<&'a PageSpace> {
        let (first, last) = self.pages();
        left.extract_if(.., |page| (first..=last).contains(&page.page))
            .collect()
    }

    /// How many steps may survive, as far as that is not chosen.
    pub(super) fn cuts(&self) -> RangeInclusive<u64> {
        match self.cut.get() {
            Some(&cut) => cut..=cut,
            None => self.least..=self.most,
        }
    }

    /// The register that says how many survive.
    pub(super) fn register(&self, inode: u64) -> RegisterName {
        let sector = page_of(self.pieces[0].offset) * (PAGE_SIZE / SECTOR_SIZE) as u64;
        RegisterName::Data { inode, sector }
    }

    /// The newest version of the unit at `start` that is among the first `cut` steps.
    pub(super) fn version(&self, unit: &Unit, start: u64, cut: u64, unit_size: u64) -> usize {
        let survives = |version: &(usize, Vec<u8>)| {
            version.0 == 0 || self.keeps(version.0, start, cut, unit_size)
        };
        unit.versions.iter().rposition(survives).unwrap_or(0)
    }

    fn cut(&self, draw: &mut ContentDraw<'_>) -> u64 {
        *self.cut.get_or_init(|| {
            if self.least == self.most {
                return self.least;
            }
            let register = self.register(draw.inode);
            let range = self.most - self.least;
            self.least + draw.chance.version(register, range + 1, range)
        })
    }

    /// Whether a write's unit at `start` is among the first `cut` steps.
    fn keeps(&self, count: usize, start: u64, cut: u64, unit_size: u64) -> bool {
        let found = self
            .pieces
            .binary_search_by_key(&count, |piece| piece.count);
        let Ok(index) = found else {
            return false;
        };
        let piece = &self.pieces[index];
        let left = cut.saturating_sub(piece.before);
        left >= piece.steps || (start / unit_size).saturating_sub(piece.offset / unit_size) < left
    }
}

impl Rules {
    /// Between which boundaries a write's length may reach the medium in parts.
    pub(super) fn size_unit(&self) -> u64 {
        if self.keeps_writes_whole() {
            u64::MAX >> 2
        } else {
            self.tear.unit_size() as u64
        }
    }

    pub(super) fn keeps_writes_whole(&self) -> bool {
        self.constraints.data == DataOrder::Extents || self.tear == Tear::Atomic
    }

    /// Whether each unit fares by itself.
    pub(super) fn keeps_units_apart(&self) -> bool {
        self.constraints.data == DataOrder::Synced
            || (self.constraints.data == DataOrder::Units && self.tear.tears_anywhere())
    }
}

impl FileSpace {
    /// What survives of each write; none where every unit fares by itself.
    pub(super) fn kept(
        &self,
        mood: Mood,
        length: &Length,
        horizon: Moment,
        rules: &Rules,
    ) -> Option<Kept> {
        if rules.keeps_units_apart() {
            return None;
        }
        let mut groups = self.extents(length, horizon, rules);
        groups.retain(|pieces| !pieces.is_empty());
        let extents = groups.into_iter().map(|pieces| {
            let whole_disk = rules.constraints.data == DataOrder::Prefix;
            Extent::new(pieces, mood, length.torn, whole_disk)
        });
        Some(Kept {
            extents: extents.collect(),
            unit_size: rules.tear.unit_size() as u64,
        })
    }

    /// The pending writes, those together that touch common pages, directly or by way of others.
    fn extents(&self, length: &Length, horizon: Moment, rules: &Rules) -> Vec<Vec<Piece>> {
        let mut pieces = self.pieces(length, horizon, rules);
        if rules.constraints.data == DataOrder::Prefix {
            return vec![pieces];
        }
        pieces.sort_by_key(|piece| page_of(piece.offset));
        let mut extents: Vec<Vec<Piece>> = Vec::new();
        let mut last_page = 0;
        for piece in pieces {
            let (first, last) = (page_of(piece.offset), page_of(piece.end - 1));
            match extents.last_mut() {
                Some(extent) if first <= last_page => extent.push(piece),
                _ => extents.push(vec![piece]),
            }
            last_page = last_page.max(last);
        }
        for extent in &mut extents {
            extent.sort_by_key(|piece| piece.count);
        }
        extents
    }

    fn pieces(&self, length: &Length, horizon: Moment, rules: &Rules) -> Vec<Piece> {
        let unit_size = rules.tear.unit_size() as u64;
        let linked_in = rules.constraints.data != DataOrder::Units;
        let follows = rules.constraints.growth == GrowthFill::Written;
        let mut pieces = Vec::new();
        for (index, entry) in self.before().pending.changes().iter().enumerate() {
            let Change::Write { offset, ref bytes } = entry.change else {
                continue;
            };
            let (count, end) = (index + 1, offset + bytes.len() as u64);
            let steps = if rules.keeps_writes_whole() {
                1
            } else {
                (end - 1) / unit_size - offset / unit_size + 1
            };
            pieces.push(Piece {
                count,
                offset,
                end,
                steps,
                before: 0,
                may_survive: !linked_in || entry.moment < horizon,
                must_survive: follows
                    && count <= length.count
                    && size_before(&self.sizes, count) < end.min(length.size),
            });
        }
        pieces
    }
}

impl Extent {
    fn new(mut pieces: Vec<Piece>, mood: Mood, torn: u64, whole_disk: bool) -> Extent {
        let mut steps = 0;
        for piece in &mut pieces {
            piece.before = steps;
            steps += piece.steps;
        }
        let steps_of = |count: usize| pieces.get(count).map_or(steps, |piece| piece.before);
        let needed = pieces.iter().rposition(|piece| piece.must_survive);
        let least = needed.map_or(0, |last| steps_of(last + 1));
        let allowed = pieces.iter().take_while(|piece| piece.may_survive).count();
        let most = steps_of(allowed).max(least) + torn;
        let cut = match mood {
            Mood::Oldest | Mood::LengthOnly | Mood::Stale => Some(least),
            Mood::Newest | Mood::DataOnly => Some(most),
            Mood::Prefix(count) => {
                let whole = pieces.partition_point(|piece| piece.count <= count);
                Some(steps_of(whole) + torn)
            }
            Mood::Free => None,
        };
        let pages = pieces
            .iter()
            .map(|piece| (page_of(piece.offset), page_of(piece.end - 1)));
        let (first_page, last_page) = pages.fold((u64::MAX, 0), |(first, last), pages| {
            (first.min(pages.0), last.max(pages.1))
        });
        Extent {
            first_page: if whole_disk { 0 } else { first_page },
            last_page: if whole_disk { u64::MAX } else { last_page },
            pieces,
            least,
            most,
            cut: cut.map_or_else(OnceCell::new, |cut| OnceCell::from(cut.clamp(least, most))),
        }
    }
}
