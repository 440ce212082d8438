//! Invariants of a deletion branch: from any position one look-up, of the first entry at or after it, tells the
//! deletion in force there, however many entries there are.
//!
//! - The two sides of a boundary differ, its left side is the right side of the entry before it, and nothing is in
//!   force before the first entry and after the last.
//! - What stands within a deletion says so (`around`), and supersedes it.
//! - A range of exactly one prefix is one entry, a span, for as long as nothing else lies in it or at its ends; then
//!   it becomes its two boundaries.

use super::leaf::{Entry, Leaf, Reach};
use crate::keys::separator::{AFTER, BEFORE};
use crate::planted::{self, Plant};
use crate::rows::DeletionTime;
use crate::trie::arena::{Arena, ArenaFull, Mutation, Root};

/// The deletions in force at a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct InForce {
    /// The row's own.
    pub(super) own: Option<DeletionTime>,
    /// Of the range around it.
    pub(super) around: Option<DeletionTime>,
}

impl InForce {
    /// The one that decides.
    pub(super) fn strongest(self) -> Option<DeletionTime> {
        self.own.max(self.around)
    }
}

/// The deletions in force at a row.
pub(super) fn in_force(arena: &Arena<Leaf>, root: Root, row: &[u8], path: &mut Vec<u8>) -> InForce {
    let next = first(arena, root, row, path);
    next.map_or_else(InForce::default, |entry| at_row(entry, path, row))
}

/// The deletions in force at a row, given the first entry at or after it and where that stands.
fn at_row(entry: Entry, at: &[u8], row: &[u8]) -> InForce {
    match entry {
        Entry::Within {
            reach: Reach::Row,
            deletion,
            around,
        } if at == row => InForce {
            own: Some(deletion),
            around,
        },
        entry => InForce {
            own: None,
            around: before(entry, at, row),
        },
    }
}

/// The deletion in force just before `position`, given the first entry at or after it and where that stands.
pub(super) fn before(entry: Entry, at: &[u8], position: &[u8]) -> Option<DeletionTime> {
    match entry {
        Entry::Within {
            reach: Reach::Span,
            deletion,
            ..
        } if is_in_span(at, position) => Some(deletion),
        other => other.left(),
    }
}

/// The first entry at or after a position; its own goes into `path`.
pub(super) fn first(
    arena: &Arena<Leaf>,
    root: Root,
    position: &[u8],
    path: &mut Vec<u8>,
) -> Option<Entry> {
    arena.first_at_or_after(root, position, path).map(stone_of)
}

/// The entry of a branch of deletions.
pub(super) fn stone_of(leaf: Leaf) -> Entry {
    match leaf {
        Leaf::Stone(entry) => entry,
        other => panic!("a branch of deletions has no {other:?}"),
    }
}

/// Whether a position, not after the end of a span, lies after its start.
fn is_in_span(end: &[u8], position: &[u8]) -> bool {
    let prefix = &end[..end.len() - 1];
    position.len() > prefix.len() && position.starts_with(prefix) && position[prefix.len()] > BEFORE
}

/// The start of the span that ends here.
pub(super) fn span_start(end: &[u8]) -> Vec<u8> {
    let mut start = end.to_vec();
    *start.last_mut().expect("a bound has a last byte") = BEFORE;
    start
}

/// Whether two bounds hold between them exactly what begins with one prefix.
fn is_span(start: &[u8], end: &[u8]) -> bool {
    let split = |bound: &[u8]| bound.split_last().map(|(last, rest)| (*last, rest.len()));
    match (split(start), split(end)) {
        (Some((BEFORE, size)), Some((AFTER, other))) => {
            size == other && start[..size] == end[..size]
        }
        _ => false,
    }
}

/// The deletion branch of one partition, to be changed.
pub(super) struct Branch<'a, 'm> {
    pub(super) trie: &'a mut Mutation<'m, Leaf>,
    pub(super) root: Root,
    /// How many entries there are.
    pub(super) count: u32,
}

impl Branch<'_, '_> {
    /// Deletes one row. Gives the strongest deletion that is in force there then, the new one or not.
    pub(super) fn delete_row(
        &mut self,
        row: &[u8],
        deletion: DeletionTime,
    ) -> Result<Option<DeletionTime>, ArenaFull> {
        let mut path = Vec::with_capacity(row.len() + 1);
        let next = first(self.trie, self.root, row, &mut path);
        let held = next.map_or_else(InForce::default, |entry| at_row(entry, &path, row));
        if !deletion.supersedes(held.strongest()) {
            return Ok(held.strongest());
        }
        if let Some(entry) = next {
            self.expand_near(entry, &path, row)?;
        }
        let entry = Entry::Within {
            reach: Reach::Row,
            deletion,
            around: held.around,
        };
        self.put(row, entry)?;
        Ok(Some(deletion))
    }

