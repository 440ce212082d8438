//! Invariants of a flat file: with its length chosen, its registers are independent, and their shares are joined by exclusive or.
//!
//! Lengths are many and most are met with nothing else changed. So the base of each is joined from
//! pages that were made once, by what it takes in; registers are looked for where some may deviate.

use std::cell::OnceCell;
use std::sync::Arc;

use super::outcomes::{Asked, LengthOutcome};
use super::parts::Part;
use super::shares::{extent_share, version_share};
use crate::disk::chance::RegisterName;
use crate::disk::choices::Base;
use crate::disk::constraints::GrowthFill;
use crate::disk::crash_content::{Length, size_before};
use crate::disk::crash_point::Ground;
use crate::disk::extents::Kept;
use crate::disk::file_space::FileSpace;
use crate::disk::image_hash::{size_share, unclean_share};
use crate::disk::inode::Ino;
use crate::disk::moment::Moment;
use crate::disk::options::SECTOR_SIZE;
use crate::disk::rules::Rules;
use crate::disk::table::{page_start, pages_for};
use crate::disk::units::PageSpace;

/// A file, the lengths that it may have, and its registers with each of them.
pub(super) struct File {
    ino: Ino,
    space: Arc<FileSpace>,
    rules: Arc<Rules>,
    horizon: Moment,
    base: Base,
    lengths: Vec<LengthOutcome>,
    /// The places of the lengths that do not deviate.
    ends: Vec<usize>,
    flats: Vec<Flat>,
    /// By the number of cuts that are in.
    sheets: Vec<OnceCell<Sheet>>,
}

/// The registers with one length, once they were asked for.
#[derive(Default)]
struct Flat {
    base: OnceCell<u128>,
    parts: OnceCell<Vec<Arc<Part>>>,
}

/// The unsettled pages, where units fare apart.
struct Sheet {
    pages: Vec<SheetPage>,
    /// The first pages at their last steps, by how many they are, from none on.
    firsts: Vec<Firsts>,
}

/// So many first pages, each at its last step.
#[derive(Clone, Copy, Default)]
struct Firsts {
    /// They are there with a length that includes so many changes.
    count: usize,
    base: u128,
    have_registers: bool,
}

struct SheetPage {
    number: u64,
    /// By the least number of changes that the length includes, from none on.
    steps: Vec<Step>,
}

struct Step {
    count: usize,
    base: u128,
    has_registers: bool,
}

impl File {
    pub(super) fn new(
        ground: &Ground,
        (ino, space): (Ino, &Arc<FileSpace>),
        horizon: Moment,
        base: Base,
    ) -> File {
        let asked = Asked {
            inode: ino.0,
            space,
            rules: &ground.rules,
            horizon,
        };
        let lengths = asked.lengths();
        let ends = (0..lengths.len()).filter(|&index| lengths[index].deviations(base) == 0);
        File {
            ino,
            space: Arc::clone(space),
            rules: Arc::clone(&ground.rules),
            horizon,
            base,
            ends: ends.collect(),
            flats: lengths.iter().map(|_| Flat::default()).collect(),
            sheets: (0..space.sheets()).map(|_| OnceCell::new()).collect(),
            lengths,
        }
    }

    /// The places of the lengths that deviate by at most so many registers.
    pub(super) fn places(&self, left: u32) -> impl Iterator<Item = usize> {
        let all = if left == 0 { 0 } else { self.lengths.len() };
        let ends = if left == 0 { &self.ends[..] } else { &[] };
        let all = (0..all).filter(move |&place| self.lengths[place].deviations(self.base) <= left);
        ends.iter().copied().chain(all)
    }

    pub(super) fn length_register(&self) -> RegisterName {
        RegisterName::Length { inode: self.ino.0 }
    }

    pub(super) fn length(&self, place: usize) -> &LengthOutcome {
        &self.lengths[place]
    }

    /// The share of the base state.
    pub(super) fn base(&self, place: usize) -> u128 {
        *self.flats[place].base.get_or_init(|| {
            let outcome = &self.lengths[place];
            let (asked, length) = (self.asked(), &outcome.length);
            if outcome.is_unclean() {
                return unclean_share(self.ino.0);
            }
            let whole = size_share(self.ino.0, length.size)
                ^ self.space.settled_share(self.ino.0, length.size);
            match self.kept(length) {
                Some(kept) => whole ^ self.extents(length, &kept).0,
                None => whole ^ self.sheet(length).base(asked, length, self.base),
            }
        })
    }

    /// The pages with registers, or the extents.
    pub(super) fn parts(&self, place: usize) -> &[Arc<Part>] {
        self.flats[place].parts.get_or_init(|| {
            let outcome = &self.lengths[place];
            let (asked, length) = (self.asked(), &outcome.length);
            if outcome.is_unclean() {
                return Vec::new();
            }
            match self.kept(length) {
                Some(kept) => self.extents(length, &kept).1,
                None => self.sheet(length).parts(asked, length, self.base),
            }
        })
    }

