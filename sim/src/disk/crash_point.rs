//! Steps: a disk at the moment of its crash is compiled once; crashes are chosen from that, whole or as they are read.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::chance::{Chance, RegisterName};
use super::choices::Choices;
use super::crash_names::{NameChoice, NameVersions};
use super::file_space::FileSpace;
use super::inode::Ino;
use super::moment::Moment;
use super::mount::Mount;
use super::options::{CrashKind, CrashReport};
use super::rules::{ContentDraw, Rules};
use super::states::NamePlan;
use super::undetermined::Undetermined;
use super::volume::Disk;

/// One power cut in so many leaves nothing to mount, where any does.
const MOUNTS: u64 = 8;

/// Choices of names remembered with the disk that each leads to.
const REMEMBERED: usize = 256;

/// A disk at the moment when its machine dies: every state that this crash may leave.
///
/// One relation says which those are. [`CrashPoint::crash`] draws one of them,
/// [`CrashPoint::lazily`] lets reads choose among them, [`CrashPoint::images`] lists them, and
/// [`CrashPoint::allows`] recognises them.
pub struct CrashPoint {
    kind: CrashKind,
    grounds: Vec<Ground>,
}

/// What the crash strikes: the disk, or what a lying drive made of it.
pub(super) struct Ground {
    before: Disk,
    pub(super) rules: Arc<Rules>,
    /// When unsynced metadata was issued, where all of it is one history.
    moments: Vec<Moment>,
    /// Inodes while handles still led to some.
    inodes_before: usize,
    files: OnceLock<Spaces>,
    /// The files of a point nearby under the same rules, as far as they were compiled.
    known: Spaces,
    named: Mutex<BTreeMap<(Moment, NameVersions), Arc<Named>>>,
    /// The one choice of names, where there is one only.
    alone: OnceLock<Arc<Named>>,
    plan: OnceLock<Option<NamePlan>>,
    kills: bool,
}

/// What a crash may leave of files.
pub(super) type Spaces = Arc<BTreeMap<Ino, Arc<FileSpace>>>;

/// A disk whose names are chosen, and whose files are not.
pub(super) struct Named {
    /// With stand-ins in the place of the files.
    pub(super) disk: Disk,
    pub(super) horizon: Moment,
    pub(super) files: Spaces,
    report: CrashReport,
}

impl CrashPoint {
    /// The states that a crash of this kind may leave of `disk`.
    #[must_use]
    pub fn new(disk: &Disk, kind: CrashKind) -> CrashPoint {
        CrashPoint::compile(disk, kind, &[])
    }

    /// The states that a crash of the same kind may leave of `disk`, a fork of this point's disk from
    /// before or after. What is the same on both is not compiled again.
    #[must_use]
    pub fn next(&self, disk: &Disk) -> CrashPoint {
        CrashPoint::compile(disk, self.kind, &self.grounds)
    }

    /// How the machine dies.
    #[must_use]
    pub fn kind(&self) -> CrashKind {
        self.kind
    }

    fn compile(disk: &Disk, kind: CrashKind, known: &[Ground]) -> CrashPoint {
        let mut disk = disk.clone();
        disk.determine_all();
        let disks = match kind {
            CrashKind::PowerCut => disk.behind_drive(),
            CrashKind::KernelPanic | CrashKind::ProcessKill => vec![disk],
        };
        // Of the disks behind a drive, the last is the one that went on.
        let known = known.iter().rev().map(Some).chain(std::iter::repeat(None));
        let grounds = disks.into_iter().rev().zip(known);
        let mut grounds: Vec<Ground> = grounds
            .map(|(disk, known)| Ground::new(disk, kind, known))
            .collect();
        grounds.reverse();
        CrashPoint { kind, grounds }
    }

    /// Chooses everything at once: the disk after the crash.
    pub fn crash(&self, chance: &mut dyn Chance) -> (Disk, CrashReport) {
        let (ground, named) = self.draw_names(chance);
        let mut disk = named.disk.clone();
        let mut report = named.report;
        for (&ino, space) in named.files.iter() {
            let content = space.settle(&mut ContentDraw {
                inode: ino.0,
                rules: &ground.rules,
                horizon: named.horizon,
                chance,
                report: &mut report,
            });
            disk.place(ino, content);
        }
        if !ground.kills {
            disk.drain_drive();
        }
        (disk, report)
    }

