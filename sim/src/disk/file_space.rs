//! Invariants of a file's space: all that a crash may leave of one file, compiled once, chosen from often.
//!
//! What depends on no choice is done beforehand: the lengths, the versions of every unit, and the
//! content as it will be but for them. Units depend on the length only by the cuts that are in with it.

use std::sync::{Arc, OnceLock};

use super::chance::RegisterName;
use super::constraints::GrowthFill;
use super::content::Content;
use super::crash_content::{Length, Mood, size_before};
use super::extents::Kept;
use super::image_hash::page_share;
use super::inode::Inode;
use super::options::{PAGE_SIZE, SECTOR_SIZE};
use super::pending::{Change, Pending};
use super::rules::{ContentDraw, Rules};
use super::table::{Slot, page_of, page_start};
use super::units::{PageSpace, Unit, compile};

/// Changes that two forks of a file do not share, up to which their pages are compared.
const CHANGES_APART_MAX: usize = 16;

/// All that a crash may leave of one file.
pub(super) struct FileSpace {
    before: Arc<Inode>,
    /// The content but for its length and its unsettled pages.
    settled: Content,
    /// The lengths, oldest first, each with the number of changes it includes.
    pub(super) sizes: Vec<(usize, u64)>,
    unsettled: Vec<u64>,
    /// The positions of cuts in the list of changes.
    cuts: Vec<usize>,
    /// The unsettled pages, by the number of cuts that are in.
    pages: Vec<OnceLock<Vec<Arc<PageSpace>>>>,
    /// Those that are as they were at a point nearby, by the number of cuts that are in.
    known: Vec<Vec<Arc<PageSpace>>>,
    /// What is known of the settled pages.
    shares: OnceLock<SettledShares>,
}

/// What the settled pages share in an image's hash.
#[derive(Clone, Copy)]
struct SettledShares {
    all: u128,
    /// One more than the last page that is no hole.
    page_limit: u64,
}

/// What was chosen for a file before its pages.
#[derive(Debug)]
pub(super) struct Fate {
    pub(super) mood: Mood,
    pub(super) length: Length,
    pub(super) kept: Option<Kept>,
    /// Only a name is there.
    pub(super) is_unclean: bool,
}

impl Fate {
    /// The inode was never written.
    const UNCLEAN: Fate = Fate {
        mood: Mood::Oldest,
        length: Length::NONE,
        kept: None,
        is_unclean: true,
    };
}

impl FileSpace {
    /// What a crash may leave of this content.
    pub(super) fn new(inode: &Arc<Inode>, rules: &Rules, known: Option<&FileSpace>) -> FileSpace {
        let before = content_of(inode);
        let mut unsettled = before.dirty.clone();
        unsettled.extend(&before.lost);
        unsettled.sort_unstable();
        unsettled.dedup();
        let changes = before.pending.changes();
        let is_cut = |index: &usize| matches!(changes[*index].change, Change::Cut { .. });
        let cuts: Vec<usize> = (0..changes.len()).filter(is_cut).collect();
        let known = known.map_or_else(Vec::new, |known| known.pages_kept(before, &unsettled));
        FileSpace {
            known,
            settled: settled(before, &unsettled),
            sizes: before.size_versions(rules.size_unit()),
            unsettled,
            pages: (0..=cuts.len()).map(|_| OnceLock::new()).collect(),
            shares: OnceLock::new(),
            cuts,
            before: Arc::clone(inode),
        }
    }

    /// Whether this is what a crash may leave of that very inode.
    pub(super) fn is_of(&self, inode: &Arc<Inode>) -> bool {
        Arc::ptr_eq(&self.before, inode)
    }

    /// The compiled pages that are the same in a fork of this file.
    fn pages_kept(&self, fork: &Content, unsettled: &[u64]) -> Vec<Vec<Arc<PageSpace>>> {
        let before = self.before();
        let decides = |content: &Content| {
            (
                content.durable_size,
                content.size_settled,
                content.is_clean(),
            )
        };
        if decides(before) != decides(fork) {
            return Vec::new();
        }
        let (changes, changes_of_fork) = (before.pending.changes(), fork.pending.changes());
        let both = changes.iter().zip(changes_of_fork);
        let common = both.take_while(|(one, other)| one.is_same(other)).count();
        let apart = || changes[common..].iter().chain(&changes_of_fork[common..]);
        if apart().count() > CHANGES_APART_MAX {
            return Vec::new();
        }
        let is_kept = |page: u64| {
            let slots = (before.table.get(page), fork.table.get(page));
            unsettled.binary_search(&page).is_ok()
                && matches!(slots, (Some(slot), Some(fork)) if slot.fares_as(fork))
                && !apart().any(|entry| entry.change.pages().contains(&page))
        };
        let cuts = self.cuts.partition_point(|&cut| cut < common);
        let compiled = (0..=cuts).map(|cuts| match self.pages[cuts].get() {
            Some(pages) => &pages[..],
            None => self.known.get(cuts).map_or(&[][..], |pages| pages),
        });
        let kept = |pages: &[Arc<PageSpace>]| {
            let kept = pages.iter().filter(|space| is_kept(space.page));
            kept.map(Arc::clone).collect()
        };
        compiled.map(kept).collect()
    }

    /// The content before the crash.
    pub(super) fn before(&self) -> &Content {
        content_of(&self.before)
    }

    /// Chooses how the file fares as a whole, and its length.
    pub(super) fn fate(&self, draw: &mut ContentDraw<'_>) -> Fate {
        if draw.rules.may_lack_inode(self.before()) {
            let register = RegisterName::Inode { inode: draw.inode };
            if draw.chance.version(register, 2, 1) == 0 {
                return Fate::UNCLEAN;
            }
        }
        let mood = draw.mood(self.before());
        let length = self.length(mood, draw);
        Fate {
            mood,
            length,
            kept: self.kept(mood, &length, draw.horizon, draw.rules),
            is_unclean: false,
        }
    }

