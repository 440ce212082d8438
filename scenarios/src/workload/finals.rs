//! Steps of the last client: once the run is healed, ask for the schema, for its rows, and for every
//! partition that anyone may have written: forward, back, and, where anything is ever forgotten, for
//! the deletions stored of it.

use std::collections::BTreeSet;

use crate::plan::{Operation, Order, Plan, Slice};

/// What is read of a healed run, in this order. Its operations belong to the client whose index
/// comes after the plan's own.
#[must_use]
pub fn final_operations(plan: &Plan) -> Vec<Operation> {
    let all = || plan.clients.iter().flatten();
    let places: BTreeSet<_> = all()
        .filter(|operation| operation.is_write())
        .filter_map(|operation| Some((operation.table()?, operation.partition()?)))
        .collect();
    let clustered: BTreeSet<_> = all()
        .filter_map(|operation| match operation {
            Operation::CreateTable { table, shape } => {
                let first = shape.clustering.first()?;
                Some((*table, first.1.reversed()))
            }
            _ => None,
        })
        .collect();
    let read = |table, partition, order: Option<Order>| Operation::Read {
        table,
        partition,
        slice: Slice::default(),
        order,
        limit: None,
    };
    let forgets = plan.knobs.engine.compaction_sstables_min > 0
        || all().any(|operation| matches!(operation, Operation::Compact { .. }));
    let mut operations = vec![Operation::Describe, Operation::SystemSchema];
    for (table, partition) in places {
        operations.push(read(table, partition, None));
        let reverse = clustered
            .iter()
            .find(|(known, _)| *known == table)
            .map(|(_, order)| *order);
        operations.extend(reverse.map(|order| read(table, partition, Some(order))));
        operations.extend(forgets.then_some(Operation::Stones { table, partition }));
    }
    operations
}
