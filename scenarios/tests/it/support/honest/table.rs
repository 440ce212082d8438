//! Vocabulary of a naive table: the writes that landed, and every answer by definition.

use std::collections::BTreeSet;

use cenotaph::history::{Answer, Outcome, PartitionSeen, Refusal, TableSeen};
use cenotaph::model::{Landed as Done, ReadRequest, evaluate};
use cenotaph::plan::{Column, Edge, Operation, Shape, TableNumber};

/// A write that a table has.
#[derive(Clone, Debug)]
pub(super) struct Landed {
    pub(super) what: Operation,
    pub(super) durable: bool,
    pub(super) acknowledged: bool,
}

/// A table between its creation and its drop.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub(super) shape: Shape,
    pub(super) added: BTreeSet<Column>,
    pub(super) writes: Vec<Landed>,
}

impl Table {
    pub(super) fn describe(&self, table: TableNumber) -> TableSeen {
        let created = self.shape.columns().map(|(column, _)| column);
        TableSeen {
            table,
            columns: created.chain(self.added.iter().copied()).collect(),
        }
    }

    pub(super) fn apply(&mut self, what: &Operation, exclusive_ends: bool) -> Outcome {
        let done = Outcome::Ok(Answer::Done);
        let has = |column: &Column| {
            self.shape.column_type(*column).is_some() || self.added.contains(column)
        };
        let unknown = what.columns().iter().any(|column| !has(column));
        if unknown {
            return Outcome::Refused(Refusal::NoSuchColumn);
        }
        match what {
            Operation::AddColumn { column, .. } => {
                if self.added.insert(*column) {
                    done
                } else {
                    Outcome::Refused(Refusal::ColumnExists)
                }
            }
            Operation::Read { .. } => Outcome::Ok(Answer::Rows(self.read(what, exclusive_ends))),
            Operation::Flush { .. } => done,
            _ => {
                let what = what.clone();
                self.writes.push(Landed {
                    what,
                    durable: false,
                    acknowledged: false,
                });
                done
            }
        }
    }

    fn read(&self, what: &Operation, exclusive_ends: bool) -> PartitionSeen {
        let mut writes: Vec<Operation> = self
            .writes
            .iter()
            .map(|landed| landed.what.clone())
            .collect();
        writes.retain(|write| write.partition() == what.partition());
        for write in &mut writes {
            if let (true, Operation::DeleteRange { slice, .. }) = (exclusive_ends, write)
                && let Edge::Inclusive(value) = &slice.to
            {
                slice.to = Edge::Exclusive(value.clone());
            }
        }
        let writes: Vec<Done<'_>> = writes.iter().map(|write| Done::at(write, 0)).collect();
        evaluate(
            &writes,
            &ReadRequest::of(what, &self.shape, 0).expect("a read"),
        )
    }
}
