//! Steps of a compaction: take the table's turn; take all its sstables, set by set; leave out those that may go
//! unread; merge the others key by key; drop what tombstones elsewhere cover; let each merged
//! partition go or stay, by all that the table has at that moment; write what stays; replace the inputs by the
//! output in one edit of the manifest; swap the view; remove the inputs' files.
//!
//! A flush may end at any time meanwhile: its sstable is not an input, so it counts as lying outside, as its
//! memtable did a moment before. Looking at the view and purging are one step without an await.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::background::Compactor;
use super::error::CompactionError;
use super::expired::expired;
use super::merge::Merge;
use super::output::Output;
use super::outside::{outside, shade};
use super::report::CompactionReport;
use super::sets::{Set, sets};
use crate::planted::{self, Plant};
use crate::rows::{Outside, PurgeRule, TableId};
use crate::schema::{Schema, Table, TombstoneOption};
use crate::sstable::{Sstable, SstableName};
use crate::store::{Added, Edit, Repaired, StoreError, TableStore};
use crate::system::SystemTable;

impl Compactor {
    /// Merges all sstables of a table into one, or into none; those that are repaired apart from the others, where
    /// the table asks for that. `schema` gives the schema of the moment in which
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

    /// Compacts each set of a table's sstables that has at least `sstables_min` when its turn comes.
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
        let mut report = CompactionReport::of_rule(&rule);
        let sets = sets(self.store.manifest(), &store.view().sstables, table.purge);
        for set in sets {
            if (set.inputs.len() as u64) < sstables_min {
                continue;
            }
            match self.replace_inputs(&store, table, &set, &rule).await {
                Ok(one) => {
                    self.tell(id, &one);
                    report += one;
                }
                Err(error) => {
                    self.host.mark("compaction.failed");
                    self.metrics.node.compaction_failures.increment();
                    tracing::warn!(table = id.0, %error, "compaction failed");
                    return Err(error);
                }
            }
        }
        Ok(report)
    }

    async fn replace_inputs(
        &self,
        store: &TableStore,
        table: &Table,
        set: &Set,
        rule: &PurgeRule,
    ) -> Result<CompactionReport, CompactionError> {
        let mut report = CompactionReport::of_rule(rule);
        report.inputs_count = set.inputs.len() as u64;
        let mut output = Output::new(&self.store, store.id(), self.block_size);
        let written = merge_into(&mut output, store, table, set, &mut report).await;
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
        self.commit(store, set, written).await?;
        Ok(report)
    }

    /// The inputs vanish in one step, durably, before the first of their files does.
    async fn commit(
        &self,
        store: &TableStore,
        set: &Set,
        written: Option<(Added, Rc<Sstable>)>,
    ) -> Result<(), CompactionError> {
        let inputs = &set.inputs;
        let (added, output) = written.unzip();
        let repaired = added.zip(set.repaired_seconds);
        let repaired = repaired.map(|(added, seconds)| Repaired {
            name: added.name,
            seconds,
        });
        let removed: Vec<SstableName> = inputs.iter().map(|input| input.name()).collect();
        if planted::on(Plant::P06) {
            return self.commit_one_by_one(store, inputs, added, output).await;
        }
        let edit = Edit {
            added: added.into_iter().collect(),
            removed,
            repaired: repaired.into_iter().collect(),
            ..Edit::default()
        };
        let show = || store.replace_compacted(inputs, output);
        Ok(self.store.commit(&edit, show).await?)
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
            ("compaction.kept-by-repair", report.kept_by_repair.total()),
            ("compaction.unread", report.unread_count),
            ("compaction.shaded", report.shaded_count),
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
            kept_by_repair = report.kept_by_repair.total(),
            kept_by_memtable = report.kept_by_memtable.total(),
            kept_by_sstable = report.kept_by_sstable.total(),
            converted = report.converted_count,
            unread = report.unread_count,
            shaded = report.shaded_count,
            "sstables compacted"
        );
    }
}

async fn merge_into(
    output: &mut Output<'_>,
    store: &TableStore,
    table: &Table,
    set: &Set,
    report: &mut CompactionReport,
) -> Result<Option<(Added, Rc<Sstable>)>, CompactionError> {
    let names: BTreeSet<SstableName> = set.inputs.iter().map(|input| input.name()).collect();
    let unread = match set.is_unrepaired {
        true => BTreeSet::new(),
        false => expired(&store.view(), &set.inputs, report.gc_before_seconds),
    };
    let (unread, read): (Vec<_>, Vec<_>) = set
        .inputs
        .iter()
        .map(Rc::clone)
        .partition(|input| unread.contains(&input.name()));
    report.add_unread(&unread);
    let option = match set.is_unrepaired {
        true => TombstoneOption::None,
        false => set.options.provide_overlapping_tombstones,
    };
    let mut merge = Merge::open(&read).await?;
    while let Some((key, mut partition)) = merge.next().await? {
        // A drop waits for this to end.
        store.check_exists()?;
        table.forget_dropped(&mut partition);
        if option != TombstoneOption::None {
            let shade = shade(&store.view(), &names, &key, option).await?;
            report.shaded_count += partition.drop_shaded(&shade);
        }
        // From the look at the view to the purge nothing else runs.
        let rule = PurgeRule {
            now_seconds: report.now_seconds,
            gc_before_seconds: report.gc_before_seconds,
            outside: outside(&store.view(), &names, &key),
            is_unrepaired: set.is_unrepaired,
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
