//! Vocabulary of a disk: what it promises, how it tears, how it is opened, how it dies.

use super::profile::Profile;
use super::tear::Tear;

/// Bytes of a page: the unit of storage, of space and of a lost writeback.
pub const PAGE_SIZE: usize = 4096;

/// Bytes of a sector: the smallest unit a device writes whole.
pub const SECTOR_SIZE: usize = 512;

/// Bytes of the largest file.
pub const FILE_SIZE_MAX: u64 = 1 << 36;

/// How a disk is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DiskOptions {
    /// What a crash leaves.
    pub profile: Profile,
    /// In which units.
    pub tear: Tear,
    /// Bytes for the pages of files, rounded down to whole pages; names and inodes cost nothing.
    pub capacity_bytes: u64,
}

/// How to open a file. All but `Read` allow reading and writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Access {
    /// An existing file, to read.
    Read,
    /// An existing file, to read and write.
    Write,
    /// A new or existing file, to read and write.
    Create,
    /// A new file, to read and write; refused when the name exists.
    CreateNew,
}

/// An open description: each `open` makes one, with an error state of its own. Never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Handle(pub(super) u64);

/// A held advisory lock. Never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LockId(pub(super) u64);

/// What a name leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stat {
    /// The inode's number, never reused.
    pub inode: u64,
    /// Whether it is a directory.
    pub is_dir: bool,
    /// Bytes; zero for a directory.
    pub size: u64,
    /// Names that lead to it.
    pub links: u32,
}

/// How the machine dies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CrashKind {
    /// The process ends; the page cache lives: nothing written is lost.
    ProcessKill,
    /// The kernel ends, and its page cache with it.
    KernelPanic,
    /// The power ends; on an honest drive this equals a kernel panic.
    PowerCut,
}

/// Harm done to a file at rest: to the medium and to the cache alike, as if found at a later boot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Damage {
    /// Flips one bit.
    FlipBit {
        /// The byte's offset.
        offset: u64,
        /// The bit, below 8.
        bit: u8,
    },
    /// Overwrites a range with zeros.
    Zero {
        /// The first byte's offset.
        offset: u64,
        /// Bytes.
        size: u64,
    },
    /// Overwrites a range with garbage, the same for the same offset.
    Garbage {
        /// The first byte's offset.
        offset: u64,
        /// Bytes.
        size: u64,
    },
    /// Makes sectors unreadable until they are written whole, or the file is mended.
    Unreadable {
        /// The first sector, from the start of the file.
        sector: u64,
        /// Sectors.
        count: u64,
    },
    /// Cuts the file to this many bytes.
    Truncate {
        /// The new size in bytes, not above the present one.
        size: u64,
    },
}

/// What a crash did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CrashReport {
    /// Tear units with unsynced writes that kept the newest of them.
    pub units_kept: u64,
    /// Tear units that fell back to what was synced, or to zeros where nothing was.
    pub units_lost: u64,
    /// Tear units that show something between: an older unsynced write, or stale bytes.
    pub units_between: u64,
    /// Pages some of whose unsynced units were kept and some were not.
    pub pages_torn: u64,
    /// Files with an unsynced length that kept the newest.
    pub lengths_kept: u64,
    /// Files with an unsynced length that show another.
    pub lengths_lost: u64,
    /// Unsynced directory entries that kept their newest state.
    pub names_kept: u64,
    /// Unsynced directory entries that show another.
    pub names_lost: u64,
    /// Inodes to which no name leads any more.
    pub inodes_freed: u64,
}
