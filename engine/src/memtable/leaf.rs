//! Byte layout of what the keys of a memtable's trie lead to: a tag, and a payload of a size fixed by the tag.
//!
//! A deletion is its write time, 8 bytes, and its local deletion time in seconds, 4 bytes, both big endian. A
//! partition is the number of its slot, a row that and the greatest write time in it. In the branch of deletions:
//!
//! ```text
//! 2  row deletion at a row            12  deletion
//! 3  range of one prefix, at its end  12  deletion
//! 4  2 or 3 within another deletion   25  0 for 2 or 1 for 3, deletion, the one around it
//! 5  a range opens                    12  deletion to the right
//! 6  a range closes                   12  deletion to the left
//! 7  one range follows another        24  deletions to the left and to the right
//! ```

use crate::rows::DeletionTime;
use crate::trie::arena;

const DELETION_SIZE: usize = 12;

/// What a key leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leaf {
    /// A partition, by its slot.
    Partition(u32),
    /// What is live of a row.
    Row {
        /// The slot of its content.
        slot: u32,
        /// The greatest write time in it, its tombstones included.
        timestamp_max: i64,
    },
    /// An entry of a deletion branch.
    Stone(Entry),
}

/// An entry of the branch of deletions. Ranges are kept as the places where the deletion in force changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entry {
    /// At a bound: the deletions in force on its two sides, which differ.
    Boundary {
        /// Before it.
        left: Option<DeletionTime>,
        /// From it on.
        right: Option<DeletionTime>,
    },
    /// At a row, or at the bound after a prefix: something small within `around`, which is in force on both sides.
    Within {
        /// What is deleted.
        reach: Reach,
        /// Supersedes `around`.
        deletion: DeletionTime,
        /// The deletion in force around it.
        around: Option<DeletionTime>,
    },
}

/// What one small entry deletes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// The row at which it stands, by a deletion of its own.
    Row,
    /// Everything that begins with the prefix after which it stands. No other entry lies within.
    Span,
}

impl Entry {
    /// The deletion in force just before a position of which this is the first entry at or after, and that no
    /// span which ends here holds.
    pub(super) const fn left(self) -> Option<DeletionTime> {
        match self {
            Entry::Boundary { left, .. } => left,
            Entry::Within { around, .. } => around,
        }
    }

    /// The deletion in force just after it.
    pub(super) const fn right(self) -> Option<DeletionTime> {
        match self {
            Entry::Boundary { right, .. } => right,
            Entry::Within { around, .. } => around,
        }
    }

    /// What is left of it where `deletion` reaches too, over its left and its right side; `None` when nothing is.
    pub(super) fn under(
        self,
        over_left: Option<DeletionTime>,
        over_right: Option<DeletionTime>,
    ) -> Option<Entry> {
        match self {
            Entry::Boundary { left, right } => {
                Entry::boundary(left.max(over_left), right.max(over_right))
            }
            Entry::Within {
                reach,
                deletion,
                around,
            } => {
                let around = around.max(over_left);
                deletion.supersedes(around).then_some(Entry::Within {
                    reach,
                    deletion,
                    around,
                })
            }
        }
    }

    /// What is left of it when `gone` is in force over all: of what does not supersede it, nothing.
    pub(super) fn above(self, gone: DeletionTime) -> Option<Entry> {
        let kept = |side: Option<DeletionTime>| side.filter(|side| side.supersedes(Some(gone)));
        match self {
            Entry::Boundary { left, right } => Entry::boundary(kept(left), kept(right)),
            Entry::Within {
                reach,
                deletion,
                around,
            } => kept(Some(deletion)).map(|deletion| Entry::Within {
                reach,
                deletion,
                around: kept(around),
            }),
        }
    }

    /// A boundary, unless nothing changes there.
    pub(super) fn boundary(
        left: Option<DeletionTime>,
        right: Option<DeletionTime>,
    ) -> Option<Entry> {
        (left != right).then_some(Entry::Boundary { left, right })
    }
}

