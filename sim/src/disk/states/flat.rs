//! Invariants of a flat file: the share of its base state in an image's hash, and what each other outcome changes.
//!
//! With the length chosen, the registers of a file are independent of one another: the shares of any
//! combination are joined by exclusive or. Where garbage takes a whole page along, it says so.

use std::ops::Range;

use super::outcomes::{Answers, Asked, LengthOutcome, UnitOutcome};
use super::shares::{extent_share, garbage_share, unit_share, version_share};
use crate::disk::choices::Base;
use crate::disk::crash_content::Length;
use crate::disk::extents::Kept;
use crate::disk::image_hash::size_share;
use crate::disk::table::pages_for;
use crate::disk::tear::Tear;
use crate::disk::units::{PageSpace, Pick};

/// The registers of one file with one length.
#[derive(Debug)]
pub(super) struct Flat {
    /// The share of the base state.
    pub(super) base: u128,
    /// The other outcomes of each register, as places in the lists below.
    pub(super) registers: Vec<Range<usize>>,
    /// What each outcome changes.
    pub(super) changes: Vec<u128>,
    /// What leads to it.
    pub(super) answers: Vec<Answers>,
    /// Whether it makes garbage of the whole page.
    pub(super) garbage: Vec<bool>,
    /// The page that each register is about.
    pub(super) pages: Vec<u64>,
    /// Whether anything makes garbage of a whole page.
    pub(super) may_clash: bool,
}

impl Flat {
    /// The registers of a file that has this length.
    pub(super) fn new(asked: Asked<'_>, outcome: &LengthOutcome, base: Base) -> Flat {
        let length = &outcome.length;
        let mut flat = Flat {
            base: size_share(asked.inode, length.size)
                ^ asked.space.settled_share(asked.inode, length.size),
            registers: Vec::new(),
            changes: Vec::new(),
            answers: Vec::new(),
            garbage: Vec::new(),
            pages: Vec::new(),
            may_clash: asked.rules.tear == Tear::GarbagePage,
        };
        let mood = asked.rules.widest_mood(asked.space.before(), asked.horizon);
        match asked.space.kept(mood, length, asked.horizon, asked.rules) {
            Some(kept) => flat.add_extents(asked, length, &kept, base),
            None => {
                for page in asked.space.pages(length, asked.rules) {
                    flat.add_page(asked, length, page, base);
                }
            }
        }
        flat
    }

    /// The page that an outcome is about.
    pub(super) fn page_of(&self, place: usize) -> u64 {
        let register = self.registers.partition_point(|range| range.end <= place);
        self.pages[register]
    }

    fn add_page(&mut self, asked: Asked<'_>, length: &Length, page: &PageSpace, base: Base) {
        if page.page >= pages_for(length.size) {
            return;
        }
        let units = (0..page.units.len()).map(|index| asked.unit(length, page, index));
        let units: Vec<Vec<UnitOutcome<'_>>> = units.collect();
        let share = |index: usize, outcome: &UnitOutcome<'_>| {
            unit_share(asked, length, page, index, outcome)
        };
        let shown: Vec<(usize, u128)> = units
            .iter()
            .enumerate()
            .map(|(index, outcomes)| {
                let newest = Pick::Version(page.units[index].newest());
                let by_itself = match base {
                    Base::Oldest => Some(0),
                    Base::Newest => outcomes.iter().position(|outcome| outcome.pick == newest),
                }
                .unwrap_or(0);
                (by_itself, share(index, &outcomes[by_itself]))
            })
            .collect();
        let whole = shown.iter().fold(0, |hash, unit| hash ^ unit.1);
        self.base ^= whole;
        for (index, outcomes) in units.into_iter().enumerate() {
            let (by_itself, base_share) = shown[index];
            let first = self.changes.len();
            for (number, outcome) in outcomes.into_iter().enumerate() {
                if number == by_itself {
                    continue;
                }
                let spoils = asked.rules.tear == Tear::GarbagePage && outcome.pick == Pick::Damaged;
                let change = if spoils {
                    whole ^ garbage_share(asked, length, page)
                } else {
                    base_share ^ share(index, &outcome)
                };
                self.add(change, outcome.answers, spoils);
            }
            self.close(first, page.page);
        }
    }

    fn add_extents(&mut self, asked: Asked<'_>, length: &Length, kept: &Kept, base: Base) {
        let pages = asked.space.pages(length, asked.rules);
        let pages = &pages[..pages.partition_point(|page| page.page < pages_for(length.size))];
        let mut rest: Vec<&PageSpace> = pages.iter().collect();
        for extent in kept.extents() {
            let within = extent.pages();
            let (inside, outside) = rest
                .into_iter()
                .partition(|page| (within.0..=within.1).contains(&page.page));
            rest = outside;
            let inside: Vec<&PageSpace> = inside;
            let share = |cut: u64| extent_share(asked, length, extent, cut, &inside);
            let cuts = extent.cuts();
            let (least, by_itself) = match base {
                Base::Oldest => (*cuts.start(), *cuts.start()),
                Base::Newest => (*cuts.start(), *cuts.end()),
            };
            let base_share = share(by_itself);
            self.base ^= base_share;
            let first = self.changes.len();
            for cut in cuts.filter(|&cut| cut != by_itself) {
                let answers = vec![(extent.register(asked.inode), cut - least)];
                self.add(base_share ^ share(cut), answers, false);
            }
            self.close(first, within.0);
        }
        for page in rest {
            for index in 0..page.units.len() {
                self.base ^= version_share(asked, length, page, index, 0);
            }
        }
    }

    fn add(&mut self, change: u128, answers: Answers, garbage: bool) {
        self.changes.push(change);
        self.answers.push(answers);
        self.garbage.push(garbage);
    }

    fn close(&mut self, first: usize, page: u64) {
        if first < self.changes.len() {
            self.registers.push(first..self.changes.len());
            self.pages.push(page);
        }
    }
}
