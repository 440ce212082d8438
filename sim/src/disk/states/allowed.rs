//! Steps: may this image occur here: names that match it are looked for, and for each file a length and outcomes that do.
//!
//! Inode numbers of the image mean nothing, so that it may come from elsewhere: paths lead to files, and
//! two paths to one file must lead to one file there. Where names are free of one another, the search
//! goes back and forth between those that match; its time is that of the names that are unsynced *and*
//! lead to files that look the same.

use std::collections::BTreeMap;

use super::outcomes::{Asked, LengthOutcome};
use super::shares::{extent_share, garbage_share, unit_share, version_share};
use crate::disk::constraints::MetadataOrder;
use crate::disk::content::Content;
use crate::disk::crash_names::{Entry, NameChoice};
use crate::disk::crash_point::{CrashPoint, Ground};
use crate::disk::image_hash::{PAGE_SECTORS, page_share, sector_share};
use crate::disk::inode::{Ino, ROOT};
use crate::disk::moment::Moment;
use crate::disk::mount::Mount;
use crate::disk::table::pages_for;
use crate::disk::tear::Tear;
use crate::disk::units::{PageSpace, Pick};
use crate::disk::volume::Disk;

impl CrashPoint {
    /// Whether the crash may leave what this disk shows: the same paths, links, sizes, bytes and
    /// unreadable sectors.
    #[must_use]
    pub fn allows(&self, image: &Disk) -> bool {
        let mut image = image.clone();
        image.determine_all();
        self.grounds().iter().any(|ground| ground.allows(&image))
    }
}

impl Ground {
    fn allows(&self, image: &Disk) -> bool {
        if self.disk().mount() == Mount::Gone {
            return image.mount() == Mount::Gone;
        }
        if image.mount() == Mount::Gone {
            return self.rules.may_be_gone();
        }
        let mut choice = self.choice();
        if self.kills() {
            choice.end_history(&[], 0);
            return Matching::new(self, image, Moment::END).matches(&choice);
        }
        if choice.metadata() == MetadataOrder::Synced {
            return Matching::new(self, image, Moment::END).matches(&choice);
        }
        if choice.metadata() == MetadataOrder::Free {
            let mut matching = Matching::new(self, image, Moment::END);
            return matching.find(&mut choice, &mut vec![(ROOT, ROOT)]);
        }
        (0..=self.moments().len()).any(|cut| {
            let mut choice = self.choice();
            let horizon = choice.end_history(self.moments(), cut);
            choice.repair();
            Matching::new(self, image, horizon).matches(&choice)
        })
    }
}

/// Which inodes of the image stand for which of the disk, so far.
struct Matching<'a> {
    ground: &'a Ground,
    image: &'a Disk,
    horizon: Moment,
    there: BTreeMap<Ino, Ino>,
    here: BTreeMap<Ino, Ino>,
    /// Whether a file may look like one of the image.
    alike: BTreeMap<(Ino, Ino), bool>,
}