    fn asked(&self) -> Asked<'_> {
        Asked {
            inode: self.ino.0,
            space: &self.space,
            rules: &self.rules,
            horizon: self.horizon,
        }
    }

    /// The extents, where units do not fare apart.
    fn kept(&self, length: &Length) -> Option<Kept> {
        let mood = self.rules.widest_mood(self.space.before(), self.horizon);
        self.space.kept(mood, length, self.horizon, &self.rules)
    }

    fn sheet(&self, length: &Length) -> &Sheet {
        let new = || Sheet::new(self.asked(), length, self.base);
        self.sheets[self.space.cuts_in(length)].get_or_init(new)
    }

    /// The share of the base state of all extents, and those with registers.
    fn extents(&self, length: &Length, kept: &Kept) -> (u128, Vec<Arc<Part>>) {
        let asked = self.asked();
        let (mut hash, mut parts) = (0, Vec::new());
        let pages = asked.space.pages(length, asked.rules);
        let pages = &pages[..pages.partition_point(|page| page.page < pages_for(length.size))];
        let mut rest: Vec<&PageSpace> = pages.iter().map(|page| &**page).collect();
        for extent in kept.extents() {
            let inside = extent.take_pages(&mut rest);
            let share = |cut: u64| extent_share(asked, length, extent, cut, &inside);
            let cuts = extent.cuts();
            let least = *cuts.start();
            let by_itself = match self.base {
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
            hash ^= part.base;
            if !part.registers.is_empty() {
                parts.push(Arc::new(part));
            }
        }
        for page in rest {
            for index in 0..page.units.len() {
                hash ^= version_share(asked, length, page, index, 0);
            }
        }
        (hash, parts)
    }
}

impl Sheet {
    fn new(asked: Asked<'_>, length: &Length, base: Base) -> Sheet {
        let pages = asked.space.pages(length, asked.rules).iter();
        let pages: Vec<SheetPage> = pages
            .map(|page| SheetPage::new(asked, length, page, base))
            .collect();
        let mut firsts = vec![Firsts::default()];
        firsts.extend(pages.iter().scan(Firsts::default(), |firsts, page| {
            let last = page.steps.last()?;
            firsts.count = firsts.count.max(last.count);
            firsts.base ^= last.base;
            firsts.have_registers |= last.has_registers;
            Some(*firsts)
        }));
        Sheet { pages, firsts }
    }

    /// How many pages lie wholly within the length, and whether it cuts one more.
    fn within(&self, length: &Length) -> (usize, bool) {
        let whole = self
            .pages
            .partition_point(|page| page_start(page.number + 1) <= length.size);
        let next = self.pages.get(whole);
        let cuts = next.is_some_and(|page| page.number < pages_for(length.size));
        (whole, cuts)
    }

    /// How many of the first `whole` pages are all at their last steps with this length.
    fn first(&self, length: &Length, whole: usize) -> usize {
        let firsts = &self.firsts[1..=whole];
        firsts.partition_point(|firsts| firsts.count <= length.count)
    }

    fn base(&self, asked: Asked<'_>, length: &Length, base: Base) -> u128 {
        let (whole, cuts) = self.within(length);
        let first = self.first(length, whole);
        let shares = self.pages[first..whole]
            .iter()
            .fold(self.firsts[first].base, |hash, page| {
                hash ^ page.step(length).base
            });
        if !cuts {
            return shares;
        }
        let page = &asked.space.pages(length, asked.rules)[whole];
        shares ^ asked.page_base(length, page, base)
    }

    fn parts(&self, asked: Asked<'_>, length: &Length, base: Base) -> Vec<Arc<Part>> {
        let (whole, cuts) = self.within(length);
        let spaces = asked.space.pages(length, asked.rules);
        let first = match self.first(length, whole) {
            first if self.firsts[first].have_registers => 0,
            first => first,
        };
        let made = self.pages[first..whole + usize::from(cuts)]
            .iter()
            .zip(&spaces[first..])
            .filter(|(page, _)| page.step(length).has_registers)
            .map(|(_, space)| asked.page_part(length, space, base));
        made.filter(|part| !part.registers.is_empty()).collect()
    }
}

impl SheetPage {
    fn new(asked: Asked<'_>, length: &Length, page: &PageSpace, base: Base) -> SheetPage {
        let mut counts = vec![0];
        if asked.rules.constraints.growth == GrowthFill::Written {
            let unit_size = asked.rules.tear.unit_size();
            for (index, unit) in page.units.iter().enumerate() {
                let end = page.sector(index, unit_size) * SECTOR_SIZE as u64 + unit_size as u64;
                let needed = unit.versions.iter().map(|version| version.0);
                let needed = needed.filter(|&count| count > 0);
                counts.extend(needed.filter(|&count| size_before(&asked.space.sizes, count) < end));
            }
            counts.sort_unstable();
            counts.dedup();
        }
        let step = |count: usize| {
            let length = Length {
                count,
                size: u64::MAX,
                ..*length
            };
            Step {
                count,
                base: asked.page_base(&length, page, base),
                has_registers: asked.has_registers(&length, page),
            }
        };
        SheetPage {
            number: page.page,
            steps: counts.into_iter().map(step).collect(),
        }
    }

    fn step(&self, length: &Length) -> &Step {
        let after = self
            .steps
            .partition_point(|step| step.count <= length.count);
        // The first step is that of no change at all.
        &self.steps[after - 1]
    }
}
