//! Invariants of hashed names: what a choice of names adds to an image's hash is known without a disk that has them.
//!
//! The names as calls see them are the start: entries that show something else change it by two shares
//! each, files that no name leads to any more by one. This holds while no name of a directory is
//! unsynced; else the disk is made.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::disk::chance::Chance;
use crate::disk::crash_names::NameChoice;
use crate::disk::crash_point::{CrashPoint, Ground, Spaces};
use crate::disk::image_hash::{entry_share, gone_share};
use crate::disk::inode::Ino;
use crate::disk::moment::Moment;

/// Names that were chosen, as far as images are listed.
pub(super) struct HashedNames<'a> {
    pub(super) ground: &'a Ground,
    /// The shares of all but the files that are left open.
    pub(super) hash: u128,
    pub(super) horizon: Moment,
    pub(super) files: Cow<'a, Spaces>,
}

/// What choices of names of one disk have in common.
pub(in crate::disk) struct NamePlan {
    /// The shares of directories as calls see them, and of files that some name always leads to.
    fixed: u128,
    /// Files to which unsynced names lead or led.
    files: BTreeMap<Ino, Named>,
}

struct Named {
    /// Names that lead here whatever is chosen.
    links: u32,
    /// The share of the file, but for one that is left open.
    share: u128,
    is_open: bool,
}

impl CrashPoint {
    /// Chooses what the crash strikes, and its names.
    pub(super) fn hashed_names(&self, chance: &mut dyn Chance) -> HashedNames<'_> {
        let (ground, is_gone) = self.draw_ground(chance);
        if is_gone {
            return HashedNames {
                ground,
                hash: gone_share(),
                horizon: Moment::END,
                files: Cow::Owned(Spaces::default()),
            };
        }
        ground.hashed_names(chance)
    }
}

impl Ground {
    fn hashed_names(&self, chance: &mut dyn Chance) -> HashedNames<'_> {
        let (choice, horizon) = self.draw_choice(chance);
        let plan = self.plan(|| NamePlan::new(self, &choice));
        let Some(plan) = plan else {
            let named = self.named_as(&choice, horizon);
            let is_open = |ino| named.files.contains_key(&ino);
            return HashedNames {
                ground: self,
                hash: named.disk.image_hash_but(is_open),
                horizon,
                files: Cow::Owned(named.files.clone()),
            };
        };
        let (hash, gone) = plan.hash(&choice);
        let mut files = Cow::Borrowed(self.files());
        if !gone.is_empty() {
            let left = files.iter().filter(|(ino, _)| !gone.contains(ino));
            let left = left.map(|(&ino, space)| (ino, space.clone()));
            files = Cow::Owned(Spaces::new(left.collect()));
        }
        HashedNames {
            ground: self,
            hash,
            horizon,
            files,
        }
    }
}

impl NamePlan {
    /// The plan, where no name of a directory is unsynced.
    fn new(ground: &Ground, choice: &NameChoice<'_>) -> Option<NamePlan> {
        let disk = ground.disk();
        let open = ground.files();
        let mut files = BTreeMap::new();
        for target in choice.targets() {
            let inode = disk.inode(target);
            if inode.is_dir() {
                return None;
            }
            files.entry(target).or_insert_with(|| {
                let is_open = open.contains_key(&target);
                Named {
                    links: inode.links,
                    share: if is_open { 0 } else { inode.shares(target) },
                    is_open,
                }
            });
        }
        for entry in choice.shown() {
            if let Some(target) = entry.newest
                && let Some(named) = files.get_mut(&target)
            {
                named.links -= 1;
            }
        }
        let fixed = disk.image_hash_but(|ino| open.contains_key(&ino) || files.contains_key(&ino));
        Some(NamePlan { fixed, files })
    }

    /// What these names add to an image's hash, and the files left open that none leads to.
    fn hash(&self, choice: &NameChoice<'_>) -> (u128, Vec<Ino>) {
        let mut hash = self.fixed;
        let mut reached: Vec<Ino> = Vec::new();
        for entry in choice.shown() {
            reached.extend(entry.chosen);
            if entry.chosen != entry.newest {
                let share = |target: Option<Ino>| {
                    target.map_or(0, |target| entry_share(entry.dir, entry.name, target))
                };
                hash ^= share(entry.chosen) ^ share(entry.newest);
            }
        }
        let mut gone = Vec::new();
        for (ino, named) in &self.files {
            if named.links > 0 || reached.contains(ino) {
                hash ^= named.share;
            } else if named.is_open {
                gone.push(*ino);
            }
        }
        (hash, gone)
    }
}
