//! Invariants of pending changes: replayed in order over the durable bytes, they give the cached ones.
//!
//! The list stays short: neighbouring appends merge first; when that is not enough, everything
//! collapses to one newest version of each dirty page. Both only drop versions *between* the durable
//! and the newest one, so every state that a crash can still reach is an allowed one. Where a profile
//! asks when things were issued, that no longer follows, and the list stays whole.

use super::moment::Moment;
use super::options::PAGE_SIZE;
use super::table::{page_of, page_start, within_page};

/// Changes kept before neighbours merge.
const CHANGES_MAX: usize = 256;

/// Bytes kept before versions that were overwritten collapse.
const BYTES_MAX: usize = 1 << 20;

/// One unsynced change of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// Bytes written at an offset; they lie in the arena from `start` on.
    Write {
        /// Where in the file.
        offset: u64,
        /// How many.
        size: usize,
        /// Where in the arena.
        start: usize,
    },
    /// The file was cut to a smaller size.
    Cut {
        /// The new size in bytes.
        size: u64,
    },
    /// The file grew to this size by other means than a write.
    Grow {
        /// The new size in bytes.
        size: u64,
    },
}

/// A change with its place in the file's history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sequenced {
    /// Position in the history of the file, never reused.
    pub(super) sequence: u64,
    /// When it was issued.
    pub(super) moment: Moment,
    /// What changed.
    pub(super) change: Change,
}

/// The unsynced changes of one file, and their bytes.
#[derive(Clone, Debug, Default)]
pub(super) struct Pending {
    changes: Vec<Sequenced>,
    bytes: Vec<u8>,
    next: u64,
    now: Moment,
    keeps_all: bool,
}

impl Pending {
    /// No change; the next one gets this sequence.
    pub(super) fn from_sequence(next: u64) -> Pending {
        Pending {
            next,
            ..Pending::default()
        }
    }

    /// The changes in order.
    pub(super) fn changes(&self) -> &[Sequenced] {
        &self.changes
    }

    /// Whether nothing is pending.
    pub(super) fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// Whether the file was emptied by a cut.
    pub(super) fn has_cut_to_nothing(&self) -> bool {
        let empties = |entry: &Sequenced| matches!(entry.change, Change::Cut { size: 0 });
        self.changes.iter().any(empties)
    }

    /// The sequence that the next change will get.
    pub(super) fn next_sequence(&self) -> u64 {
        self.next
    }

    /// From now on, changes are issued at this moment; whether all of them are kept, however many.
    pub(super) fn advance(&mut self, now: Moment, keeps_all: bool) {
        self.now = now;
        self.keeps_all = keeps_all;
    }

    /// The bytes of a write.
    pub(super) fn bytes_of(&self, start: usize, size: usize) -> &[u8] {
        &self.bytes[start..start + size]
    }

    /// Forgets everything: it is durable now. Capacity stays, for the next round.
    pub(super) fn clear(&mut self) {
        self.changes.clear();
        self.bytes.clear();
    }

    /// Records a write.
    pub(super) fn write(&mut self, offset: u64, bytes: &[u8]) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        self.push(Change::Write {
            offset,
            size: bytes.len(),
            start,
        });
    }

    /// Records a cut or a growth.
    pub(super) fn push(&mut self, change: Change) {
        self.changes.push(Sequenced {
            sequence: self.next,
            moment: self.now,
            change,
        });
        self.next += 1;
    }

    /// Whether the list is long enough to be worth shortening.
    pub(super) fn is_long(&self) -> bool {
        !self.keeps_all && self.changes.len() > CHANGES_MAX
    }

    /// Whether the arena holds far more than the `dirty_pages` it is about.
    pub(super) fn is_heavy(&self, dirty_pages: usize) -> bool {
        !self.keeps_all
            && self.bytes.len() > BYTES_MAX
            && self.bytes.len() > 2 * dirty_pages * PAGE_SIZE
    }

    /// Merges each write with its successor where the two adjoin, every second one only, so that
    /// half of the boundaries between appends remain possible lengths.
    pub(super) fn merge_neighbours(&mut self) {
        let mut merged: Vec<Sequenced> = Vec::with_capacity(self.changes.len());
        let mut may_merge = false;
        for &next in &self.changes {
            if may_merge
                && let Some(last) = merged.last_mut()
                && let Some(joined) = join(last.change, next.change)
            {
                *last = Sequenced {
                    change: joined,
                    ..next
                };
                may_merge = false;
            } else {
                merged.push(next);
                may_merge = true;
            }
        }
        self.changes = merged;
    }

    /// Empties the history for a shorter one that the caller records next. The deepest cut stays,
    /// in its old place in the order; whether there was one.
    pub(super) fn collapse(&mut self) -> bool {
        let cuts = self.changes.iter().filter_map(|entry| match entry.change {
            Change::Cut { size } => Some((size, entry.sequence, *entry)),
            _ => None,
        });
        let deepest = cuts.min_by_key(|&(size, sequence, _)| (size, sequence));
        self.clear();
        self.changes.extend(deepest.map(|(_, _, entry)| entry));
        deepest.is_some()
    }

    /// Drops the bytes of writes whose writeback failed; cuts, and the lengths reached, stay.
    pub(super) fn drop_writes(&mut self) {
        for entry in &mut self.changes {
            if let Change::Write { offset, size, .. } = entry.change {
                entry.change = Change::Grow {
                    size: offset + size as u64,
                };
            }
        }
        self.bytes.clear();
    }

    /// Replays one change over a page of the file; whether it touched the page.
    pub(super) fn replay(&self, change: Change, page: u64, bytes: &mut [u8; PAGE_SIZE]) -> bool {
        let first = page_start(page);
        match change {
            Change::Write {
                offset,
                size,
                start,
            } => {
                let from = offset.max(first);
                let to = (offset + size as u64).min(first + PAGE_SIZE as u64);
                if from >= to {
                    return false;
                }
                let source = start + (from - offset) as usize;
                let length = (to - from) as usize;
                let place = (from - first) as usize;
                bytes[place..place + length].copy_from_slice(self.bytes_of(source, length));
                true
            }
            Change::Cut { size } if size <= first => {
                bytes.fill(0);
                true
            }
            Change::Cut { size } if page_of(size) == page => {
                bytes[within_page(size)..].fill(0);
                true
            }
            Change::Cut { .. } | Change::Grow { .. } => false,
        }
    }
}

/// Two adjoining writes as one, when both file and arena continue.
fn join(first: Change, second: Change) -> Option<Change> {
    let Change::Write {
        offset,
        size,
        start,
    } = first
    else {
        return None;
    };
    let Change::Write {
        offset: next_offset,
        size: next_size,
        start: next_start,
    } = second
    else {
        return None;
    };
    let adjoins = offset + size as u64 == next_offset && start + size == next_start;
    adjoins.then_some(Change::Write {
        offset,
        size: size + next_size,
        start,
    })
}
