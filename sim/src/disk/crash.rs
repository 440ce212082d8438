//! Steps: a crash chooses names, frees what no name reaches, then chooses each file's content.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::chance::Chance;
use super::content::Content;
use super::crash_content::ContentDraw;
use super::crash_names::NameChoice;
use super::freed::FreedPages;
use super::inode::{Ino, ROOT};
use super::moment::Moment;
use super::options::{CrashKind, CrashReport};
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
        if kind == CrashKind::PowerCut {
            self.lose_drive_cache(chance);
        }
        let mut report = CrashReport::default();
        let before = self.inodes.len();
        self.drop_descriptions();
        if kind == CrashKind::ProcessKill {
            self.mirror(Disk::drop_descriptions);
        } else {
            let horizon = self.settle_names(chance, &mut report);
            let unreachable = self.count_names();
            // Blocks that the crash itself frees are not reused by it, so their bytes are not stale
            // yet when contents are chosen.
            let mut freed = self.freed.clone();
            self.free_unreachable(&unreachable, &mut freed);
            self.settle_contents(kind, horizon, chance, &mut report);
            self.freed = freed;
            self.drain_drive();
        }
        report.inodes_freed = (before - self.inodes.len()) as u64;
        report
    }

    fn drop_descriptions(&mut self) {
        for (_, description) in std::mem::take(&mut self.descriptions).iter() {
            self.drop_open(description.ino);
        }
        for ino in std::mem::take(&mut self.locks).values() {
            self.drop_open(*ino);
        }
    }

    /// Chooses the names; says where the history of metadata ends.
    fn settle_names(&mut self, chance: &mut dyn Chance, report: &mut CrashReport) -> Moment {
        let mut choice = NameChoice::new(self);
        let horizon = choice.draw(chance);
        choice.repair();
        choice.count(report);
        for (ino, entries) in choice.images() {
            let directory = self.directory_mut(ino);
            directory.pending.clear();
            directory.cached = entries.clone();
            directory.durable = entries;
        }
        Arc::make_mut(&mut self.moves).clear();
        horizon
    }

    /// Brings every inode's count of names in line with the entries that can be reached from the
    /// root; the inodes that cannot.
    fn count_names(&mut self) -> Vec<Ino> {
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

    fn free_unreachable(&mut self, unreachable: &[Ino], freed: &mut FreedPages) {
        for &ino in unreachable {
            if !self.inode(ino).is_dir() {
                self.change_content(ino, |content, _, _| content.release(freed));
            }
            Arc::make_mut(&mut self.inodes).remove(&ino);
        }
    }

    fn settle_contents(
        &mut self,
        kind: CrashKind,
        horizon: Moment,
        chance: &mut dyn Chance,
        report: &mut CrashReport,
    ) {
        let (constraints, tear) = (self.constraints(), self.options.tear);
        let unsettled = |content: &Content| {
            !content.is_clean() || !content.lost.is_empty() || content.write_errors > 0
        };
        for ino in self.files_where(unsettled) {
            self.change_content(ino, |content, _, freed| {
                let mut draw = ContentDraw {
                    inode: ino.0,
                    constraints,
                    horizon,
                    tear,
                    kind,
                    freed,
                    chance,
                    report,
                };
                content.crash(&mut draw);
            });
        }
    }
}