    /// Deletes all between two bounds, the first below the second.
    pub(super) fn delete_range(
        &mut self,
        start: &[u8],
        end: &[u8],
        deletion: DeletionTime,
    ) -> Result<(), ArenaFull> {
        assert!(start < end, "a range covers something");
        if is_span(start, end) && self.delete_span(start, end, deletion)? {
            return Ok(());
        }
        self.expand_at(start)?;
        self.expand_at(end)?;
        let mut path = Vec::new();
        let next = first(self.trie, self.root, start, &mut path);
        let mut in_force = next.and_then(|entry| before(entry, &path, start));
        let mut changes = Vec::new();
        if next.is_none() || path != start {
            let opens = Entry::boundary(in_force, in_force.max(Some(deletion)));
            changes.extend(opens.map(|entry| (start.to_vec(), Some(entry))));
        }
        let mut next = next.filter(|_| path.as_slice() <= end);
        let mut is_end_met = false;
        while let Some(entry) = next {
            let over = |reached: bool| reached.then_some(deletion);
            let is_at_end = path == end;
            let changed = entry.under(over(path.as_slice() > start), over(!is_at_end));
            if changed != Some(entry) && !(planted::on(Plant::C07) && is_row(entry)) {
                changes.push((path.clone(), changed));
            }
            in_force = entry.right();
            is_end_met |= is_at_end;
            next = self.after(&mut path, end);
        }
        if !is_end_met {
            let closes = Entry::boundary(in_force.max(Some(deletion)), in_force);
            changes.extend(closes.map(|entry| (end.to_vec(), Some(entry))));
        }
        for (at, entry) in changes {
            match entry {
                Some(entry) => self.put(&at, entry)?,
                None => self.remove(&at)?,
            }
        }
        Ok(())
    }

    /// Drops what a deletion of the whole partition shadows.
    pub(super) fn delete_all(&mut self, deletion: DeletionTime) -> Result<(), ArenaFull> {
        let mut path = Vec::new();
        let mut next = first(self.trie, self.root, &[], &mut path);
        while let Some(entry) = next {
            match entry.above(deletion) {
                Some(same) if same == entry => {}
                Some(changed) => self.put(&path, changed)?,
                None => self.remove(&path)?,
            }
            next = self.after(&mut path, &[0xFF]);
        }
        Ok(())
    }

    /// Deletes a span as one entry. False when something lies in it or at its ends.
    fn delete_span(
        &mut self,
        start: &[u8],
        end: &[u8],
        deletion: DeletionTime,
    ) -> Result<bool, ArenaFull> {
        let mut path = Vec::with_capacity(end.len());
        let next = first(self.trie, self.root, start, &mut path);
        let around = match next {
            Some(Entry::Within {
                reach: Reach::Span,
                deletion: held,
                around,
            }) if path == end => {
                if !deletion.supersedes(Some(held)) {
                    return Ok(true);
                }
                around
            }
            Some(entry) if path.as_slice() <= end => {
                let _ = entry;
                return Ok(false);
            }
            // A larger span must become boundaries first.
            Some(Entry::Within {
                reach: Reach::Span, ..
            }) if is_in_span(&path, end) => return Ok(false),
            Some(entry) => entry.left(),
            None => None,
        };
        if deletion.supersedes(around) {
            self.put(
                end,
                Entry::Within {
                    reach: Reach::Span,
                    deletion,
                    around,
                },
            )?;
        }
        Ok(true)
    }

    /// Makes a span that holds this position, or ends or starts at it, into its boundaries.
    fn expand_at(&mut self, position: &[u8]) -> Result<(), ArenaFull> {
        let mut path = Vec::with_capacity(position.len() + 1);
        match first(self.trie, self.root, position, &mut path) {
            Some(entry) => self.expand_near(entry, &path, position),
            None => Ok(()),
        }
    }

    /// As [`expand_at`](Self::expand_at), given the first entry at or after the position.
    fn expand_near(&mut self, entry: Entry, at: &[u8], position: &[u8]) -> Result<(), ArenaFull> {
        let Entry::Within {
            reach: Reach::Span,
            deletion,
            around,
        } = entry
        else {
            return Ok(());
        };
        let start = span_start(at);
        if start.as_slice() > position {
            return Ok(());
        }
        let (left, right) = (around, Some(deletion));
        self.put(&start, Entry::Boundary { left, right })?;
        if planted::on(Plant::C05) {
            return self.remove(at);
        }
        let (left, right) = (Some(deletion), around);
        self.put(at, Entry::Boundary { left, right })
    }

    /// The entry after the one at `path`, up to `last`; `path` follows.
    fn after(&self, path: &mut Vec<u8>, last: &[u8]) -> Option<Entry> {
        let mut position = std::mem::take(path);
        // No key is a prefix of another, so nothing lies between a key and its continuation.
        position.push(0);
        let entry = first(self.trie, self.root, &position, path)?;
        (path.as_slice() <= last).then_some(entry)
    }

    fn put(&mut self, at: &[u8], entry: Entry) -> Result<(), ArenaFull> {
        let (root, before) = self.trie.replace(self.root, at, Leaf::Stone(entry))?;
        self.root = root;
        self.count += u32::from(before.is_none());
        Ok(())
    }

    fn remove(&mut self, at: &[u8]) -> Result<(), ArenaFull> {
        let (root, removed) = self.trie.remove(self.root, at)?;
        assert!(removed.is_some(), "an entry that was found is there");
        self.root = root;
        self.count -= 1;
        Ok(())
    }
}

const fn is_row(entry: Entry) -> bool {
    matches!(
        entry,
        Entry::Within {
            reach: Reach::Row,
            ..
        }
    )
}