impl<'a> Matching<'a> {
    fn new(ground: &'a Ground, image: &'a Disk, horizon: Moment) -> Matching<'a> {
        Matching {
            ground,
            image,
            horizon,
            there: BTreeMap::from([(ROOT, ROOT)]),
            here: BTreeMap::from([(ROOT, ROOT)]),
            alike: BTreeMap::new(),
        }
    }

    /// Whether these names lead to what the image shows.
    fn matches(&mut self, choice: &NameChoice<'_>) -> bool {
        let mut ahead = vec![(ROOT, ROOT)];
        while let Some((dir, image_dir)) = ahead.pop() {
            let entries = choice.entries(dir);
            let image_entries = &self.image.directory(image_dir).cached;
            if !entries.keys().eq(image_entries.keys()) {
                return false;
            }
            for (&target, &image_target) in entries.values().zip(image_entries.values()) {
                match self.pair(target, image_target) {
                    None => return false,
                    Some(is_new) => {
                        if is_new && self.image.inode(image_target).is_dir() {
                            ahead.push((target, image_target));
                        }
                    }
                }
            }
        }
        true
    }

    /// Lets one inode of the image stand for one of the disk; whether it did not before, or none when
    /// it cannot.
    fn pair(&mut self, target: Ino, image_target: Ino) -> Option<bool> {
        match (self.there.get(&target), self.here.get(&image_target)) {
            (None, None) => {}
            (Some(&there), Some(&here)) if (there, here) == (image_target, target) => {
                return Some(false);
            }
            _ => return None,
        }
        let disk = self.ground.disk();
        if disk.inode(target).is_dir() != self.image.inode(image_target).is_dir() {
            return None;
        }
        if !disk.inode(target).is_dir() && !self.is_alike(target, image_target) {
            return None;
        }
        self.there.insert(target, image_target);
        self.here.insert(image_target, target);
        Some(true)
    }

    fn unpair(&mut self, target: Ino, image_target: Ino) {
        self.there.remove(&target);
        self.here.remove(&image_target);
    }

    /// Looks for names, each free of the others, that lead to what the image shows below these
    /// directories.
    fn find(&mut self, choice: &mut NameChoice<'a>, ahead: &mut Vec<(Ino, Ino)>) -> bool {
        let Some((dir, image_dir)) = ahead.pop() else {
            let unseen = choice.entries_outside(|dir| self.there.contains_key(&dir));
            return find_unseen(choice, &unseen);
        };
        let mut entries = choice.all_entries(dir);
        let image_entries = &self.image.directory(image_dir).cached;
        let is_known = |name| entries.iter().any(|entry| entry.name() == name);
        let found = image_entries.keys().all(is_known)
            && self.find_entries(choice, &mut entries, image_dir, ahead);
        ahead.push((dir, image_dir));
        found
    }

    /// As [`Matching::find`], after these entries of one more directory.
    fn find_entries(
        &mut self,
        choice: &mut NameChoice<'a>,
        entries: &mut Vec<Entry<'a>>,
        image_dir: Ino,
        ahead: &mut Vec<(Ino, Ino)>,
    ) -> bool {
        let Some(entry) = entries.pop() else {
            return self.find(choice, ahead);
        };
        let shown = self
            .image
            .directory(image_dir)
            .cached
            .get(entry.name())
            .copied();
        let mut found = false;
        for (version, target) in choice.versions_of(entry) {
            choice.choose(entry, version);
            found = match (target, shown) {
                (None, None) => self.find_entries(choice, entries, image_dir, ahead),
                (Some(target), Some(shown)) => match self.pair(target, shown) {
                    None => false,
                    Some(is_new) => {
                        let is_dir = is_new && self.image.inode(shown).is_dir();
                        if is_dir {
                            ahead.push((target, shown));
                        }
                        let found = self.find_entries(choice, entries, image_dir, ahead);
                        if is_dir {
                            ahead.pop();
                        }
                        if is_new && !found {
                            self.unpair(target, shown);
                        }
                        found
                    }
                },
                _ => false,
            };
            if found {
                break;
            }
        }
        entries.push(entry);
        found
    }

    /// Whether the file may look like one of the image.
    fn is_alike(&mut self, ino: Ino, image_ino: Ino) -> bool {
        if let Some(&known) = self.alike.get(&(ino, image_ino)) {
            return known;
        }
        let image = self.image.content(image_ino);
        let alike = match self.ground.files().get(&ino) {
            None => self.ground.disk().content(ino).shows_as(ino, image),
            Some(space) => {
                let asked = Asked {
                    inode: ino.0,
                    space,
                    rules: &self.ground.rules,
                    horizon: self.horizon,
                };
                let mut lengths = asked.lengths().into_iter();
                lengths.any(|outcome| asked.may_show(&outcome, image))
            }
        };
        self.alike.insert((ino, image_ino), alike);
        alike
    }
}

/// Looks for versions of entries that no path leads to, with which the names break no rule.
fn find_unseen<'a>(choice: &mut NameChoice<'a>, unseen: &[Entry<'a>]) -> bool {
    let Some((&entry, rest)) = unseen.split_first() else {
        return choice.breaks_no_rule();
    };
    let versions = choice.versions_of(entry);
    versions.into_iter().any(|(version, _)| {
        choice.choose(entry, version);
        find_unseen(choice, rest)
    })
}