    /// Chooses the names at once, since the first path that is looked up looks at them, and leaves
    /// every file open until it is read: a length and the units of the range that a read covers are
    /// fixed by that read. Whatever changes a file fixes all of it first; a sync of a file that did
    /// not change, and its removal, fix nothing.
    ///
    /// Forks of the disk share the choices. Blocks of a file that is removed unread do not show up
    /// again as former bytes of others.
    #[must_use]
    pub fn lazily(&self, choices: &Choices) -> Disk {
        let (ground, named) = self.draw_names(&mut *choices.record());
        let mut disk = named.disk.clone();
        if !named.files.is_empty() {
            disk.undetermined = Some(Undetermined {
                rules: Arc::clone(&ground.rules),
                horizon: named.horizon,
                files: Arc::clone(&named.files),
                choices: choices.clone(),
            });
        }
        if !ground.kills {
            disk.drain_drive();
        }
        disk
    }

    /// Chooses what the crash strikes, and whether nothing of it can be mounted.
    pub(super) fn draw_ground(&self, chance: &mut dyn Chance) -> (&Ground, bool) {
        let index = match self.grounds.len() {
            1 => 0,
            count => chance.below(RegisterName::Drive, count as u64) as usize,
        };
        let ground = &self.grounds[index];
        let is_gone =
            ground.rules.may_be_gone() && chance.below(RegisterName::Mount, MOUNTS) == MOUNTS - 1;
        (ground, is_gone)
    }

    /// Chooses what the crash strikes, and its names.
    fn draw_names(&self, chance: &mut dyn Chance) -> (&Ground, Arc<Named>) {
        let (ground, is_gone) = self.draw_ground(chance);
        let named = if is_gone {
            Arc::new(ground.gone())
        } else {
            ground.draw_names(chance)
        };
        (ground, named)
    }

    pub(super) fn grounds(&self) -> &[Ground] {
        &self.grounds
    }
}

impl Ground {
    fn new(mut disk: Disk, kind: CrashKind, known: Option<&Ground>) -> Ground {
        let kills = kind == CrashKind::ProcessKill;
        let inodes_before = disk.inodes.len();
        let moments = if kills {
            disk.drop_process();
            Vec::new()
        } else {
            disk.drop_descriptions();
            disk.lose_all_that_has_no_room();
            disk.boot();
            disk.moments()
        };
        // Blocks that the crash itself frees are not reused by it, so their bytes are not stale yet.
        let rules = Rules {
            constraints: disk.constraints(),
            tear: disk.options.tear,
            kind,
            freed: disk.freed.clone(),
        };
        let (rules, known) = match known.filter(|known| known.rules.is_same(&rules)) {
            Some(known) => (Arc::clone(&known.rules), known.known_files()),
            None => (Arc::new(rules), Arc::default()),
        };
        Ground {
            before: disk,
            rules,
            moments,
            inodes_before,
            files: OnceLock::new(),
            known,
            named: Mutex::default(),
            alone: OnceLock::new(),
            plan: OnceLock::new(),
            kills,
        }
    }

    /// Chooses the names.
    fn draw_names(&self, chance: &mut dyn Chance) -> Arc<Named> {
        if let Some(alone) = self.alone.get() {
            return Arc::clone(alone);
        }
        let (choice, horizon) = self.draw_choice(chance);
        self.named_as(&choice, horizon)
    }

    /// Chooses the names, as versions of entries, and where the history of metadata ends.
    pub(super) fn draw_choice(&self, chance: &mut dyn Chance) -> (NameChoice<'_>, Moment) {
        let mut choice = NameChoice::new(&self.before);
        if self.kills || (choice.is_empty() && self.moments.is_empty()) {
            return (choice, Moment::END);
        }
        let horizon = choice.draw(&self.moments, chance);
        choice.repair();
        (choice, horizon)
    }

