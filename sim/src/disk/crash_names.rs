//! Invariants of names after a crash: a rename never loses the file; a directory moves whole, never into
//! itself, and goes only when empty.
//!
//! Each entry first gets any of its versions; then choices that break a rule fall back to older
//! versions, until none is broken. The oldest versions break no rule, so this ends.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use super::chance::{Chance, RegisterName};
use super::constraints::{Constraints, MetadataOrder};
use super::directory::{Cause, EntryChange, Name};
use super::inode::{Ino, ROOT};
use super::moment::Moment;
use super::options::CrashReport;
use super::volume::{DirectoryMove, Disk};
use crate::entropy::hash_bytes;

/// The versions of one entry, and how many pending ones of them are in.
struct Register<'a> {
    durable: Option<Ino>,
    changes: Vec<&'a EntryChange>,
    chosen: usize,
    /// The pending versions that a rename put in another file's place, where it may lose both.
    replacements: Vec<usize>,
    /// The old version went, and the replacement did not come.
    is_gap: bool,
}

impl Register<'_> {
    fn value(&self) -> Option<Ino> {
        if self.is_gap {
            return None;
        }
        self.value_before(self.chosen)
    }

    /// Where the entry leads before its pending version `index`.
    fn value_before(&self, index: usize) -> Option<Ino> {
        match index.checked_sub(1) {
            Some(last) => self.changes[last].to,
            None => self.durable,
        }
    }

    /// Pending versions before this transaction.
    fn count_before(&self, transaction: u64) -> usize {
        self.changes
            .partition_point(|change| change.transaction < transaction)
    }

    /// Whether this transaction's version, or a later one, is in.
    fn includes(&self, transaction: u64) -> bool {
        self.count_before(transaction) < self.chosen
    }
}

/// A name in a directory.
#[derive(Clone, Copy)]
pub(super) struct Entry<'a>(Ino, &'a Name);

impl<'a> Entry<'a> {
    pub(super) fn name(self) -> &'a Name {
        self.1
    }
}

/// Where an unsynced entry leads: as chosen, and as calls see it.
pub(super) struct ShownEntry<'a> {
    pub(super) dir: Ino,
    pub(super) name: &'a Name,
    pub(super) chosen: Option<Ino>,
    pub(super) newest: Option<Ino>,
}

/// For every register in order, its versions that are in, and whether it is a gap.
pub(super) type NameVersions = Vec<(usize, bool)>;

/// The directories that names lead to, once it was asked for.
#[derive(Default)]
struct Reachable(OnceCell<Option<BTreeSet<Ino>>>);

/// A choice of a version for every pending entry of the disk.
pub(super) struct NameChoice<'a> {
    disk: &'a Disk,
    constraints: Constraints,
    registers: BTreeMap<(Ino, &'a Name), Register<'a>>,
}

