//! Steps of a flush: take the table's turn; flush again what failed before; switch memtables; wait for the
//! writes under way; write the sstable; record it in the manifest; swap the view; give the log back.
//!
//! Each step is durable before the next: file content, directory, manifest, and only then the log goes.

use std::rc::Rc;

use super::background::Flusher;
use super::error::FlushError;
use super::write::write_sstable;
use crate::commitlog::Interval;
use crate::rows::TableId;
use crate::store::{Edit, Slot, StoreError, TableStore};

impl Flusher {
    /// Brings all that was written to the table before the call into sstables.
    ///
    /// # Errors
    /// [`FlushError`]; nothing is lost by it, and the next flush tries again.
    pub async fn flush_table(&self, id: TableId) -> Result<(), FlushError> {
        let table = self.store.table(id)?;
        let result = self.flush_in_turn(&table).await;
        if let Err(error) = &result {
            self.host.mark("flush.failed");
            self.metrics.node.flush_failures.increment();
            tracing::warn!(table = id.0, %error, "flush failed");
        }
        result
    }

    /// Brings all that was written before the call into sstables. Tables dropped meanwhile do not matter.
    ///
    /// # Errors
    /// The first failure, after every table had its turn.
    pub async fn flush_all(&self) -> Result<(), FlushError> {
        let mut first_error = None;
        for table in self.store.tables() {
            match self.flush_table(table.id()).await {
                Ok(()) | Err(FlushError::Store(StoreError::NoTable { .. })) => {}
                Err(error) => first_error = first_error.or(Some(error)),
            }
        }
        first_error.map_or(Ok(()), Err)
    }

    async fn flush_in_turn(&self, table: &Rc<TableStore>) -> Result<(), FlushError> {
        let _turn = table.flush_turn().await;
        table.check_exists()?;
        // What failed before goes first, and while it fails no further memtable is sealed.
        self.flush_sealed(table).await?;
        table.switch(|| self.log.position()).await;
        self.flush_sealed(table).await
    }

    async fn flush_sealed(&self, table: &Rc<TableStore>) -> Result<(), FlushError> {
        let sealed = table.view().flushing.clone();
        for slot in sealed {
            let interval = slot.interval().expect("what is being flushed is sealed");
            slot.memtable().no_tickets().await;
            if slot.memtable().is_empty() {
                self.host.mark("flush.empty");
                table.replace_flushed(&slot, None);
            } else {
                self.flush_slot(table, &slot, interval).await?;
            }
            self.discard(table.id(), interval).await;
        }
        Ok(())
    }

    async fn flush_slot(
        &self,
        table: &TableStore,
        slot: &Rc<Slot>,
        interval: Interval,
    ) -> Result<(), FlushError> {
        let block_size = self.options.block_size;
        let (added, sstable) =
            write_sstable(&self.store, slot.memtable(), interval, block_size).await?;
        if let Err(error) = table.check_exists() {
            self.store.remove_file(added.name).await;
            return Err(error.into());
        }
        // When this fails, the edit may still turn out to have happened: the file has to stay.
        self.store
            .manifest()
            .commit(&Edit {
                added: vec![added],
                ..Edit::default()
            })
            .await?;
        table.replace_flushed(slot, Some(sstable));
        self.metrics.node.flushes.increment();
        self.metrics.node.flush_bytes.add(added.size);
        let table_metrics = self.metrics.table(table.id().0);
        table_metrics.flushes.increment();
        table_metrics.flush_bytes.add(added.size);
        tracing::info!(sstable = %added.name, size = added.size, %interval, "memtable flushed");
        Ok(())
    }

    /// Gives back what the log holds of the table in the interval. A failure costs space and no more: the
    /// next flush tries again, and a segment that stays is read in vain.
    pub(super) async fn discard(&self, table: TableId, interval: Interval) {
        if let Err(error) = self.log.discard(table, interval).await {
            self.host.mark("flush.segment-left");
            tracing::warn!(table = table.0, %error, "log segments left for later");
        }
    }
}
