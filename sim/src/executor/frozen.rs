//! Invariants of frozen groups: their tasks become ready as ever, and none is polled before the thaw; a
//! group that was frozen twice has to thaw twice.

use super::ready::Entry;
use super::task::Group;

/// The groups whose tasks are not polled.
#[derive(Debug, Default)]
pub(super) struct Frozen {
    groups: Vec<Group>,
    waiting: Vec<(Group, Entry)>,
}

impl Frozen {
    pub(super) fn freeze(&mut self, group: Group) {
        self.groups.push(group);
    }

    /// Whether nothing is frozen.
    pub(super) fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// Keeps a ready task of a frozen group; says whether it did.
    pub(super) fn keeps(&mut self, group: Group, ready: Entry) -> bool {
        let is_frozen = self.groups.contains(&group);
        if is_frozen {
            self.waiting.push((group, ready));
        }
        is_frozen
    }

    /// Thaws a group once; gives its ready tasks when it is frozen no longer.
    pub(super) fn thaw(&mut self, group: Group) -> Vec<Entry> {
        if let Some(index) = self.groups.iter().position(|frozen| *frozen == group) {
            self.groups.remove(index);
        }
        if self.groups.contains(&group) {
            return Vec::new();
        }
        self.take(|of| *of == group)
    }

    /// Thaws everything.
    pub(super) fn thaw_all(&mut self) -> Vec<Entry> {
        self.groups.clear();
        self.take(|_| true)
    }

    /// Forgets a group that has ended.
    pub(super) fn forget(&mut self, group: Group) {
        self.groups.retain(|frozen| *frozen != group);
        self.waiting.retain(|(of, _)| *of != group);
    }

    fn take(&mut self, is_taken: impl Fn(&Group) -> bool) -> Vec<Entry> {
        let waiting = std::mem::take(&mut self.waiting);
        let (taken, kept) = waiting.into_iter().partition(|(group, _)| is_taken(group));
        self.waiting = kept;
        let taken: Vec<(Group, Entry)> = taken;
        taken.into_iter().map(|(_, ready)| ready).collect()
    }
}