    /// Numbers of cuts that may be in, from none on.
    pub(super) fn sheets(&self) -> usize {
        self.pages.len()
    }

    /// Cuts that are in with this length.
    pub(super) fn cuts_in(&self, length: &Length) -> usize {
        self.cuts.partition_point(|&cut| cut < length.included)
    }

    /// The unsettled pages in order, each with what goes with this length.
    pub(super) fn pages(&self, length: &Length, rules: &Rules) -> &[Arc<PageSpace>] {
        let cuts = self.cuts_in(length);
        self.pages[cuts].get_or_init(|| {
            let known = self.known.get(cuts).map_or(&[][..], |pages| pages);
            let is_known = |page: u64| known.binary_search_by_key(&page, |known| known.page);
            let unknown = self.unsettled.iter().copied();
            let unknown: Vec<u64> = unknown.filter(|&page| is_known(page).is_err()).collect();
            let compiled = compile(self.before(), &unknown, length.included, rules);
            let mut pages = known.to_vec();
            pages.extend(compiled.into_iter().map(Arc::new));
            pages.sort_unstable_by_key(|space| space.page);
            pages
        })
    }

    /// The content before any unsettled page is chosen.
    pub(super) fn settled(&self) -> &Content {
        &self.settled
    }

    /// What the settled pages share in the hash of an image in which the file has this size.
    pub(super) fn settled_share(&self, inode: u64, size: u64) -> u128 {
        let share = |page: u64, slot: &Slot| {
            let digests = slot.cached().map(|page| page.sectors());
            page_share(inode, page, digests, slot.bad)
        };
        let table = &self.settled.table;
        let known = *self.shares.get_or_init(|| {
            let filled = table.iter().filter(|(_, slot)| slot.cached().is_some());
            SettledShares {
                all: table
                    .iter()
                    .fold(0, |hash, (page, slot)| hash ^ share(page, slot)),
                page_limit: filled.last().map_or(0, |(page, _)| page + 1),
            }
        });
        let beyond = page_of(size)..known.page_limit;
        beyond.fold(known.all, |hash, page| {
            let Some(slot) = table.get(page).filter(|slot| slot.cached().is_some()) else {
                return hash;
            };
            let kept = (size.saturating_sub(page_start(page)) as usize).min(PAGE_SIZE);
            let mut cut = slot.clone();
            cut.page_mut()[kept..].fill(0);
            let after = if kept == 0 { 0 } else { share(page, &cut) };
            hash ^ share(page, slot) ^ after
        })
    }

    /// Chooses everything: the content that the crash leaves, durable.
    pub(super) fn settle(&self, draw: &mut ContentDraw<'_>) -> Content {
        let fate = self.fate(draw);
        self.settle_as(&fate, draw)
    }

    /// As [`FileSpace::settle`], after this much was chosen.
    pub(super) fn settle_as(&self, fate: &Fate, draw: &mut ContentDraw<'_>) -> Content {
        if fate.is_unclean {
            return Content {
                pending: self.settled.pending.clone(),
                is_unclean: true,
                inode_is_durable: true,
                ..Content::default()
            };
        }
        let mut content = self.settled.clone();
        let pages = self.pages(&fate.length, draw.rules);
        let mut slots = Vec::with_capacity(pages.len());
        for space in pages {
            let (image, bad) = space.image(self, fate, draw);
            let below = self.settled.table.get(space.page);
            let mut slot = below.cloned().unwrap_or_default();
            slot.durable = image;
            (slot.bad, slot.bad_durable) = (bad, bad);
            if slot.allocated && !slot.needs_space() {
                slot.allocated = false;
                content.allocated_pages -= 1;
            }
            slots.push((space.page, slot));
        }
        content.table.lay_over(slots);
        content.size = fate.length.size;
        content.trim_to_size();
        content.settle_size();
        content
    }

    /// The oldest version of a unit that goes with the length: where lengths follow their bytes, the
    /// bytes that it takes in are there.
    pub(super) fn least(&self, length: &Length, unit: &Unit, sector: u64, rules: &Rules) -> usize {
        if rules.constraints.growth != GrowthFill::Written {
            return 0;
        }
        let end = sector * SECTOR_SIZE as u64 + rules.tear.unit_size() as u64;
        let needed = |version: &(usize, Vec<u8>)| {
            version.0 > 0 && version.0 <= length.count && size_before(&self.sizes, version.0) < end
        };
        unit.versions.iter().rposition(needed).unwrap_or(0)
    }
}

fn content_of(inode: &Inode) -> &Content {
    inode
        .content()
        .expect("only a file has a content for a crash to choose")
}

/// The content with nothing pending, and holes in place of unsettled pages.
fn settled(before: &Content, unsettled: &[u64]) -> Content {
    let sequence = before.pending.next_sequence();
    let mut content = Content {
        table: before.table.clone(),
        pending: Pending::from_sequence(sequence),
        allocated_pages: before.allocated_pages,
        misreads: before.misreads.clone(),
        inode_is_durable: true,
        is_unclean: before.is_unclean,
        ..Content::default()
    };
    for &page in unsettled {
        let slot = content.table.slot_mut(page);
        slot.durable = None;
        slot.show_durable();
        (slot.bad, slot.bad_durable) = (0, 0);
        (slot.dirty, slot.lost) = (false, false);
        slot.reserved = slot.reserved_durable;
        slot.settled = sequence;
    }
    content.table = content.table.shared();
    content
}