impl Content {
    fn shows_as(&self, ino: Ino, image: &Content) -> bool {
        let pages = |content: &Content| {
            let pages = 0..pages_for(content.size);
            pages.fold(0, |hash, page| hash ^ content.share(ino.0, page))
        };
        (self.size, self.is_unclean) == (image.size, image.is_unclean)
            && pages(self) == pages(image)
    }

    /// What a page shares in the hash of an image, as a page of this inode.
    fn share(&self, inode: u64, page: u64) -> u128 {
        let Some(slot) = self.table.get(page) else {
            return 0;
        };
        let digests = slot.cached().map(|page| page.sectors());
        page_share(inode, page, digests, slot.bad)
    }
}

impl Asked<'_> {
    /// Whether the file may have this length and look like one of an image.
    fn may_show(self, outcome: &LengthOutcome, image: &Content) -> bool {
        let length = &outcome.length;
        if outcome.is_unclean() || image.is_unclean {
            return outcome.is_unclean() && image.is_unclean;
        }
        if length.size != image.size {
            return false;
        }
        let pages = self.space.pages(length, self.rules);
        let pages = &pages[..pages.partition_point(|page| page.page < pages_for(length.size))];
        let is_open = |page: &u64| pages.binary_search_by_key(page, |open| open.page).is_ok();
        let settled = (0..pages_for(length.size))
            .filter(|page| !is_open(page))
            .fold(0, |hash, page| hash ^ image.share(self.inode, page));
        if settled != self.space.settled_share(self.inode, length.size) {
            return false;
        }
        let mood = self.rules.widest_mood(self.space.before(), self.horizon);
        let kept = self.space.kept(mood, length, self.horizon, self.rules);
        let Some(kept) = kept else {
            return pages
                .iter()
                .all(|page| self.page_may_show(outcome, page, image));
        };
        let mut rest: Vec<&PageSpace> = pages.iter().map(|page| &**page).collect();
        for extent in kept.extents() {
            let inside = extent.take_pages(&mut rest);
            let shown = inside
                .iter()
                .fold(0, |hash, page| hash ^ image.share(self.inode, page.page));
            let mut cuts = extent.cuts();
            if !cuts.any(|cut| extent_share(self, length, extent, cut, &inside) == shown) {
                return false;
            }
        }
        rest.into_iter().all(|page| {
            let units = 0..page.units.len();
            let share = units.fold(0, |hash, index| {
                hash ^ version_share(self, length, page, index, 0)
            });
            share == image.share(self.inode, page.page)
        })
    }

    fn page_may_show(self, outcome: &LengthOutcome, page: &PageSpace, image: &Content) -> bool {
        let length = &outcome.length;
        let spoils = self.rules.tear == Tear::GarbagePage;
        let is_spoilt = |pick| spoils && pick == Pick::Damaged;
        let mut may_be_spoilt = false;
        let mut fits = true;
        for index in 0..page.units.len() {
            let shown = image.unit_share(self, page, index);
            let outcomes = self.unit(length, page, index);
            may_be_spoilt |= outcomes.iter().any(|outcome| is_spoilt(outcome.pick));
            fits &= outcomes.iter().any(|outcome| {
                !is_spoilt(outcome.pick) && unit_share(self, length, page, index, outcome) == shown
            });
        }
        let garbage = || garbage_share(self, length, page) == image.share(self.inode, page.page);
        fits || (may_be_spoilt && garbage())
    }
}

impl Content {
    /// What a unit of an image shares, as one of the file that is asked about.
    fn unit_share(&self, asked: Asked<'_>, page: &PageSpace, index: usize) -> u128 {
        let Some(slot) = self.table.get(page.page) else {
            return 0;
        };
        let sectors = PAGE_SECTORS / page.units.len();
        let within = index * sectors..(index + 1) * sectors;
        within.fold(0, |hash, sector| {
            let digest = slot.cached().map_or(0, |page| page.sectors()[sector]);
            let is_bad = slot.bad & (1 << sector) != 0;
            let number = page.page * PAGE_SECTORS as u64 + sector as u64;
            hash ^ sector_share(asked.inode, number, digest, is_bad)
        })
    }
}
