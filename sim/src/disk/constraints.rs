//! Vocabulary of constraints: what a profile is made of, and the only thing a crash asks about it.

/// Which unsynced metadata survives: names, cuts, growths without bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MetadataOrder {
    /// None of it.
    Synced,
    /// Whatever was issued before one moment, over the whole disk: a journal. A length that a write
    /// reached enters at some later time, so it may be missing though later names are in; it is never
    /// in while earlier metadata is out.
    Prefix,
    /// Each entry and each length by itself.
    Free,
}

/// Which unsynced bytes survive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DataOrder {
    /// None of them.
    Synced,
    /// Whatever was issued before the moment that ends the metadata too; the write at that moment
    /// may be torn.
    Prefix,
    /// Each extent whole or not at all, since it is written elsewhere and then linked in as metadata
    /// is; writes that share a page stay in order.
    Extents,
    /// Each tear unit by itself, whatever the metadata does.
    Units,
}

/// What a range shows when a length that takes it in survived.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GrowthFill {
    /// The bytes written, zeros, or former bytes of the blocks.
    Former,
    /// The bytes written, or zeros.
    Zeros,
    /// The bytes written: the length follows its bytes.
    Written,
}

/// What else becomes durable when a file or a directory is synced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SyncScope {
    /// Nothing: the file's content, the directory's entries.
    Own,
    /// With a file, the names that lead to it; other names stay out.
    Names,
    /// All metadata issued so far.
    Journal,
    /// All that was issued so far.
    Everything,
}

/// What the drive does when it is told to write its cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Drive {
    /// It does so.
    Honest,
    /// It says so. A power cut loses any part of what was synced since the cache was last drained.
    Lying,
    /// It says so. A power cut loses the last syncs, in their order.
    LyingInOrder,
    /// As `Lying`, and it keeps no order within what the file system itself relies on: now and then a
    /// power cut leaves nothing that can be mounted.
    Unsafe,
}

/// When bytes get their blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Allocation {
    /// When they are written to the cache: a full disk refuses the write.
    AtWrite,
    /// When they are written out: a full disk fails the sync, and what it was to write is lost.
    AtSync,
}

/// What a crash may do to what was not synced, and what a sync covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Constraints {
    /// Which names and lengths survive.
    pub metadata: MetadataOrder,
    /// Which bytes survive.
    pub data: DataOrder,
    /// What shows where a file grew.
    pub growth: GrowthFill,
    /// What a sync takes along.
    pub sync_scope: SyncScope,
    /// A file renamed over another, or closed after a cut to nothing, has its blocks allocated first:
    /// its length is then metadata issued at that time.
    pub allocates_replacements: bool,
    /// A rename of a file may lose both names, though nobody synced the old one's directory; and the
    /// file whose place it takes may go though it does not come.
    pub rename_loses_both: bool,
    /// What stands between a sync and the medium.
    pub drive: Drive,
    /// When a full disk shows.
    pub allocation: Allocation,
    /// A rename of a file never leaves both names.
    pub rename_is_whole: bool,
    /// The last handle's close writes a file out.
    pub close_syncs: bool,
    /// A name may be there while its file's inode is not: opening it is refused.
    pub names_may_come_first: bool,
}

impl Constraints {
    /// Nothing unsynced survives.
    pub const STRICT: Constraints = Constraints {
        metadata: MetadataOrder::Synced,
        data: DataOrder::Synced,
        growth: GrowthFill::Zeros,
        sync_scope: SyncScope::Own,
        allocates_replacements: false,
        rename_loses_both: false,
        drive: Drive::Honest,
        allocation: Allocation::AtWrite,
        rename_is_whole: false,
        close_syncs: false,
        names_may_come_first: false,
    };

    /// Each register fares by itself.
    pub const ADVERSARIAL: Constraints = Constraints {
        metadata: MetadataOrder::Free,
        data: DataOrder::Units,
        growth: GrowthFill::Former,
        ..Constraints::STRICT
    };

    /// A journal of metadata, with data written in place beside it.
    pub const JOURNAL: Constraints = Constraints {
        metadata: MetadataOrder::Prefix,
        data: DataOrder::Units,
        growth: GrowthFill::Zeros,
        sync_scope: SyncScope::Journal,
        ..Constraints::STRICT
    };

    /// Whether anything unsynced survives.
    pub(super) const fn keeps_unsynced(self) -> bool {
        !matches!(self.data, DataOrder::Synced)
    }

    /// Whether a medium of its own stands behind the drive's cache.
    pub(super) const fn has_medium(self) -> bool {
        matches!(self.drive, Drive::Lying | Drive::Unsafe)
    }

    /// Whether a crash asks when things were issued, so that the history must stay whole.
    pub(super) const fn keeps_order(self) -> bool {
        matches!(self.metadata, MetadataOrder::Prefix)
    }
}
