//! Invariants of pending changes: replayed in order over the durable bytes, they give the cached ones.
//!
//! The list stays short: neighbouring appends merge first; when that is not enough, everything
//! collapses to one newest version of each dirty page. Both only drop versions *between* the durable
//! and the newest one, so every state that a crash can still reach is an allowed one. Where a profile
//! asks when things were issued, that no longer follows, and the list stays whole.
//! Forks share the bytes of their writes, so that equal ones are known by their addresses.

use std::ops::Range;
use std::sync::Arc;

use super::moment::Moment;
use super::options::PAGE_SIZE;
use super::table::{page_of, page_start, pages_for, within_page};

/// Changes kept before neighbours merge.
const CHANGES_MAX: usize = 256;

/// Bytes kept before versions that were overwritten collapse.
const BYTES_MAX: usize = 1 << 20;

/// One unsynced change of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// Bytes written at an offset.
    Write {
        /// Where in the file.
        offset: u64,
        /// What.
        bytes: Arc<[u8]>,
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sequenced {
    /// Position in the history of the file, never reused.
    pub(super) sequence: u64,
    /// When it was issued.
    pub(super) moment: Moment,
    /// What changed.
    pub(super) change: Change,
}

/// The unsynced changes of one file.
#[derive(Clone, Debug, Default)]
pub(super) struct Pending {
    changes: Vec<Sequenced>,
    /// Bytes written since all was durable, whether or not they were overwritten.
    bytes_held: usize,
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

    /// Forgets everything: it is durable now. Capacity stays, for the next round.
    pub(super) fn clear(&mut self) {
        self.changes.clear();
        self.bytes_held = 0;
    }

    /// Records a write.
    pub(super) fn write(&mut self, offset: u64, bytes: &[u8]) {
        self.bytes_held += bytes.len();
        self.push(Change::Write {
            offset,
            bytes: bytes.into(),
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
            && self.bytes_held > BYTES_MAX
            && self.bytes_held > 2 * dirty_pages * PAGE_SIZE
    }

    /// Merges each write with its successor where the two adjoin, every second one only, so that
    /// half of the boundaries between appends remain possible lengths.
    pub(super) fn merge_neighbours(&mut self) {
        let mut merged: Vec<Sequenced> = Vec::with_capacity(self.changes.len());
        let mut may_merge = false;
        for next in self.changes.drain(..) {
            if may_merge
                && let Some(last) = merged.last_mut()
                && let Some(joined) = join(&last.change, &next.change)
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
            Change::Cut { size } => Some((size, entry.sequence, entry)),
            _ => None,
        });
        let deepest = cuts.min_by_key(|&(size, sequence, _)| (size, sequence));
        let deepest = deepest.map(|(_, _, entry)| entry.clone());
        self.clear();
        self.changes.extend(deepest);
        !self.changes.is_empty()
    }

    /// Drops the bytes of writes whose writeback failed; cuts, and the lengths reached, stay.
    pub(super) fn drop_writes(&mut self) {
        for entry in &mut self.changes {
            if let Change::Write { offset, bytes } = &entry.change {
                entry.change = Change::Grow {
                    size: offset + bytes.len() as u64,
                };
            }
        }
        self.bytes_held = 0;
    }
}

impl Sequenced {
    /// Whether both are one change, known by the address of its bytes or by all of them.
    pub(super) fn is_same(&self, other: &Sequenced) -> bool {
        match (&self.change, &other.change) {
            (Change::Write { bytes, .. }, Change::Write { bytes: others, .. })
                if !Arc::ptr_eq(bytes, others) =>
            {
                self == other
            }
            (
                Change::Write { offset, .. },
                Change::Write {
                    offset: other_offset,
                    ..
                },
            ) => {
                (self.sequence, self.moment, offset) == (other.sequence, other.moment, other_offset)
            }
            _ => self == other,
        }
    }
}

impl Change {
    /// Replays the change over a page of the file; whether it touched the page.
    pub(super) fn replay(&self, page: u64, target: &mut [u8; PAGE_SIZE]) -> bool {
        let first = page_start(page);
        match *self {
            Change::Write { offset, ref bytes } => {
                let from = offset.max(first);
                let to = (offset + bytes.len() as u64).min(first + PAGE_SIZE as u64);
                if from >= to {
                    return false;
                }
                let source = (from - offset) as usize;
                let length = (to - from) as usize;
                let place = (from - first) as usize;
                target[place..place + length].copy_from_slice(&bytes[source..source + length]);
                true
            }
            Change::Cut { size } if size <= first => {
                target.fill(0);
                true
            }
            Change::Cut { size } if page_of(size) == page => {
                target[within_page(size)..].fill(0);
                true
            }
            Change::Cut { .. } | Change::Grow { .. } => false,
        }
    }

    /// The pages that the change touches, from the first to the one before the end.
    pub(super) fn pages(&self) -> Range<u64> {
        match *self {
            Change::Write { offset, ref bytes } => {
                page_of(offset)..pages_for(offset + bytes.len() as u64)
            }
            Change::Cut { size } => page_of(size)..u64::MAX,
            Change::Grow { .. } => 0..0,
        }
    }
}

/// Two adjoining writes as one.
fn join(first: &Change, second: &Change) -> Option<Change> {
    let Change::Write { offset, bytes } = first else {
        return None;
    };
    let Change::Write {
        offset: next_offset,
        bytes: next_bytes,
    } = second
    else {
        return None;
    };
    (offset + bytes.len() as u64 == *next_offset).then(|| Change::Write {
        offset: *offset,
        bytes: bytes.iter().chain(next_bytes.iter()).copied().collect(),
    })
}
