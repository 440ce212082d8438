//! Steps of marking a table's sstables as repaired: wait for the compaction under way; name those that are not yet,
//! in one edit of the manifest. The files do not change.
//!
//! What is still in a memtable is not marked, nor is what is flushed meanwhile: flush first. An sstable keeps the
//! second of its first repair.

use super::edit::{Edit, Repaired};
use super::error::StoreError;
use super::node::Store;
use super::table::TableStore;

impl Store {
    /// Marks what the table has in sstables as repaired at the wall second `seconds`. Returns how many were not.
    ///
    /// # Errors
    /// [`StoreError::NoTable`] once the table is dropped, and the machine's: then they may turn out, after a
    /// crash, to be marked.
    pub async fn mark_repaired(&self, table: &TableStore, seconds: u32) -> Result<u64, StoreError> {
        // Else the inputs of a compaction would change under it, and its output be what they were.
        let _turn = table.compaction_turn().await;
        table.check_exists()?;
        let names = table
            .view()
            .sstables
            .iter()
            .map(|sstable| sstable.name())
            .collect::<Vec<_>>();
        let seconds = seconds.max(1);
        let repaired: Vec<Repaired> = self.manifest().with_contents(|contents| {
            let unrepaired = names
                .into_iter()
                .filter(|name| contents.repaired_seconds(*name).is_none());
            unrepaired.map(|name| Repaired { name, seconds }).collect()
        });
        let count = repaired.len() as u64;
        if count > 0 {
            let edit = Edit {
                repaired,
                ..Edit::default()
            };
            self.commit(&edit, || ()).await?;
        }
        Ok(count)
    }
}