impl<'a> NameChoice<'a> {
    /// The oldest versions.
    pub(super) fn new(disk: &'a Disk) -> NameChoice<'a> {
        let mut registers: BTreeMap<(Ino, &Name), Register<'_>> = BTreeMap::new();
        for (&ino, inode) in disk.inodes.iter() {
            let Some(directory) = inode.directory() else {
                continue;
            };
            for change in &directory.pending {
                let durable = directory.durable.get(&change.name).copied();
                let register = registers
                    .entry((ino, &change.name))
                    .or_insert_with(|| Register {
                        durable,
                        changes: Vec::new(),
                        chosen: 0,
                        replacements: Vec::new(),
                        is_gap: false,
                    });
                register.changes.push(change);
            }
        }
        let mut choice = NameChoice {
            disk,
            constraints: disk.constraints(),
            registers,
        };
        if choice.constraints.rename_loses_both {
            choice.find_replacements();
        }
        choice
    }

    fn find_replacements(&mut self) {
        let is_file = |ino: Option<Ino>| ino.is_some_and(|ino| !self.disk.inode(ino).is_dir());
        for register in self.registers.values_mut() {
            for (index, change) in register.changes.iter().enumerate() {
                let before = match index.checked_sub(1) {
                    Some(last) => register.changes[last].to,
                    None => register.durable,
                };
                if change.cause == Cause::Arrived && is_file(change.to) && is_file(before) {
                    register.replacements.push(index);
                }
            }
        }
    }

    /// Draws a version for each entry: all the oldest, all the newest, a prefix of all transactions,
    /// or each by itself. Where all metadata is one history, says at which of its `moments` it ends.
    pub(super) fn draw(&mut self, moments: &[Moment], chance: &mut dyn Chance) -> Moment {
        match self.constraints.metadata {
            MetadataOrder::Synced => {}
            MetadataOrder::Prefix if moments.is_empty() => {}
            MetadataOrder::Prefix => {
                let cut = chance.below(RegisterName::Names, moments.len() as u64 + 1) as usize;
                return self.end_history(moments, cut);
            }
            MetadataOrder::Free => self.draw_each(chance),
        }
        Moment::END
    }

    /// Lets history end after so many of its moments; the first moment that is out.
    pub(super) fn end_history(&mut self, moments: &[Moment], cut: usize) -> Moment {
        let horizon = moments.get(cut).copied().unwrap_or(Moment::END);
        for register in self.registers.values_mut() {
            register.chosen = register
                .changes
                .partition_point(|change| Moment::of_transaction(change.transaction) < horizon);
        }
        horizon
    }

    /// Whether no name has anything unsynced.
    pub(super) fn is_empty(&self) -> bool {
        self.registers.is_empty()
    }

    /// What is chosen: for every register in order its versions that are in, and whether it is a gap.
    pub(super) fn versions(&self) -> NameVersions {
        let chosen = |register: &Register<'_>| (register.chosen, register.is_gap);
        self.registers.values().map(chosen).collect()
    }

    fn draw_each(&mut self, chance: &mut dyn Chance) {
        if self.registers.is_empty() {
            return;
        }
        let transactions: BTreeSet<u64> = self
            .registers
            .values()
            .flat_map(|register| register.changes.iter().map(|change| change.transaction))
            .collect();
        let cuts = transactions.len() as u64 + 1;
        let word = chance.mood(RegisterName::Names, 5 * cuts);
        let (mood, cut) = (word / cuts, (word % cuts) as usize);
        let first_out = transactions.iter().nth(cut).copied().unwrap_or(u64::MAX);
        for ((directory, name), register) in &mut self.registers {
            register.chosen = match mood {
                0 => 0,
                1 => register.changes.len(),
                2 => register.count_before(first_out),
                _ => {
                    let name = hash_bytes(directory.0, name.as_bytes());
                    let entry = RegisterName::Entry {
                        directory: directory.0,
                        name,
                    };
                    let whole = register.changes.len() + 1;
                    let bound = whole + register.replacements.len();
                    let newest = whole as u64 - 1;
                    let word = chance.version(entry, bound as u64, newest) as usize;
                    register.is_gap = word >= whole;
                    match word.checked_sub(whole) {
                        Some(gap) => register.replacements[gap],
                        None => word,
                    }
                }
            };
        }
    }

    /// Lowers choices until no rule is broken.
    pub(super) fn repair(&mut self) {
        loop {
            let reachable = Reachable::default();
            let lowered = self.broken_moves(&reachable)
                || self.broken_renames(&reachable)
                || self.halves_of_renames()
                || self.broken_removals();
            if !lowered {
                return;
            }
        }
    }

    /// Counts the entries that kept their newest version, and the others.
    pub(super) fn count(&self, report: &mut CrashReport) {
        for register in self.registers.values() {
            if register.chosen == register.changes.len() {
                report.names_kept += 1;
            } else {
                report.names_lost += 1;
            }
        }
    }

    /// The entries of every directory that has pending ones, as chosen.
    pub(super) fn images(&self) -> Vec<(Ino, BTreeMap<Name, Ino>)> {
        let directories: BTreeSet<Ino> = self.registers.keys().map(|key| key.0).collect();
        directories
            .into_iter()
            .map(|ino| (ino, self.entries(ino)))
            .collect()
    }

    /// Every inode to which some version of an unsynced entry leads; some more than once.
    pub(super) fn targets(&self) -> impl Iterator<Item = Ino> {
        self.registers.values().flat_map(|register| {
            let pending = register.changes.iter().filter_map(|change| change.to);
            register.durable.into_iter().chain(pending)
        })
    }

    /// What each unsynced entry shows.
    pub(super) fn shown(&self) -> impl Iterator<Item = ShownEntry<'a>> {
        self.registers.iter().map(|(key, register)| ShownEntry {
            dir: key.0,
            name: key.1,
            chosen: register.value(),
            newest: register.value_before(register.changes.len()),
        })
    }

