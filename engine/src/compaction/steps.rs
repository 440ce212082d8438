//! Steps of a compaction: take the table's turn; take all its sstables; merge them key by key; let each merged
//! partition go or stay, by all that the table has at that moment; write what stays; replace the inputs by the
//! output in one edit of the manifest; swap the view; remove the inputs' files.
//!
//! A flush may end at any time meanwhile: its sstable is not an input, so it counts as lying outside, as its
//! memtable did a moment before. Looking at the view and purging are one step without an await.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::background::Compactor;
use super::error::CompactionError;
use super::merge::Merge;
use super::output::Output;
use super::report::CompactionReport;
use crate::keys::DecoratedKey;
use crate::planted::{self, Plant};
use crate::rows::{Outside, PurgeRule, TableId};
use crate::schema::{Schema, Table};
use crate::sstable::{Sstable, SstableName};
use crate::store::{Added, Edit, StoreError, TableStore, View};
use crate::system::SystemTable;

impl Compactor {
    /// Merges all sstables of a table into one, or into none. `schema` gives the schema of the moment in which
    /// it is called.
    ///
    /// # Errors
    /// [`CompactionError`]; nothing is lost by it.
    pub async fn compact_table(
        &self,
        id: TableId,
        schema: &impl Fn() -> Rc<Schema>,
    ) -> Result<CompactionReport, CompactionError> {
        self.compact_from(id, 1, schema).await
    }

    /// Compacts every table, one after the other. Tables dropped meanwhile do not matter.
    ///
    /// # Errors
    /// The first failure, after every table had its turn.
    pub async fn compact_all(
        &self,
        schema: &impl Fn() -> Rc<Schema>,
    ) -> Result<CompactionReport, CompactionError> {
        let mut report = CompactionReport::default();
        let mut first_error = None;
        for table in self.store.tables() {
            match self.compact_table(table.id(), schema).await {
                Ok(one) => report += one,
                Err(error) if error.is_table_gone() => {}
                Err(error) => first_error = first_error.or(Some(error)),
            }
        }
        first_error.map_or(Ok(report), Err)
    }

    /// Compacts a table that has at least `sstables_min` sstables when its turn comes.
    pub(super) async fn compact_from(
        &self,
        id: TableId,
        sstables_min: u64,
        schema: &impl Fn() -> Rc<Schema>,
    ) -> Result<CompactionReport, CompactionError> {
        let store = self.store.table(id)?;
        let _turn = store.compaction_turn().await;
        store.check_exists()?;
        let schema = schema();
        let table: &Table = match SystemTable::of_id(id) {
            Some(system) => system.definition(),
            None => schema
                .table(id)
                .ok_or(StoreError::NoTable { table: id.0 })?,
        };
        let now_seconds = self.now_seconds();
        let rule = PurgeRule::new(now_seconds, table.gc_grace_seconds, Outside::NOTHING);
        let inputs = store.view().sstables.clone();
        if (inputs.len() as u64) < sstables_min {
            return Ok(CompactionReport::of_rule(&rule));
        }
        let result = self.replace_inputs(&store, table, &inputs, &rule).await;
        match &result {
            Ok(report) => self.tell(id, report),
            Err(error) => {
                self.host.mark("compaction.failed");
                self.metrics.node.compaction_failures.increment();
                tracing::warn!(table = id.0, %error, "compaction failed");
            }
        }
        result
    }

    async fn replace_inputs(
        &self,
        store: &TableStore,
        table: &Table,
        inputs: &[Rc<Sstable>],
        rule: &PurgeRule,
    ) -> Result<CompactionReport, CompactionError> {
        let mut report = CompactionReport::of_rule(rule);
        report.inputs_count = inputs.len() as u64;
        let mut output = Output::new(&self.store, store.id(), self.block_size);
        let written = merge_into(&mut output, store, table, inputs, &mut report).await;
        let written = match written {
            Ok(written) => written,
            Err(error) => {
                output.abandon().await;
                return Err(error);
            }
        };
        report.outputs_count = u64::from(written.is_some());
        if let Some((added, _)) = &written {
            self.metrics.node.compaction_bytes.add(added.size);
        }
        self.commit(store, inputs, written).await?;
        Ok(report)
    }

