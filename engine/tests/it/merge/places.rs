//! Invariants of places: it makes no difference which writes lie in which memtable or sstable.

use bytes::Bytes;
use cenotaph_engine::keys::{DecoratedKey, Slice};
use cenotaph_engine::memtable::Memtable;
use cenotaph_engine::rows::{Mutation, Partition, TableId};
use cenotaph_engine::sstable::{Sstable, SstableId, SstableName, encode};

use crate::sstable::build::{INTERVAL, ready};

/// Ways to lay writes out, each write in a place; 0 is the memtable, the others are sstables.
pub(crate) fn layouts(count: usize) -> Vec<Vec<usize>> {
    let all = |place: fn(usize) -> usize| (0..count).map(place).collect();
    vec![
        all(|_| 0),
        all(|_| 1),
        all(|index| index + 1),
        // An sstable each, but for the last write.
        (0..count).map(|index| (index + 1) % count.max(1)).collect(),
        // Odd ones in one sstable, even ones in the memtable.
        all(|index| index % 2),
        all(|index| (index + 1) % 2),
        all(|index| index % 2 + 1),
    ]
}

/// What the sources of a layout hold of the slice.
pub(crate) fn sources(mutations: &[Mutation], layout: &[usize], slice: &Slice) -> Vec<Partition> {
    let Some(first) = mutations.first() else {
        return Vec::new();
    };
    let places = layout.iter().max().map_or(0, |last| last + 1);
    let mut sources = Vec::new();
    for place in 0..places {
        let memtable = Memtable::new(first.table);
        for (mutation, _) in mutations.iter().zip(layout).filter(|(_, at)| **at == place) {
            if !mutation.update.is_empty() {
                memtable.ticket().memtable().put(mutation.clone()).unwrap();
            }
        }
        if memtable.is_empty() {
            continue;
        }
        let content: Vec<_> = memtable.iter().collect();
        sources.extend(match place {
            0 => memtable.get(&first.key, slice),
            id => in_sstable(first.table, id, &content, &first.key, slice),
        });
    }
    sources
}

/// What an sstable of this content, in small blocks, gives back.
fn in_sstable(
    table: TableId,
    id: usize,
    content: &[(DecoratedKey, Partition)],
    key: &DecoratedKey,
    slice: &Slice,
) -> Option<Partition> {
    let name = SstableName {
        table,
        id: SstableId(id as u64),
    };
    let bytes = Bytes::from(encode(name, INTERVAL, 16, content));
    let sstable = Sstable::from_bytes(name, bytes).expect("it was just written");
    ready(sstable.get(key, slice)).expect("it was just written")
}