    /// The disk with these names, remembered.
    pub(super) fn named_as(&self, choice: &NameChoice<'_>, horizon: Moment) -> Arc<Named> {
        if self.kills || (choice.is_empty() && self.moments.is_empty()) {
            let alone = || Arc::new(self.named(choice, horizon));
            return Arc::clone(self.alone.get_or_init(alone));
        }
        let key = (horizon, choice.versions());
        let mut named = self.named.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = named.get(&key) {
            return Arc::clone(known);
        }
        if named.len() == REMEMBERED {
            named.clear();
        }
        let new = Arc::new(self.named(choice, horizon));
        named.insert(key, Arc::clone(&new));
        new
    }

    /// What choices of names have in common, for lists of images; made when first asked for.
    pub(super) fn plan(&self, new: impl FnOnce() -> Option<NamePlan>) -> Option<&NamePlan> {
        if self.kills {
            return None;
        }
        self.plan.get_or_init(new).as_ref()
    }

    /// A disk that cannot be mounted.
    fn gone(&self) -> Named {
        let mut disk = self.before.clone();
        disk.mount = Mount::Gone;
        Named {
            disk,
            horizon: Moment::END,
            files: Arc::default(),
            report: CrashReport::default(),
        }
    }

    /// The disk before the crash, without its handles.
    pub(super) fn disk(&self) -> &Disk {
        &self.before
    }

    /// Whether only the process ends, and nothing is lost.
    pub(super) fn kills(&self) -> bool {
        self.kills
    }

    /// The names as they are before the crash, all of them as synced.
    pub(super) fn choice(&self) -> NameChoice<'_> {
        NameChoice::new(&self.before)
    }

    pub(super) fn moments(&self) -> &[Moment] {
        &self.moments
    }

    /// The disk with these names, and the files that are left open.
    fn named(&self, choice: &NameChoice<'_>, horizon: Moment) -> Named {
        let mut disk = self.before.clone();
        let mut report = CrashReport::default();
        let mut files = Arc::default();
        if !self.kills {
            choice.count(&mut report);
            disk.set_names(choice.images());
            let unreachable = disk.count_names();
            let mut freed = disk.freed.clone();
            disk.free_unreachable(&unreachable, &mut freed);
            disk.freed = freed;
            files = self.files_of(&disk);
        }
        report.inodes_freed = (self.inodes_before - disk.inodes.len()) as u64;
        for (ino, space) in files.iter() {
            let stand_in = disk.inode(*ino).stand_in(space);
            Arc::make_mut(&mut disk.inodes).insert(*ino, Arc::new(stand_in));
        }
        Named {
            disk,
            horizon,
            files,
            report,
        }
    }

    /// The files that are not settled.
    pub(super) fn files(&self) -> &Spaces {
        self.files.get_or_init(|| {
            if self.kills {
                return Arc::default();
            }
            let unsettled = self
                .before
                .files_where(|content| self.rules.is_unsettled(content));
            let space = |ino: Ino| {
                let inode = &self.before.inodes[&ino];
                let space = match self.known.get(&ino) {
                    Some(known) if known.is_of(inode) => Arc::clone(known),
                    known => {
                        let known = known.map(|known| &**known);
                        Arc::new(FileSpace::new(inode, &self.rules, known))
                    }
                };
                (ino, space)
            };
            Arc::new(unsettled.into_iter().map(space).collect())
        })
    }

    fn known_files(&self) -> Spaces {
        Arc::clone(self.files.get().unwrap_or(&self.known))
    }

    fn files_of(&self, disk: &Disk) -> Spaces {
        let all = self.files();
        if all.keys().all(|ino| disk.inodes.contains_key(ino)) {
            return Arc::clone(all);
        }
        let alive = all.iter().filter(|(ino, _)| disk.inodes.contains_key(ino));
        Arc::new(
            alive
                .map(|(&ino, space)| (ino, Arc::clone(space)))
                .collect(),
        )
    }
}

impl fmt::Debug for CrashPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CrashPoint")
            .field("grounds", &self.grounds.len())
            .finish_non_exhaustive()
    }
}
