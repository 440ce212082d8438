//! Steps of a flush: take a place among the table's flushes; make room for one more sealed memtable; switch
//! memtables; then, until all that was sealed is in sstables, for each that nobody writes: wait for the
//! writes under way; write the sstable; record it in the manifest; swap the view; give the log back.
//!
//! Each step is durable before the next: file content, directory, manifest, and only then the log goes.
//! Flushes of a table may end in any order: each stands for its own interval of the log and no other.

use std::rc::Rc;

use super::background::Flusher;
use super::error::FlushError;
use super::write::write_sstable;
use crate::commitlog::Interval;
use crate::planted::{self, Plant};
use crate::rows::TableId;
use crate::store::{Edit, Slot, StoreError, TableStore, View};

/// What one flush has tried and failed to write; others may still succeed.
#[derive(Default)]
struct Failures {
    slots: Vec<Rc<Slot>>,
    first_error: Option<FlushError>,
}

impl Failures {
    fn note(&mut self, slot: Rc<Slot>, error: FlushError) {
        self.slots.push(slot);
        self.first_error.get_or_insert(error);
    }

    fn holds(&self, slot: &Rc<Slot>) -> bool {
        self.slots.iter().any(|failed| Rc::ptr_eq(failed, slot))
    }
}

impl Flusher {
    /// Brings all that was written to the table before the call into sstables.
    ///
    /// # Errors
    /// [`FlushError`]; nothing is lost by it, and the next flush tries again.
    pub async fn flush_table(&self, id: TableId) -> Result<(), FlushError> {
        let table = self.store.table(id)?;
        let result = self.flush_in_place(&table).await;
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

    async fn flush_in_place(&self, table: &Rc<TableStore>) -> Result<(), FlushError> {
        let sealed_max = self.options.flushes_per_table_max;
        let _place = table.flush_place(sealed_max).await;
        table.check_exists()?;
        let mut failures = Failures::default();
        // What is sealed is in memory until it is written: no more than so many wait for that.
        let in_the_way = |view: &View| match view.flushing.len() < sealed_max {
            true => Vec::new(),
            false => view.flushing.clone(),
        };
        self.write_all(table, in_the_way, &mut failures).await?;
        table.switch(|| self.log.position()).await;
        let sealed = table.view().flushing.clone();
        let unwritten = |view: &View| {
            let flushing = |slot: &&Rc<Slot>| view.is_flushing(slot);
            sealed.iter().filter(flushing).map(Rc::clone).collect()
        };
        self.write_all(table, unwritten, &mut failures).await
    }

    /// Writes memtables, and waits for those that others write, until none is `wanted` any more. Each is
    /// tried once, whatever became of the others; one that another flush failed to write is tried here.
    async fn write_all(
        &self,
        table: &TableStore,
        wanted: impl Fn(&View) -> Vec<Rc<Slot>>,
        failures: &mut Failures,
    ) -> Result<(), FlushError> {
        loop {
            let claim_ended = table.claim_ended();
            let wanted = wanted(&table.view());
            if wanted.is_empty() {
                return Ok(());
            }
            let is_busy = |slot: &Rc<Slot>| slot.is_claimed() || slot.interval().is_none();
            let next = wanted
                .iter()
                .find(|slot| !is_busy(slot) && !failures.holds(slot));
            match next {
                Some(slot) => {
                    if let Err(error) = self.flush_slot(table, slot).await {
                        failures.note(Rc::clone(slot), error);
                    }
                }
                None if wanted.iter().any(is_busy) => claim_ended.await,
                None => {
                    let error = failures.first_error.clone();
                    return Err(error.expect("what is idle and not tried would be the next"));
                }
            }
        }
    }

    async fn flush_slot(&self, table: &TableStore, slot: &Rc<Slot>) -> Result<(), FlushError> {
        let interval = slot.interval().expect("what is being flushed is sealed");
        if table.view().flushing.iter().any(|other| other.is_claimed()) {
            self.host.mark("flush.overlapped");
        }
        let written = {
            let _claim = table.claim(slot).expect("nobody has it in this step");
            self.write_slot(table, slot, interval).await
        };
        // The log of exactly what was written: what failed is replayed, whatever later flushes did.
        if written.is_ok() || planted::on(Plant::P11) {
            self.discard(table.id(), interval).await;
        }
        written
    }

    async fn write_slot(
        &self,
        table: &TableStore,
        slot: &Rc<Slot>,
        interval: Interval,
    ) -> Result<(), FlushError> {
        slot.memtable().no_tickets().await;
        table.check_exists()?;
        if slot.memtable().is_empty() {
            self.host.mark("flush.empty");
            table.replace_flushed(slot, None);
            return Ok(());
        }
        let block_size = self.options.block_size;
        let (added, sstable) =
            write_sstable(&self.store, slot.memtable(), interval, block_size).await?;
        if let Err(error) = table.check_exists() {
            self.store.remove_file(added.name).await;
            return Err(error.into());
        }
        let edit = Edit {
            added: vec![added],
            ..Edit::default()
        };
        let show = || {
            let view = table.view();
            let oldest = view.flushing.first().expect("the one that is written");
            if !Rc::ptr_eq(oldest, slot) {
                self.host.mark("flush.out-of-order");
            }
            table.replace_flushed(slot, Some(sstable));
        };
        self.store.commit(&edit, show).await?;
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