impl arena::Leaf for Leaf {
    fn tag(self) -> u8 {
        match self {
            Leaf::Partition(_) => 0,
            Leaf::Row { .. } => 1,
            Leaf::Stone(Entry::Within {
                around: Some(_), ..
            }) => 4,
            Leaf::Stone(Entry::Within { reach, .. }) => match reach {
                Reach::Row => 2,
                Reach::Span => 3,
            },
            Leaf::Stone(Entry::Boundary { left, right }) => match (left, right) {
                (None, _) => 5,
                (Some(_), None) => 6,
                (Some(_), Some(_)) => 7,
            },
        }
    }

    fn size(tag: u8) -> usize {
        match tag {
            0 => 4,
            1..=3 | 5 | 6 => DELETION_SIZE,
            4 => 2 * DELETION_SIZE + 1,
            7 => 2 * DELETION_SIZE,
            _ => panic!("only tags of leaves are stored"),
        }
    }

    fn store(self, bytes: &mut [u8]) {
        match self {
            Leaf::Partition(slot) => bytes.copy_from_slice(&slot.to_be_bytes()),
            Leaf::Row {
                slot,
                timestamp_max,
            } => {
                bytes[..4].copy_from_slice(&slot.to_be_bytes());
                bytes[4..].copy_from_slice(&timestamp_max.to_be_bytes());
            }
            Leaf::Stone(Entry::Within {
                reach,
                deletion,
                around: Some(around),
            }) => {
                bytes[0] = u8::from(reach == Reach::Span);
                store(deletion, &mut bytes[1..=DELETION_SIZE]);
                store(around, &mut bytes[1 + DELETION_SIZE..]);
            }
            Leaf::Stone(Entry::Within { deletion, .. }) => store(deletion, bytes),
            Leaf::Stone(Entry::Boundary { left, right }) => {
                let sides = left.into_iter().chain(right);
                for (side, place) in sides.zip(bytes.chunks_exact_mut(DELETION_SIZE)) {
                    store(side, place);
                }
            }
        }
    }

    fn load(tag: u8, bytes: &[u8]) -> Leaf {
        let within = |reach, deletion, around| {
            Leaf::Stone(Entry::Within {
                reach,
                deletion,
                around,
            })
        };
        let boundary = |left, right| Leaf::Stone(Entry::Boundary { left, right });
        match tag {
            0 => Leaf::Partition(load_u32(bytes)),
            1 => Leaf::Row {
                slot: load_u32(&bytes[..4]),
                timestamp_max: load_i64(&bytes[4..]),
            },
            2 => within(Reach::Row, load(bytes), None),
            3 => within(Reach::Span, load(bytes), None),
            4 => {
                let reach = if bytes[0] == 0 {
                    Reach::Row
                } else {
                    Reach::Span
                };
                let (deletion, around) = bytes[1..].split_at(DELETION_SIZE);
                within(reach, load(deletion), Some(load(around)))
            }
            5 => boundary(None, Some(load(bytes))),
            6 => boundary(Some(load(bytes)), None),
            7 => {
                let (left, right) = bytes.split_at(DELETION_SIZE);
                boundary(Some(load(left)), Some(load(right)))
            }
            _ => panic!("only tags of leaves are stored"),
        }
    }

    fn timestamp_max(self) -> i64 {
        match self {
            Leaf::Partition(_) => i64::MIN,
            Leaf::Row { timestamp_max, .. } => timestamp_max,
            Leaf::Stone(Entry::Within { deletion, .. }) => deletion.timestamp,
            Leaf::Stone(Entry::Boundary { left, right }) => left
                .max(right)
                .map_or(i64::MIN, |deletion| deletion.timestamp),
        }
    }
}

fn store(deletion: DeletionTime, bytes: &mut [u8]) {
    bytes[..8].copy_from_slice(&deletion.timestamp.to_be_bytes());
    bytes[8..].copy_from_slice(&deletion.local_deletion_seconds.to_be_bytes());
}

fn load(bytes: &[u8]) -> DeletionTime {
    DeletionTime {
        timestamp: load_i64(&bytes[..8]),
        local_deletion_seconds: load_u32(&bytes[8..]),
    }
}

fn load_u32(bytes: &[u8]) -> u32 {
    u32::from_be_bytes(
        bytes
            .try_into()
            .expect("a payload has the size that its tag fixes"),
    )
}

fn load_i64(bytes: &[u8]) -> i64 {
    i64::from_be_bytes(
        bytes
            .try_into()
            .expect("a payload has the size that its tag fixes"),
    )
}
