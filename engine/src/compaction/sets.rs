//! Invariants of the sets that a compaction takes: an sstable is in one; in a table that purges only what is
//! repaired, none holds both kinds; what comes of a set is repaired when all in it are, since the earliest of them.

use std::rc::Rc;

use crate::schema::PurgeOptions;
use crate::sstable::Sstable;
use crate::store::Manifest;

/// Sstables that become one.
pub(super) struct Set {
    pub(super) inputs: Vec<Rc<Sstable>>,
    /// Since which wall second all are repaired; none when not all are.
    pub(super) repaired_seconds: Option<u32>,
    /// Nothing may be purged from them.
    pub(super) is_unrepaired: bool,
    /// What the table says.
    pub(super) options: PurgeOptions,
}

/// The sets of a table's sstables, repaired ones first, none empty.
pub(super) fn sets(
    manifest: &Manifest,
    sstables: &[Rc<Sstable>],
    options: PurgeOptions,
) -> Vec<Set> {
    let repaired = |sstable: &Rc<Sstable>| {
        manifest.with_contents(|contents| contents.repaired_seconds(sstable.name()))
    };
    let is_split = options.only_purge_repaired_tombstones;
    let (one, other): (Vec<_>, Vec<_>) = sstables
        .iter()
        .map(Rc::clone)
        .partition(|sstable| !is_split || repaired(sstable).is_some());
    let set = |inputs: Vec<Rc<Sstable>>| {
        let seconds: Option<Vec<u32>> = inputs.iter().map(repaired).collect();
        let repaired_seconds = seconds.and_then(|seconds| seconds.into_iter().min());
        Set {
            inputs,
            repaired_seconds,
            is_unrepaired: is_split && repaired_seconds.is_none(),
            options,
        }
    };
    let sets = [one, other].into_iter();
    sets.filter(|inputs| !inputs.is_empty()).map(set).collect()
}
