//! Steps: a crash chooses names, frees what no name reaches, then chooses each file's content.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::chance::Chance;
use super::content::Content;
use super::crash_point::CrashPoint;
use super::freed::FreedPages;
use super::inode::{Ino, ROOT};
use super::options::{CrashKind, CrashReport};
use super::rules::Rules;
use super::volume::Disk;
use crate::planted::{self, Plant};

impl Disk {
    /// The machine dies. Handles and locks are gone; what remains of unsynced changes is chosen by
    /// `chance` within the profile, and is durable afterwards. A process kill loses nothing
    /// written, and leaves unsynced what was unsynced.
    pub fn crash(&mut self, kind: CrashKind, chance: &mut dyn Chance) -> CrashReport {
        let spares_all = kind == CrashKind::PowerCut && planted::on(Plant::UnsyncedSurvives);
        let kind = if spares_all {
            CrashKind::ProcessKill
        } else {
            kind
        };
        let (disk, report) = CrashPoint::new(self, kind).crash(chance);
        *self = disk;
        report
    }

    /// The process ends: its handles and locks go, and nothing else does.
    pub(super) fn drop_process(&mut self) {
        self.drop_descriptions();
        self.mirror(Disk::drop_descriptions);
    }

    /// Brings every inode's count of names in line with the entries that can be reached from the
    /// root; the inodes that cannot.
    pub(super) fn count_names(&mut self) -> Vec<Ino> {
        let mut links: BTreeMap<Ino, u32> = BTreeMap::from([(ROOT, 1)]);
        let mut ahead = vec![ROOT];
        while let Some(ino) = ahead.pop() {
            for &target in self.directory(ino).durable.values() {
                let count = links.entry(target).or_insert(0);
                *count += 1;
                if *count == 1 && self.inode(target).is_dir() {
                    ahead.push(target);
                }
            }
        }
        let mut unreachable = Vec::new();
        let all: Vec<(Ino, u32, u32)> = self
            .inodes
            .iter()
            .map(|(&ino, inode)| (ino, inode.links, inode.holders))
            .collect();
        for (ino, old_links, old_holders) in all {
            match links.get(&ino) {
                None => unreachable.push(ino),
                Some(&count) if (count, count) != (old_links, old_holders) => {
                    let inode = self.inode_mut(ino);
                    inode.links = count;
                    inode.holders = count;
                }
                Some(_) => {}
            }
        }
        unreachable
    }

    pub(super) fn free_unreachable(&mut self, unreachable: &[Ino], freed: &mut FreedPages) {
        for &ino in unreachable {
            if !self.inode(ino).is_dir() {
                self.change_content(ino, |content, _, _| content.release(freed));
            }
            Arc::make_mut(&mut self.inodes).remove(&ino);
        }
    }
}

impl Rules {
    /// Whether a crash may change a file, or forgets what its handles were to be told.
    pub(super) fn is_unsettled(&self, content: &Content) -> bool {
        !content.is_clean()
            || !content.lost.is_empty()
            || content.write_errors > 0
            || self.may_lack_inode(content)
    }
}
