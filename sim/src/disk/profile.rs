//! Vocabulary of profiles: named sets of constraints.

use super::constraints::{Allocation, Constraints, DataOrder, Drive, GrowthFill, SyncScope};

/// What survives a crash beyond what was synced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Profile {
    /// Nothing: what was not synced is gone. Finds missing syncs at once, hides wrong orders.
    Strict,
    /// Anything POSIX does not forbid: each sector, length and name by itself. A superset of every
    /// real file system on an honest drive.
    PosixAdversarial,
    /// As [`Profile::PosixAdversarial`], with renames of files that may leave no name at all. No
    /// software that replaces a file by a rename survives it: what it can do is notice.
    PosixHostile,
    /// All operations up to some moment, bytes included: ext4 with `data=journal`.
    HonestPrefix,
    /// ext4 as mounted by default: a journal of metadata; bytes in place and in any order; zeros
    /// where a length outran them; a replaced file's length in before its rename.
    Ext4Ordered,
    /// As [`Profile::Ext4Ordered`], with `noauto_da_alloc`: a replacing rename may show an empty file.
    Ext4LateAllocation,
    /// As [`Profile::Ext4Ordered`], with `data=writeback`: former bytes where a length outran the bytes.
    /// One thing here [`Profile::PosixAdversarial`] lacks: where a file grew back after a cut that no
    /// sync of the file covered, that one shows zeros and never former bytes.
    Ext4Writeback,
    /// XFS: a journal of metadata; bytes in place and in any order; lengths follow their bytes.
    Xfs,
    /// btrfs: extents whole or not at all; a sync takes a file and its names, and leaves other names.
    Btrfs,
    /// As [`Profile::PosixAdversarial`], on a drive that only says that it wrote what was synced.
    LyingDrive,
    /// As [`Profile::LyingDrive`], on a drive whose cache keeps no order at all (a virtual machine's,
    /// told to ignore flushes): the file system may be gone.
    CacheUnsafe,
    /// ext2: no journal, so that each register fares by itself, and a name may lead to an inode that
    /// was never written.
    Ext2,
    /// NFS: a close writes a file out and hears of errors, a rename is whole, lengths follow their
    /// bytes.
    Nfs,
    /// [`Profile::Xfs`] on thinly provisioned storage: a full pool shows at the sync, which loses what
    /// it was to write.
    XfsThin,
    /// A profile of one's own.
    Custom(Constraints),
}

impl Profile {
    /// The named profiles.
    pub const NAMED: [Profile; 14] = [
        Profile::Strict,
        Profile::PosixAdversarial,
        Profile::PosixHostile,
        Profile::HonestPrefix,
        Profile::Ext4Ordered,
        Profile::Ext4LateAllocation,
        Profile::Ext4Writeback,
        Profile::Xfs,
        Profile::Btrfs,
        Profile::LyingDrive,
        Profile::CacheUnsafe,
        Profile::Ext2,
        Profile::Nfs,
        Profile::XfsThin,
    ];

    /// Profiles, each with one that allows all that it allows, at equal tear.
    pub const CHAIN: [(Profile, Profile); 9] = [
        (Profile::PosixAdversarial, Profile::PosixHostile),
        (Profile::Strict, Profile::PosixAdversarial),
        (Profile::HonestPrefix, Profile::Ext4Ordered),
        (Profile::Ext4Ordered, Profile::Ext4LateAllocation),
        (Profile::Ext4Ordered, Profile::Ext4Writeback),
        (Profile::Ext4LateAllocation, Profile::PosixAdversarial),
        (Profile::Xfs, Profile::Ext4LateAllocation),
        (Profile::Xfs, Profile::PosixAdversarial),
        (Profile::Btrfs, Profile::PosixAdversarial),
    ];

    /// The named profiles whose drive is honest.
    pub fn honest() -> impl Iterator<Item = Profile> {
        let named = Profile::NAMED.into_iter();
        named.filter(|profile| profile.constraints().drive == Drive::Honest)
    }

    /// What the profile is made of.
    #[must_use]
    pub const fn constraints(self) -> Constraints {
        match self {
            Profile::Strict => Constraints::STRICT,
            Profile::PosixAdversarial => Constraints::ADVERSARIAL,
            Profile::PosixHostile => Constraints {
                rename_loses_both: true,
                ..Constraints::ADVERSARIAL
            },
            Profile::HonestPrefix => Constraints {
                data: DataOrder::Prefix,
                sync_scope: SyncScope::Everything,
                ..Constraints::JOURNAL
            },
            Profile::Ext4Ordered => Constraints {
                allocates_replacements: true,
                ..Constraints::JOURNAL
            },
            Profile::Ext4LateAllocation => Constraints::JOURNAL,
            Profile::Ext4Writeback => Constraints {
                growth: GrowthFill::Former,
                allocates_replacements: true,
                ..Constraints::JOURNAL
            },
            Profile::Xfs => Constraints {
                growth: GrowthFill::Written,
                ..Constraints::JOURNAL
            },
            Profile::Btrfs => Constraints {
                data: DataOrder::Extents,
                growth: GrowthFill::Written,
                sync_scope: SyncScope::Names,
                ..Constraints::JOURNAL
            },
            Profile::LyingDrive => Constraints {
                drive: Drive::Lying,
                ..Constraints::ADVERSARIAL
            },
            Profile::CacheUnsafe => Constraints {
                drive: Drive::Unsafe,
                ..Constraints::ADVERSARIAL
            },
            Profile::Ext2 => Constraints {
                names_may_come_first: true,
                ..Constraints::ADVERSARIAL
            },
            Profile::Nfs => Constraints {
                growth: GrowthFill::Written,
                rename_is_whole: true,
                close_syncs: true,
                ..Constraints::ADVERSARIAL
            },
            Profile::XfsThin => Constraints {
                growth: GrowthFill::Written,
                allocation: Allocation::AtSync,
                ..Constraints::JOURNAL
            },
            Profile::Custom(constraints) => constraints,
        }
    }
}
