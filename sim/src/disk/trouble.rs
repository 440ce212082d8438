//! Vocabulary of troubles: each way in which the disk itself misbehaves, with the mark that says software met it.

use std::sync::atomic::{AtomicU32, Ordering};

use super::volume::Disk;

/// A way in which the disk misbehaves. It shows when a call meets it, not when it is planted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Trouble {
    /// A sync reported a failed writeback.
    FailedSync,
    /// A sync found no space for what it was to write.
    NoRoom,
    /// Bytes that a failed writeback lost went from the cache.
    Evicted,
    /// A call was refused since the file system is mounted to read only.
    ReadOnly,
    /// A call was refused since the file system has shut down or is gone.
    ShutDown,
    /// A sector could not be read.
    Unreadable,
    /// A read showed another sector's bytes.
    MisdirectedRead,
    /// A write was lost, or landed elsewhere.
    AstrayWrite,
    /// A write that was given up landed.
    LateWrite,
    /// A file was damaged, went, or became an older one.
    Damaged,
    /// A call met a file that was removed behind its back.
    Stale,
    /// A name led to an inode that was never written.
    Unclean,
}

impl Trouble {
    /// All of them.
    pub const ALL: [Trouble; 12] = [
        Trouble::FailedSync,
        Trouble::NoRoom,
        Trouble::Evicted,
        Trouble::ReadOnly,
        Trouble::ShutDown,
        Trouble::Unreadable,
        Trouble::MisdirectedRead,
        Trouble::AstrayWrite,
        Trouble::LateWrite,
        Trouble::Damaged,
        Trouble::Stale,
        Trouble::Unclean,
    ];

    /// The mark that says that it showed.
    #[must_use]
    pub const fn mark(self) -> &'static str {
        match self {
            Trouble::FailedSync => "disk.trouble.failed-sync",
            Trouble::NoRoom => "disk.trouble.no-room",
            Trouble::Evicted => "disk.trouble.evicted",
            Trouble::ReadOnly => "disk.trouble.read-only",
            Trouble::ShutDown => "disk.trouble.shut-down",
            Trouble::Unreadable => "disk.trouble.unreadable",
            Trouble::MisdirectedRead => "disk.trouble.misdirected-read",
            Trouble::AstrayWrite => "disk.trouble.astray-write",
            Trouble::LateWrite => "disk.trouble.late-write",
            Trouble::Damaged => "disk.trouble.damaged",
            Trouble::Stale => "disk.trouble.stale",
            Trouble::Unclean => "disk.trouble.unclean",
        }
    }

    const fn bit(self) -> u32 {
        1 << self as u32
    }
}

/// The troubles that showed, a bit each.
#[derive(Debug, Default)]
pub(super) struct Shown(AtomicU32);

impl Clone for Shown {
    fn clone(&self) -> Shown {
        Shown(AtomicU32::new(self.0.load(Ordering::Relaxed)))
    }
}

impl Disk {
    /// The troubles that showed since this was last asked.
    pub fn take_shown(&mut self) -> impl Iterator<Item = Trouble> + use<> {
        let bits = std::mem::take(self.shown.0.get_mut());
        let troubles = Trouble::ALL.into_iter();
        troubles.filter(move |trouble| bits & trouble.bit() != 0)
    }

    pub(super) fn show(&self, trouble: Trouble) {
        self.shown.0.fetch_or(trouble.bit(), Ordering::Relaxed);
    }
}
