//! Vocabulary of the model's whole state: every operation's fate, by table and by partition.

use std::collections::BTreeMap;

use super::fate::{Fate, View};
use super::landing::landing;
use crate::history::{Record, RunFacts, Timeline};
use crate::plan::{Knobs, Operation, Shape, TableNumber};

/// All that the model knows at one moment of its way through the answers.
pub(super) struct Model<'a> {
    pub(super) timeline: &'a Timeline<'a>,
    pub(super) knobs: &'a Knobs,
    pub(super) facts: &'a RunFacts,
    /// One a record, in the records' order.
    pub(super) fates: Vec<Fate>,
    /// Indices of the writes of each partition.
    pub(super) writes: BTreeMap<(TableNumber, i32), Vec<usize>>,
    /// Indices of the schema changes of each table.
    pub(super) changes: BTreeMap<TableNumber, Vec<usize>>,
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
            shapes: BTreeMap::new(),
        };
        for (index, record) in timeline.records.iter().enumerate() {
            model
                .fates
                .push(Fate::new(landing(record, timeline, facts)));
            let Some(table) = record.what.table() else {
                continue;
            };
            if let (true, Some(partition)) = (record.what.is_write(), record.what.partition()) {
                model
                    .writes
                    .entry((table, partition))
                    .or_default()
                    .push(index);
            }
            if record.what.is_schema_change() {
                model.changes.entry(table).or_default().push(index);
            }
            if let Operation::CreateTable { shape, .. } = record.what {
                model.shapes.insert(table, shape);
            }
        }
        model
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