    pub(super) fn metadata(&self) -> MetadataOrder {
        self.constraints.metadata
    }

    /// Every name that a directory has in some version of it.
    pub(super) fn all_entries(&self, dir: Ino) -> Vec<Entry<'a>> {
        let directory = self.disk.directory(dir);
        let pending = directory.pending.iter().map(|change| &change.name);
        let names: BTreeSet<&Name> = directory.durable.keys().chain(pending).collect();
        names.into_iter().map(|name| Entry(dir, name)).collect()
    }

    /// Entries with unsynced versions in other directories than these.
    pub(super) fn entries_outside(&self, is_inside: impl Fn(Ino) -> bool) -> Vec<Entry<'a>> {
        let outside = self.registers.keys().filter(|key| !is_inside(key.0));
        outside.map(|key| Entry(key.0, key.1)).collect()
    }

    /// Each version of an entry, and where it leads.
    pub(super) fn versions_of(&self, entry: Entry<'a>) -> Vec<((usize, bool), Option<Ino>)> {
        let Some(register) = self.registers.get(&(entry.0, entry.1)) else {
            let durable = self.disk.directory(entry.0).durable.get(entry.1);
            return vec![((0, false), durable.copied())];
        };
        let whole = 0..=register.changes.len();
        let whole = whole.map(|chosen| ((chosen, false), register.value_before(chosen)));
        let gaps = register.replacements.iter();
        let gaps = gaps.map(|&chosen| ((chosen, true), None));
        whole.chain(gaps).collect()
    }

    /// Chooses a version of an entry.
    pub(super) fn choose(&mut self, entry: Entry<'a>, version: (usize, bool)) {
        if let Some(register) = self.registers.get_mut(&(entry.0, entry.1)) {
            (register.chosen, register.is_gap) = version;
        }
    }

    /// Whether the names as chosen are names that a crash may leave.
    pub(super) fn breaks_no_rule(&mut self) -> bool {
        let chosen = self.versions();
        self.repair();
        let holds = self.versions() == chosen;
        for (register, version) in self.registers.values_mut().zip(chosen) {
            (register.chosen, register.is_gap) = version;
        }
        holds
    }

    pub(super) fn entries(&self, ino: Ino) -> BTreeMap<Name, Ino> {
        let mut entries = self.disk.directory(ino).durable.clone();
        for ((_, name), register) in self
            .registers
            .range((ino, &Name::from(""))..)
            .take_while(|(key, _)| key.0 == ino)
        {
            match register.value() {
                Some(target) => entries.insert(Name::clone(name), target),
                None => entries.remove(*name),
            };
        }
        entries
    }

    /// Whether names lead to a directory from the root, as chosen.
    fn reaches(&self, dir: Ino, reachable: &Reachable) -> bool {
        let known = reachable.0.get_or_init(|| self.reachable());
        known.as_ref().is_none_or(|known| known.contains(&dir))
    }

    /// The directories that names lead to from the root, as chosen; none where it is all of them,
    /// since no name of a directory is unsynced.
    fn reachable(&self) -> Option<BTreeSet<Ino>> {
        if !self
            .targets()
            .any(|target| self.disk.inode(target).is_dir())
        {
            return None;
        }
        let mut reachable = BTreeSet::from([ROOT]);
        let mut ahead = vec![ROOT];
        while let Some(ino) = ahead.pop() {
            for target in self.entries(ino).into_values() {
                if self.disk.inode(target).is_dir() && reachable.insert(target) {
                    ahead.push(target);
                }
            }
        }
        Some(reachable)
    }

    /// Whether a rename's new name is in and of use, or was made durable or overtaken.
    fn arrived(
        &self,
        moved: Ino,
        to: (Ino, &Name),
        transaction: u64,
        reachable: &Reachable,
    ) -> bool {
        let Some(register) = self.registers.get(&to) else {
            return true;
        };
        let pending = register
            .changes
            .iter()
            .any(|change| change.transaction == transaction);
        if pending && !register.includes(transaction) {
            return false;
        }
        register.value() != Some(moved) || self.reaches(to.0, reachable)
    }

    /// Moves of directories are whole, and end where the root leads. Whether a choice was lowered.
    fn broken_moves(&mut self, reachable: &Reachable) -> bool {
        let mut lowered = false;
        for entry in self.disk.moves.iter() {
            let DirectoryMove {
                transaction,
                from,
                to,
            } = entry;
            if !self.move_is_in(*transaction, from, to, reachable) {
                lowered |= self.lower((from.0, &from.1), *transaction);
                lowered |= self.lower((to.0, &to.1), *transaction);
            }
        }
        lowered
    }

    fn move_is_in(
        &self,
        transaction: u64,
        from: &(Ino, Name),
        to: &(Ino, Name),
        reachable: &Reachable,
    ) -> bool {
        let Some(departure) = self.registers.get(&(from.0, &from.1)) else {
            return true;
        };
        let moved = departure.value_before(departure.count_before(transaction));
        departure.includes(transaction)
            && moved.is_none_or(|moved| self.arrived(moved, (to.0, &to.1), transaction, reachable))
    }

    /// An old name goes only when the new one is there. Whether a choice was lowered.
    fn broken_renames(&mut self, reachable: &Reachable) -> bool {
        if self.constraints.rename_loses_both {
            return false;
        }
        let mut broken = Vec::new();
        for (&key, register) in &self.registers {
            for (index, change) in register.changes[..register.chosen].iter().enumerate() {
                let Cause::MovedTo { directory, name } = &change.cause else {
                    continue;
                };
                let Some(moved) = register.value_before(index) else {
                    continue;
                };
                if !self.arrived(moved, (*directory, name), change.transaction, reachable) {
                    broken.push((key, change.transaction));
                    break;
                }
            }
        }
        self.lower_all(broken)
    }

    /// Where renames are whole, the new name comes only when the old one goes. Whether a choice was
    /// lowered.
    fn halves_of_renames(&mut self) -> bool {
        if !self.constraints.rename_is_whole {
            return false;
        }
        let mut broken = Vec::new();
        for register in self.registers.values() {
            for change in register.changes.iter().skip(register.chosen) {
                let Cause::MovedTo { directory, name } = &change.cause else {
                    continue;
                };
                let arrival = self.registers.get_key_value(&(*directory, name));
                if let Some((&key, arrival)) = arrival
                    && arrival.includes(change.transaction)
                {
                    broken.push((key, change.transaction));
                }
            }
        }
        self.lower_all(broken)
    }

    /// A directory that goes is empty. Whether a choice was lowered.
    fn broken_removals(&mut self) -> bool {
        let mut broken = Vec::new();
        for (&key, register) in &self.registers {
            for change in &register.changes[..register.chosen] {
                let Some(emptied) = change.emptied else {
                    continue;
                };
                let alive = self.disk.inodes.contains_key(&emptied);
                if alive && !self.entries(emptied).is_empty() {
                    broken.push((key, change.transaction));
                    break;
                }
            }
        }
        self.lower_all(broken)
    }

    fn lower_all(&mut self, broken: Vec<((Ino, &'a Name), u64)>) -> bool {
        let mut lowered = false;
        for (key, transaction) in broken {
            lowered |= self.lower(key, transaction);
        }
        lowered
    }

    /// Falls back to the version before this transaction; whether that is a change.
    fn lower(&mut self, key: (Ino, &'a Name), transaction: u64) -> bool {
        let Some(register) = self.registers.get_mut(&key) else {
            return false;
        };
        let count = register.count_before(transaction);
        let lowers = count < register.chosen;
        register.chosen = register.chosen.min(count);
        register.is_gap &= !lowers;
        lowers
    }
}
