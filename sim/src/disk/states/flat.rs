//! Invariants of a flat file: the share of its base state in an image's hash, and what each other outcome changes.
//!
//! With the length chosen, the registers of a file are independent of one another: the shares of any
//! combination are joined by exclusive or. Where garbage takes a whole page along, it says so. A page
//! that the length does not cut is the same for every length, and made once.

use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use super::outcomes::{Answers, Asked, LengthOutcome, UnitOutcome};
use super::shares::{extent_share, garbage_share, unit_share, version_share};
use crate::disk::choices::Base;
use crate::disk::constraints::GrowthFill;
use crate::disk::crash_content::Length;
use crate::disk::extents::Kept;
use crate::disk::image_hash::{size_share, unclean_share};
use crate::disk::table::{page_start, pages_for};
use crate::disk::tear::Tear;
use crate::disk::units::{PageSpace, Pick};

/// The registers of one file with one length.
#[derive(Debug)]
pub(super) struct Flat {
    /// The share of the base state.
    pub(super) base: u128,
    /// The pages with registers, or the extents.
    pub(super) parts: Vec<Rc<Part>>,
    /// Whether anything makes garbage of a whole page.
    pub(super) may_clash: bool,
}

/// The registers of a page or of an extent.
#[derive(Debug, Default)]
pub(super) struct Part {
    base: u128,
    /// The other outcomes of each register, as places in the lists below.
    pub(super) registers: Vec<Range<usize>>,
    /// What each outcome changes.
    pub(super) changes: Vec<u128>,
    /// What leads to it.
    pub(super) answers: Vec<Answers>,
    /// Whether it makes garbage of the whole page.
    pub(super) garbage: Vec<bool>,
}

/// Pages of one file that were made already, by their numbers and the cuts that are in.
pub(super) type Made = BTreeMap<(u64, usize), Rc<Part>>;

impl Flat {
    /// The registers of a file that has this length.
    pub(super) fn new(
        asked: Asked<'_>,
        outcome: &LengthOutcome,
        base: Base,
        made: &mut Made,
    ) -> Flat {
        let length = &outcome.length;
        if outcome.is_unclean() {
            return Flat {
                base: unclean_share(asked.inode),
                parts: Vec::new(),
                may_clash: false,
            };
        }
        let mut flat = Flat {
            base: size_share(asked.inode, length.size)
                ^ asked.space.settled_share(asked.inode, length.size),
            parts: Vec::new(),
            may_clash: asked.rules.tear == Tear::GarbagePage,
        };
        let mood = asked.rules.widest_mood(asked.space.before(), asked.horizon);
        let pages = asked.space.pages(length, asked.rules);
        let pages = &pages[..pages.partition_point(|page| page.page < pages_for(length.size))];
        if let Some(kept) = asked.space.kept(mood, length, asked.horizon, asked.rules) {
            flat.add_extents(asked, length, &kept, base, pages);
            return flat;
        }
        let may_share = asked.rules.constraints.growth != GrowthFill::Written;
        let cuts_in = asked.space.cuts_in(length);
        for page in pages {
            let new = || Rc::new(page_part(asked, length, page, base));
            let part = if may_share && page_start(page.page + 1) <= length.size {
                let known = made.entry((page.page, cuts_in)).or_insert_with(new);
                Rc::clone(known)
            } else {
                new()
            };
            flat.add(part);
        }
        flat
    }

    fn add(&mut self, part: Rc<Part>) {
        self.base ^= part.base;
        if !part.registers.is_empty() {
            self.parts.push(part);
        }
    }

    fn add_extents(
        &mut self,
        asked: Asked<'_>,
        length: &Length,
        kept: &Kept,
        base: Base,
        pages: &[PageSpace],
    ) {
        let mut rest: Vec<&PageSpace> = pages.iter().collect();
        for extent in kept.extents() {
            let inside = extent.take_pages(&mut rest);
            let share = |cut: u64| extent_share(asked, length, extent, cut, &inside);
            let cuts = extent.cuts();
            let least = *cuts.start();
            let by_itself = match base {
                Base::Oldest => least,
                Base::Newest => *cuts.end(),
            };
            let mut part = Part {
                base: share(by_itself),
                ..Part::default()
            };
            for cut in cuts.filter(|&cut| cut != by_itself) {
                let answers = vec![(extent.register(asked.inode), cut - least)];
                part.add(part.base ^ share(cut), answers, false);
            }
            part.close(0);
            self.add(Rc::new(part));
        }
        for page in rest {
            for index in 0..page.units.len() {
                self.base ^= version_share(asked, length, page, index, 0);
            }
        }
    }
}

fn page_part(asked: Asked<'_>, length: &Length, page: &PageSpace, base: Base) -> Part {
    let units = (0..page.units.len()).map(|index| asked.unit(length, page, index));
    let units: Vec<Vec<UnitOutcome<'_>>> = units.collect();
    let share =
        |index: usize, outcome: &UnitOutcome<'_>| unit_share(asked, length, page, index, outcome);
    let shown = units.iter().enumerate().map(|(index, outcomes)| {
        let newest = Pick::Version(page.units[index].newest());
        let by_itself = match base {
            Base::Oldest => None,
            Base::Newest => outcomes.iter().position(|outcome| outcome.pick == newest),
        }
        .unwrap_or(0);
        (by_itself, share(index, &outcomes[by_itself]))
    });
    let shown: Vec<(usize, u128)> = shown.collect();
    let mut part = Part {
        base: shown.iter().fold(0, |hash, unit| hash ^ unit.1),
        ..Part::default()
    };
    for (index, outcomes) in units.into_iter().enumerate() {
        let (by_itself, base_share) = shown[index];
        let first = part.changes.len();
        for (number, outcome) in outcomes.into_iter().enumerate() {
            if number == by_itself {
                continue;
            }
            let spoils = asked.rules.tear == Tear::GarbagePage && outcome.pick == Pick::Damaged;
            let change = if spoils {
                part.base ^ garbage_share(asked, length, page)
            } else {
                base_share ^ share(index, &outcome)
            };
            part.add(change, outcome.answers, spoils);
        }
        part.close(first);
    }
    part
}

impl Part {
    fn add(&mut self, change: u128, answers: Answers, garbage: bool) {
        self.changes.push(change);
        self.answers.push(answers);
        self.garbage.push(garbage);
    }

    fn close(&mut self, first: usize) {
        if first < self.changes.len() {
            self.registers.push(first..self.changes.len());
        }
    }
}
