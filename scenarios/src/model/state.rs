//! Vocabulary of the model's whole state: every operation's fate, by table and by partition.

use std::collections::{BTreeMap, BTreeSet};

use super::compactions::{Compaction, compactions};
use super::excuse::Part;
use super::fate::{Fate, View};
use super::landing::landing;
use super::seconds::seconds;
use crate::history::{Record, RunFacts, Timeline};
use crate::plan::{Knobs, Operation, Shape, TableNumber};

/// Indices of records of a table.
type ByTable = BTreeMap<TableNumber, Vec<usize>>;

/// All that the model knows at one moment of its way through the answers.
pub(super) struct Model<'a> {
    pub(super) timeline: &'a Timeline<'a>,
    pub(super) knobs: &'a Knobs,
    pub(super) facts: &'a RunFacts,
    /// One a record, in the records' order.
    pub(super) fates: Vec<Fate>,
    /// Indices of the writes of each partition.
    pub(super) writes: BTreeMap<(TableNumber, i32), Vec<usize>>,
    /// The schema changes of each table.
    pub(super) changes: ByTable,
    /// Those of them that drop columns.
    pub(super) column_drops: ByTable,
    /// What leaves nothing of a table's writes: its drops and truncations.
    pub(super) cuts: ByTable,
    /// What marks a table's files as repaired.
    pub(super) repairs: ByTable,
    /// The compactions of each table that has any.
    pub(super) compactions: BTreeMap<TableNumber, Vec<Compaction>>,
    /// Parts of writes that are dead for good: they did not show when all that might hide them was
    /// theirs to be forgotten.
    pub(super) settled: BTreeSet<(usize, Part<'a>)>,
    pub(super) shapes: BTreeMap<TableNumber, &'a Shape>,
}

impl<'a> Model<'a> {
    pub(super) fn new(
        timeline: &'a Timeline<'a>,
        knobs: &'a Knobs,
        facts: &'a RunFacts,
    ) -> Model<'a> {
        let mut model = Model {
            timeline,
            knobs,
            facts,
            fates: Vec::new(),
            writes: BTreeMap::new(),
            changes: BTreeMap::new(),
            column_drops: BTreeMap::new(),
            cuts: BTreeMap::new(),
            repairs: BTreeMap::new(),
            compactions: BTreeMap::new(),
            settled: BTreeSet::new(),
            shapes: BTreeMap::new(),
        };
        for (index, record) in timeline.records.iter().enumerate() {
            let landing = landing(record, timeline, facts);
            let seconds = seconds(record, &landing, facts);
            model.fates.push(Fate::new(landing, seconds));
            if let Some(table) = record.what.table() {
                model.learn(index, table);
            }
        }
        model.compactions = compactions(&model);
        model
    }

    /// Puts an operation where it is looked for.
    fn learn(&mut self, index: usize, table: TableNumber) {
        let what = self.record(index).what;
        if let (true, Some(partition)) = (what.is_write(), what.partition()) {
            let writes = self.writes.entry((table, partition)).or_default();
            writes.push(index);
        }
        if what.is_schema_change() {
            self.changes.entry(table).or_default().push(index);
        }
        match what {
            Operation::CreateTable { shape, .. } => {
                self.shapes.insert(table, shape);
            }
            Operation::DropTable { .. } | Operation::Truncate { .. } => {
                self.cuts.entry(table).or_default().push(index);
            }
            Operation::MarkRepaired { .. } => {
                self.repairs.entry(table).or_default().push(index);
            }
            Operation::DropColumn { .. } => {
                self.column_drops.entry(table).or_default().push(index);
            }
            _ => {}
        }
    }

    pub(super) fn record(&self, index: usize) -> &'a Record<'a> {
        &self.timeline.records[index]
    }

    /// When the answer of this record was true; none when no node answered.
    pub(super) fn view(&self, index: usize) -> Option<View> {
        let record = self.record(index);
        let number = record.incarnation?;
        let node = self
            .timeline
            .incarnations
            .iter()
            .find(|node| node.number == number);
        let node = node.unwrap_or_else(|| panic!("{} is answered by nobody", record.name));
        let answered_at = record.answered_at?;
        Some(View {
            incarnation: number,
            from: record.invoked_at.max(node.booting_at),
            to: node
                .ended_at
                .map_or(answered_at, |ended_at| ended_at.min(answered_at)),
        })
    }
}
