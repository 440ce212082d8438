//! Invariants of inputs that go unread: all in them is dead and past its grace, and everything else that the table
//! has of their keys is younger than anything in them. So a merge would have purged all of it.
//!
//! Younger than the youngest: another sstable, input or not, that may hold the same keys and stays, and whatever
//! was put into a memtable, shadowed or not. Two that go shadow nothing of each other that is alive.

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::sstable::{Sstable, SstableName, Totals};
use crate::store::View;

/// The inputs that may go without being read, given all that the table has now.
pub(super) fn expired(
    view: &View,
    inputs: &[Rc<Sstable>],
    gc_before_seconds: u32,
) -> BTreeSet<SstableName> {
    let memtables = view.memtables();
    let written = memtables.filter_map(|slot| slot.memtable().timestamps());
    let memtable_min = written.map(|timestamps| timestamps.min).min();
    let is_dead = |sstable: &Sstable| {
        let totals = &sstable.statistics().totals;
        let is_above = memtable_min.is_some_and(|min| totals.timestamp_max >= min);
        totals.local_deletion_seconds_max < gc_before_seconds && !is_above
    };
    let (mut going, _): (Vec<_>, Vec<_>) = inputs.iter().partition(|input| is_dead(input));
    let names: BTreeSet<SstableName> = going.iter().map(|sstable| sstable.name()).collect();
    let stays = |sstable: &&Rc<Sstable>| !names.contains(&sstable.name());
    let mut staying: Vec<&Rc<Sstable>> = view.sstables.iter().filter(stays).collect();
    // Each that stays may keep others, and those again others.
    while let Some(keeper) = staying.pop() {
        let (kept, rest) = going.into_iter().partition(|input| is_above(input, keeper));
        staying.extend::<Vec<_>>(kept);
        going = rest;
    }
    going.into_iter().map(|sstable| sstable.name()).collect()
}

/// Whether something in `sstable` may cover something in `other`.
fn is_above(sstable: &Sstable, other: &Sstable) -> bool {
    let (mine, theirs): (&Totals, &Totals) =
        (&sstable.statistics().totals, &other.statistics().totals);
    mine.timestamp_max >= theirs.timestamp_min && sstable.statistics().overlaps(other.statistics())
}
