//! Invariants of a crash's choices: each belongs to a register and hangs on nothing but its name.
//!
//! A chooser that decides by (key, register name, bound) deals the same choice to a register whatever
//! else is written or left out.

use crate::entropy::{StreamKey, mix64};

/// The name of a register, or of a decision about one; the same in every run of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RegisterName {
    /// How a file's unsynced data fares as a whole.
    File {
        /// The file's inode number.
        inode: u64,
    },
    /// A tear unit of data.
    Data {
        /// The file's inode number.
        inode: u64,
        /// The unit's first sector.
        sector: u64,
    },
    /// A file's length.
    Length {
        /// The file's inode number.
        inode: u64,
    },
    /// How many of the syncs that a drive held back survive.
    Drive,
    /// Whether the file system can be mounted; the last number says that it cannot.
    Mount,
    /// Whether a file's inode was written.
    Inode {
        /// The file's inode number.
        inode: u64,
    },
    /// How the unsynced names of the disk fare as a whole.
    Names,
    /// A directory entry.
    Entry {
        /// The directory's inode number.
        directory: u64,
        /// A hash of the entry's name.
        name: u64,
    },
    /// Which of the old bytes a stale unit shows.
    Stale {
        /// The file's inode number.
        inode: u64,
        /// The unit's first sector.
        sector: u64,
    },
    /// Where the write to a damaged unit stopped.
    Damage {
        /// The file's inode number.
        inode: u64,
        /// The unit's first sector.
        sector: u64,
    },
    /// How much survives of the write at which a file's history ends.
    Torn {
        /// The file's inode number.
        inode: u64,
    },
    /// Whether background writeback takes a file, its length, a page; of the root, all names.
    Writeback {
        /// The inode number of the file or of the root.
        inode: u64,
        /// A page's first sector; `u64::MAX` for the whole, one less for the length.
        part: u64,
    },
}

impl RegisterName {
    /// The name as one word, for a keyed choice.
    #[must_use]
    pub const fn word(self) -> u64 {
        let (kind, inode, part) = match self {
            RegisterName::File { inode } => (1, inode, 0),
            RegisterName::Data { inode, sector } => (2, inode, sector),
            RegisterName::Length { inode } => (3, inode, 0),
            RegisterName::Entry { directory, name } => (4, directory, name),
            RegisterName::Stale { inode, sector } => (5, inode, sector),
            RegisterName::Writeback { inode, part } => (6, inode, part),
            RegisterName::Names => (7, 0, 0),
            RegisterName::Drive => (10, 0, 0),
            RegisterName::Mount => (11, 0, 0),
            RegisterName::Inode { inode } => (12, inode, 0),
            RegisterName::Torn { inode } => (8, inode, 0),
            RegisterName::Damage { inode, sector } => (9, inode, sector),
        };
        mix64(mix64(mix64(0x7265_6769_7374_6572, kind), inode), part)
    }
}

/// Who decides which version of a register survives.
pub trait Chance {
    /// A number below `bound`, which is at least 2; asked at most once a register in one crash.
    fn below(&mut self, register: RegisterName, bound: u64) -> u64;

    /// As [`Chance::below`], where the number says how a whole fares: the last one leaves each
    /// register of it to itself, and so reaches all that the others reach.
    fn mood(&mut self, whole: RegisterName, bound: u64) -> u64 {
        self.below(whole, bound)
    }

    /// As [`Chance::below`], where the number says which version of a register survives: 0 is the
    /// oldest, `newest` the newest, and what lies beyond it is none of its versions.
    fn version(&mut self, register: RegisterName, bound: u64, newest: u64) -> u64 {
        let _ = newest;
        self.below(register, bound)
    }
}

/// Decides by a key and the register's name alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyedChance {
    /// The key, a fresh one for each crash.
    pub key: StreamKey,
}

impl Chance for KeyedChance {
    fn below(&mut self, register: RegisterName, bound: u64) -> u64 {
        let word = self.key.word(register.word());
        // The high word of the product is below `bound`; its bias is below bound / 2^64.
        ((u128::from(word) * u128::from(bound)) >> 64) as u64
    }
}