    /// The inputs vanish in one step, durably, before the first of their files does.
    async fn commit(
        &self,
        store: &TableStore,
        inputs: &[Rc<Sstable>],
        written: Option<(Added, Rc<Sstable>)>,
    ) -> Result<(), CompactionError> {
        let (added, output) = written.unzip();
        let removed: Vec<SstableName> = inputs.iter().map(|input| input.name()).collect();
        if planted::on(Plant::P06) {
            return self.commit_one_by_one(store, inputs, added, output).await;
        }
        let edit = Edit {
            added: added.into_iter().collect(),
            removed,
            ..Edit::default()
        };
        if let Err(error) = self.store.manifest().commit(&edit).await {
            // The edit may still turn out to have happened: the file has to stay for now.
            self.doubtful
                .borrow_mut()
                .extend(edit.added.iter().map(|added| added.name));
            return Err(error.into());
        }
        store.replace_compacted(inputs, output);
        // This edit says of all before that failed that they did not happen.
        let doubtful = self.doubtful.take();
        for name in edit.removed.into_iter().chain(doubtful) {
            self.store.remove_file(name).await;
        }
        Ok(())
    }

    /// P06: the output counts first, then the inputs go one after the other, the newest first.
    async fn commit_one_by_one(
        &self,
        store: &TableStore,
        inputs: &[Rc<Sstable>],
        added: Option<Added>,
        output: Option<Rc<Sstable>>,
    ) -> Result<(), CompactionError> {
        let manifest = self.store.manifest();
        let added = added.into_iter().collect();
        let coming = Edit {
            added,
            ..Edit::default()
        };
        manifest.commit(&coming).await?;
        store.replace_compacted(inputs, output);
        for input in inputs.iter().rev() {
            let removed = vec![input.name()];
            let going = Edit {
                removed,
                ..Edit::default()
            };
            manifest.commit(&going).await?;
            self.store.remove_file(input.name()).await;
        }
        Ok(())
    }

    fn tell(&self, table: TableId, report: &CompactionReport) {
        self.metrics.node.compactions.increment();
        self.metrics
            .node
            .tombstones_purged
            .add(report.purged.total());
        self.host.mark("compaction.done");
        for (mark, count) in [
            ("compaction.purged", report.purged.total()),
            ("compaction.kept-by-grace", report.kept_by_grace.total()),
            (
                "compaction.kept-by-memtable",
                report.kept_by_memtable.total(),
            ),
            ("compaction.kept-by-sstable", report.kept_by_sstable.total()),
            ("compaction.converted", report.converted_count),
            (
                "compaction.nothing-left",
                u64::from(report.outputs_count == 0),
            ),
        ] {
            if count > 0 {
                self.host.mark(mark);
            }
        }
        tracing::info!(
            table = table.0,
            inputs = report.inputs_count,
            outputs = report.outputs_count,
            purged = report.purged.total(),
            kept_by_grace = report.kept_by_grace.total(),
            kept_by_memtable = report.kept_by_memtable.total(),
            kept_by_sstable = report.kept_by_sstable.total(),
            converted = report.converted_count,
            "sstables compacted"
        );
    }
}

async fn merge_into(
    output: &mut Output<'_>,
    store: &TableStore,
    table: &Table,
    inputs: &[Rc<Sstable>],
    report: &mut CompactionReport,
) -> Result<Option<(Added, Rc<Sstable>)>, CompactionError> {
    let names: BTreeSet<SstableName> = inputs.iter().map(|input| input.name()).collect();
    let mut merge = Merge::open(inputs).await?;
    while let Some((key, mut partition)) = merge.next().await? {
        // A drop waits for this to end.
        store.check_exists()?;
        table.forget_dropped(&mut partition);
        // From the look at the view to the purge nothing else runs.
        let rule = PurgeRule {
            now_seconds: report.now_seconds,
            gc_before_seconds: report.gc_before_seconds,
            outside: outside(&store.view(), &names, &key),
        };
        report.add_purge(&partition.purge(&rule));
        if !partition.is_empty() {
            output.add(&key, &partition).await?;
        }
    }
    let written = output.finish().await?;
    store.check_exists()?;
    Ok(written)
}

/// What the table has of a partition now, besides the inputs.
fn outside(view: &View, inputs: &BTreeSet<SstableName>, key: &DecoratedKey) -> Outside {
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
