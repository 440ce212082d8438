//! Steps of a truncation: wait for compactions and flushes to end, and keep others out; switch memtables; let go
//! of the sstables and of the log up to the switch, in one edit of the manifest; then let the view go.
//!
//! A crash before the edit changes nothing, one after it leaves nothing: the files are unknown, and a replay
//! passes over the log up to the switch, whatever segments the crash brought back. A write that began before
//! the switch and ends after it goes with the memtable that it has its ticket for.

use super::edit::{Edit, Settled};
use super::error::StoreError;
use super::node::Store;
use super::table::TableStore;
use crate::commitlog::{Interval, Position};
use crate::sstable::SstableName;

impl Store {
    /// Empties a table of all that was written before. Returns the part of the log that it needs no more.
    ///
    /// # Errors
    /// [`StoreError::NoTable`] once the table is dropped, and the machine's: then the table still shows all
    /// that it had, and is empty only after a crash, if at all.
    pub async fn truncate_table(
        &self,
        table: &TableStore,
        log_position: impl Fn() -> Position,
    ) -> Result<Interval, StoreError> {
        let _compaction_turn = table.compaction_turn().await;
        let _flush_turn = table.flush_turn().await;
        table.check_exists()?;
        table.switch(log_position).await;
        let before = table.view();
        let sealed = before.flushing.last().expect("a switch seals a memtable");
        let interval = Interval {
            lower: Position::NONE,
            upper: sealed
                .interval()
                .expect("a memtable that a switch sealed has its interval")
                .upper,
        };
        let removed: Vec<SstableName> = self.manifest().with_contents(|contents| {
            let held = contents.sstables_of(table.id());
            held.map(|added| added.name).collect()
        });
        assert!(
            removed.iter().all(|name| before.holds(*name)),
            "nobody adds an sstable in our turn"
        );
        let edit = Edit {
            removed,
            settled: vec![Settled {
                table: table.id(),
                interval,
            }],
            ..Edit::default()
        };
        self.commit(&edit, || table.discard_sources(&before))
            .await?;
        Ok(interval)
    }
}
