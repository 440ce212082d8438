//! Vocabulary of disk requests at which faults strike, by what a scenario is about.

use crate::plan::{FileRole, IoKind};

/// Files of a role, and what is asked of them.
pub(super) type Place = (FileRole, IoKind);

/// What a boot and a serving node ask of the disk.
pub(super) const ALL: [Place; 20] = [
    (FileRole::Commitlog, IoKind::Write),
    (FileRole::Commitlog, IoKind::Sync),
    (FileRole::Metadata, IoKind::Write),
    (FileRole::Metadata, IoKind::Sync),
    (FileRole::Data, IoKind::Write),
    (FileRole::Data, IoKind::Sync),
    (FileRole::Manifest, IoKind::Write),
    (FileRole::Manifest, IoKind::Sync),
    (FileRole::Commitlog, IoKind::Open),
    (FileRole::Commitlog, IoKind::Read),
    (FileRole::Commitlog, IoKind::Remove),
    (FileRole::Commitlog, IoKind::SyncDir),
    (FileRole::Commitlog, IoKind::List),
    (FileRole::Data, IoKind::Open),
    (FileRole::Data, IoKind::Read),
    (FileRole::Data, IoKind::SyncDir),
    (FileRole::Metadata, IoKind::Open),
    (FileRole::Metadata, IoKind::Read),
    (FileRole::Manifest, IoKind::Open),
    (FileRole::Manifest, IoKind::Read),
];

/// Flushes first: they go on after a write that failed, and must not take it for done.
pub(super) const WRITES: [Place; 6] = [
    (FileRole::Data, IoKind::Write),
    (FileRole::Data, IoKind::Write),
    (FileRole::Data, IoKind::Write),
    (FileRole::Commitlog, IoKind::Write),
    (FileRole::Manifest, IoKind::Write),
    (FileRole::Metadata, IoKind::Write),
];

pub(super) const SYNCS: [Place; 8] = [
    (FileRole::Commitlog, IoKind::Sync),
    (FileRole::Commitlog, IoKind::Sync),
    (FileRole::Commitlog, IoKind::Sync),
    (FileRole::Data, IoKind::Sync),
    (FileRole::Data, IoKind::Sync),
    (FileRole::Data, IoKind::Sync),
    (FileRole::Manifest, IoKind::Sync),
    (FileRole::Metadata, IoKind::Sync),
];

/// What flushes ask: of several that run at once, each may be the last that is done.
pub(super) const OF_FLUSHES: [Place; 8] = [
    (FileRole::Manifest, IoKind::Sync),
    (FileRole::Manifest, IoKind::Write),
    (FileRole::Manifest, IoKind::Sync),
    (FileRole::Data, IoKind::Sync),
    (FileRole::Manifest, IoKind::Sync),
    (FileRole::Manifest, IoKind::Sync),
    (FileRole::Manifest, IoKind::Write),
    (FileRole::Manifest, IoKind::Sync),
];

/// What flushes and compactions ask: a merge is whole or absent only if each of these may be the last.
pub(super) const OF_MERGES: [Place; 14] = [
    (FileRole::Manifest, IoKind::Write),
    (FileRole::Manifest, IoKind::Sync),
    (FileRole::Data, IoKind::Write),
    (FileRole::Data, IoKind::Sync),
    (FileRole::Data, IoKind::SyncDir),
    (FileRole::Data, IoKind::Remove),
    (FileRole::Manifest, IoKind::Write),
    (FileRole::Manifest, IoKind::Sync),
    (FileRole::Data, IoKind::Read),
    (FileRole::Data, IoKind::Open),
    (FileRole::Commitlog, IoKind::Sync),
    (FileRole::Commitlog, IoKind::Remove),
    (FileRole::Data, IoKind::Remove),
    (FileRole::Data, IoKind::Remove),
];

/// What a schema change and the flush after it ask.
pub(super) const OF_SCHEMA: [Place; 12] = [
    (FileRole::Data, IoKind::Write),
    (FileRole::Data, IoKind::Sync),
    (FileRole::Manifest, IoKind::Write),
    (FileRole::Manifest, IoKind::Sync),
    (FileRole::Commitlog, IoKind::Write),
    (FileRole::Commitlog, IoKind::Sync),
    (FileRole::Metadata, IoKind::Write),
    (FileRole::Metadata, IoKind::Sync),
    (FileRole::Data, IoKind::SyncDir),
    (FileRole::Data, IoKind::Open),
    (FileRole::Commitlog, IoKind::Remove),
    (FileRole::Manifest, IoKind::Read),
];

/// Writes of sstables alone.
pub(super) const DATA_WRITES: [Place; 1] = [(FileRole::Data, IoKind::Write)];
