//! Invariants of a lying drive: it says that a sync is done, and holds the bytes in a cache without power.
//!
//! The medium behind an unordered cache is a disk of its own that sees every operation but no sync:
//! what a power cut leaves of it is any of its versions. Behind an ordered cache the medium is the
//! disk as it was before one of the last syncs. Where the kernel ends or a write fails, the drive
//! keeps its power, and counts as drained.

use super::constraints::Drive;
use super::volume::Disk;

/// Syncs that an ordered cache holds back at most.
const SYNCS_MAX: usize = 8;

/// What lies behind the drive's cache; nothing on an honest drive.
#[derive(Clone, Default)]
pub(super) struct Behind {
    /// The medium of an unordered cache.
    medium: Option<Box<Disk>>,
    /// The disk before each sync that an ordered cache holds back.
    before_syncs: Vec<Disk>,
}

impl Behind {
    /// The disk before each sync that an ordered cache holds back.
    pub(super) fn before_syncs(&self) -> &[Disk] {
        &self.before_syncs
    }
}

impl Disk {
    /// The drive writes its cache: what was synced so far survives a power cut too. Changes nothing
    /// on an honest drive.
    pub fn drain_drive(&mut self) {
        self.behind = Behind::default();
        if self.constraints().has_medium() {
            let mut medium = self.clone();
            // Removals free space as soon as they are synced, on the medium only when drained: it
            // may hold more for a while.
            medium.options.capacity_bytes = u64::MAX;
            self.behind.medium = Some(Box::new(medium));
        }
    }

    /// Does an operation to the medium of an unordered cache too.
    pub(super) fn mirror(&mut self, operate: impl FnOnce(&mut Disk)) {
        if let Some(medium) = &mut self.behind.medium {
            operate(medium);
        }
    }

    /// A sync is about to be held back, where the cache is ordered.
    pub(super) fn hold_sync_back(&mut self) {
        if self.constraints().drive != Drive::LyingInOrder {
            return;
        }
        let mut before_syncs = std::mem::take(&mut self.behind.before_syncs);
        if before_syncs.len() == SYNCS_MAX {
            before_syncs.remove(0);
        }
        before_syncs.push(self.clone());
        self.behind.before_syncs = before_syncs;
    }

    /// The power ends: what is left of the drive is one of these disks, the last of them with
    /// nothing lost.
    pub(super) fn behind_drive(mut self) -> Vec<Disk> {
        let behind = std::mem::take(&mut self.behind);
        let options = self.options;
        let mut disks = behind.before_syncs;
        disks.push(behind.medium.map_or(self, |medium| *medium));
        for disk in &mut disks {
            disk.options = options;
        }
        disks
    }

    /// The medium behind an unordered cache.
    pub(super) fn medium(&self) -> Option<&Disk> {
        self.behind.medium.as_deref()
    }
}
