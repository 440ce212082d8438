//! Vocabulary of disks: what a crash may leave of unsynced writes, and how it tears one.

use std::fmt;

use cenotaph_sim::disk::{Profile, Tear};
use serde::{Deserialize, Serialize};

use super::fault::named;

named! {
    /// What a crash may leave of unsynced writes.
    #[derive(Default)]
    DiskProfile {
        /// Nothing of them.
        Strict = "strict",
        /// All that POSIX allows.
        #[default]
        PosixAdversarial = "posix-adversarial",
        /// That, and renames that leave no name.
        PosixHostile = "posix-hostile",
        /// All operations up to some moment.
        HonestPrefix = "honest-prefix",
        /// As ext4 does by default.
        Ext4Ordered = "ext4-ordered",
        /// As ext4 does with `noauto_da_alloc`.
        Ext4LateAllocation = "ext4-late-allocation",
        /// As ext4 does with `data=writeback`.
        Ext4Writeback = "ext4-writeback",
        /// As XFS does.
        Xfs = "xfs",
        /// As btrfs does.
        Btrfs = "btrfs",
        /// All that POSIX allows, and on a power cut synced writes may be gone, too.
        LyingDrive = "lying-drive",
    }
}

named! {
    /// The unit in which a crash keeps or loses what was written, and what becomes of one whose write the
    /// power cut interrupts.
    #[derive(Default)]
    DiskTear {
        /// Whole pages of 4 KiB.
        Page4k = "page-4k",
        /// Sectors of 512 bytes.
        #[default]
        Sector512 = "sector-512",
        /// Each write whole or not at all.
        Atomic = "atomic",
        /// The first sectors of a write.
        FirstSectors = "first-sectors",
        /// Sectors; one may be written from either end up to some byte.
        EitherEnd = "either-end",
        /// Pages; one may be written for three or seven eighths.
        Shorn = "shorn",
        /// Sectors; the bytes written to one may be garbage.
        GarbageInRange = "garbage-in-range",
        /// Sectors; one may be garbage whole.
        GarbageSector = "garbage-sector",
        /// Sectors; one may be unreadable.
        Unreadable = "unreadable",
        /// Sectors; the page around one may be garbage.
        GarbagePage = "garbage-page",
    }
}

impl From<DiskProfile> for Profile {
    fn from(profile: DiskProfile) -> Profile {
        match profile {
            DiskProfile::Strict => Profile::Strict,
            DiskProfile::PosixAdversarial => Profile::PosixAdversarial,
            DiskProfile::PosixHostile => Profile::PosixHostile,
            DiskProfile::HonestPrefix => Profile::HonestPrefix,
            DiskProfile::Ext4Ordered => Profile::Ext4Ordered,
            DiskProfile::Ext4LateAllocation => Profile::Ext4LateAllocation,
            DiskProfile::Ext4Writeback => Profile::Ext4Writeback,
            DiskProfile::Xfs => Profile::Xfs,
            DiskProfile::Btrfs => Profile::Btrfs,
            DiskProfile::LyingDrive => Profile::LyingDrive,
        }
    }
}

impl From<DiskTear> for Tear {
    fn from(tear: DiskTear) -> Tear {
        match tear {
            DiskTear::Page4k => Tear::Page4k,
            DiskTear::Sector512 => Tear::Sector512,
            DiskTear::Atomic => Tear::Atomic,
            DiskTear::FirstSectors => Tear::FirstSectors,
            DiskTear::EitherEnd => Tear::EitherEnd,
            DiskTear::Shorn => Tear::Shorn,
            DiskTear::GarbageInRange => Tear::GarbageInRange,
            DiskTear::GarbageSector => Tear::GarbageSector,
            DiskTear::Unreadable => Tear::Unreadable,
            DiskTear::GarbagePage => Tear::GarbagePage,
        }
    }
}
