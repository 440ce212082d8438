//! Invariants of what lies outside a compaction: its write times bound what may be purged; its tombstones may drop
//! what they cover inside, when they are in sstables.
//!
//! What such a tombstone covers is gone for good once the compaction is done, while the tombstone lies elsewhere. It
//! stays dead: the sstable of the tombstone is in the manifest, so a crash takes neither; nobody else takes sstables
//! of the table away before the compaction's edit is durable; and whoever purges the tombstone later finds
//! nothing more that it covers, or leaves it. When the edit fails, the inputs stay in the view with all that they
//! hold, and keep the tombstone. A tombstone in a memtable drops nothing: a crash may take it.

use std::collections::BTreeSet;

use crate::keys::{DecoratedKey, Slice};
use crate::planted::{self, Plant};
use crate::rows::{Outside, Partition};
use crate::schema::TombstoneOption;
use crate::sstable::{SstableError, SstableName};
use crate::store::View;

/// What the table has of a partition now, besides the inputs.
pub(super) fn outside(view: &View, inputs: &BTreeSet<SstableName>, key: &DecoratedKey) -> Outside {
    let memtables = view
        .memtables()
        .filter_map(|slot| slot.memtable().timestamps_of(key));
    let sstables = view
        .sstables
        .iter()
        .filter(|sstable| !inputs.contains(&sstable.name()) && sstable.may_hold(key));
    let memtable_micros = memtables.map(|timestamps| timestamps.min).min();
    Outside {
        memtable_micros: memtable_micros.filter(|_| !planted::on(Plant::P01)),
        sstable_micros: sstables
            .map(|sstable| sstable.statistics().totals.timestamp_min)
            .min(),
    }
}

/// The tombstones of a partition in sstables of the view that are not inputs, as far as the option lets them drop
/// anything.
pub(super) async fn shade(
    view: &View,
    inputs: &BTreeSet<SstableName>,
    key: &DecoratedKey,
    option: TombstoneOption,
) -> Result<Partition, SstableError> {
    let mut shade = Partition::default();
    let others = view.sstables.iter();
    for sstable in others.filter(|sstable| !inputs.contains(&sstable.name())) {
        if sstable.statistics().totals.tombstone_count() == 0 {
            continue;
        }
        let found = match option {
            TombstoneOption::None => None,
            TombstoneOption::Row => sstable.deletions_of(key).await?,
            TombstoneOption::Cell => sstable.get(key, &Slice::ALL).await?,
        };
        if let Some(found) = found {
            shade.apply(found.into_tombstones());
        }
    }
    Ok(shade)
}
