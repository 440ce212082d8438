//! Steps beside a choice of names: tell when unsynced metadata was issued, and put what was chosen in its place.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::constraints::{DataOrder, MetadataOrder};
use super::directory::Name;
use super::inode::Ino;
use super::moment::Moment;
use super::volume::Disk;

impl Disk {
    /// When unsynced metadata was issued, and bytes where they are part of that history.
    pub(super) fn moments(&self) -> Vec<Moment> {
        let constraints = self.constraints();
        if constraints.metadata != MetadataOrder::Prefix {
            return Vec::new();
        }
        let data_too = constraints.data == DataOrder::Prefix;
        let mut moments = BTreeSet::new();
        for inode in self.inodes.values() {
            if let Some(content) = inode.content() {
                moments.extend(content.moments(data_too));
            } else if let Some(directory) = inode.directory() {
                let pending = directory.pending.iter();
                moments.extend(pending.map(|change| Moment::of_transaction(change.transaction)));
            }
        }
        moments.into_iter().collect()
    }

    /// Gives directories the entries that a crash left, and makes all names durable.
    pub(super) fn set_names(&mut self, images: Vec<(Ino, BTreeMap<Name, Ino>)>) {
        for (ino, entries) in images {
            let directory = self.directory_mut(ino);
            directory.pending.clear();
            directory.cached = entries.clone();
            directory.durable = entries;
        }
        Arc::make_mut(&mut self.moves).clear();
    }
}
