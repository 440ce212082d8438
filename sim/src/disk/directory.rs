//! Invariants of directories: each entry is a register; its pending versions are in issue order.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::inode::Ino;

/// Pending versions kept before those between are forgotten.
const CHANGES_MAX: usize = 1024;

/// A name in a directory.
pub(super) type Name = Arc<str>;

/// Why an entry changed, as far as a crash must know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    /// A name was made or removed for itself.
    Plain,
    /// A rename made this name.
    Arrived,
    /// A rename took the inode away to another name, in the same transaction.
    MovedTo {
        /// The directory of the other name.
        directory: Ino,
        /// The other name.
        name: Name,
    },
}

/// A pending version of one entry.
#[derive(Clone, Debug)]
pub(super) struct EntryChange {
    /// The entry.
    pub(super) name: Name,
    /// Where it leads from then on.
    pub(super) to: Option<Ino>,
    /// The transaction; transactions count up over the whole disk.
    pub(super) transaction: u64,
    /// Why.
    pub(super) cause: Cause,
    /// A directory that lost this name, and had to be empty for it.
    pub(super) emptied: Option<Ino>,
}

/// The entries of one directory: durable, cached, and the changes between.
#[derive(Clone, Debug, Default)]
pub(super) struct Directory {
    /// As calls see them.
    pub(super) cached: BTreeMap<Name, Ino>,
    /// As every crash leaves them at least.
    pub(super) durable: BTreeMap<Name, Ino>,
    /// Changes that no sync covered yet.
    pub(super) pending: Vec<EntryChange>,
}

impl Directory {
    /// Applies one change to the cached entries, and records it.
    pub(super) fn change(&mut self, change: EntryChange) {
        match change.to {
            Some(ino) => self.cached.insert(Arc::clone(&change.name), ino),
            None => self.cached.remove(&change.name),
        };
        self.pending.push(change);
    }

    /// Applies the pending changes that `settles` picks to the durable entries; appends to
    /// `dropped` every inode to which one entry version fewer leads.
    pub(super) fn settle(
        &mut self,
        mut settles: impl FnMut(&EntryChange) -> bool,
        dropped: &mut Vec<Ino>,
    ) {
        let mut kept = Vec::new();
        for change in std::mem::take(&mut self.pending) {
            if !settles(&change) {
                kept.push(change);
                continue;
            }
            let before = match change.to {
                Some(ino) => self.durable.insert(change.name, ino),
                None => self.durable.remove(&change.name),
            };
            dropped.extend(before);
        }
        self.pending = kept;
    }

    /// Forgets versions between the durable and the newest one that no rule of a crash needs, when
    /// there are many; appends to `dropped` as [`Directory::settle`] does.
    pub(super) fn shorten(&mut self, dropped: &mut Vec<Ino>) {
        if self.pending.len() <= CHANGES_MAX {
            return;
        }
        let newest: BTreeMap<Name, u64> = self
            .pending
            .iter()
            .map(|change| (Arc::clone(&change.name), change.transaction))
            .collect();
        self.pending.retain(|change| {
            let needed = newest.get(&change.name) == Some(&change.transaction)
                || change.cause != Cause::Plain
                || change.emptied.is_some();
            if !needed {
                dropped.extend(change.to);
            }
            needed
        });
    }
}
