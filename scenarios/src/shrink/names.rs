//! Steps to fewer and shorter names: one table or partition or clustering value for two, then small
//! numbers in the old order.

use std::collections::{BTreeMap, BTreeSet};

use super::edit::keep_operations;
use super::fields::{clustering_mut, partition_mut, table_mut, timestamp_mut, with_each};
use crate::plan::{Operation, Plan, Scalar, TableNumber};

type Candidates<'a> = Box<dyn Iterator<Item = Option<Plan>> + 'a>;

/// All operations of one table, or of one partition of it, taken away.
pub(super) fn whole_objects(plan: &Plan) -> Candidates<'_> {
    let operations = || plan.clients.iter().flatten();
    let tables: BTreeSet<_> = operations().filter_map(Operation::table).collect();
    let partitions: BTreeSet<_> = operations()
        .filter_map(|operation| Some((operation.table()?, operation.partition()?)))
        .collect();
    let tables = tables.into_iter().rev().map(|table| {
        Some(keep_operations(plan, |_, operation| {
            operation.table() != Some(table)
        }))
    });
    let partitions = partitions.into_iter().rev().map(|(table, partition)| {
        Some(keep_operations(plan, |_, operation| {
            (operation.table(), operation.partition()) != (Some(table), Some(partition))
        }))
    });
    Box::new(tables.chain(partitions))
}

/// One table for two: what names the larger number names the smaller one, and is created once.
pub(super) fn merged_tables(plan: &Plan) -> Candidates<'_> {
    let tables = used(plan, |operation| {
        table_mut(operation).copied().into_iter().collect()
    });
    Box::new(pairs(tables).map(move |(gone, kept)| {
        let is_create = |operation: &Operation, table| {
            matches!(operation, Operation::CreateTable { .. }) && operation.table() == Some(table)
        };
        let has_create = plan
            .clients
            .iter()
            .flatten()
            .any(|operation| is_create(operation, kept));
        let once = keep_operations(plan, |_, operation| {
            !(has_create && is_create(operation, gone))
        });
        Some(with_each(&once, |operation| {
            rename(table_mut(operation), gone, kept)
        }))
    }))
}

/// One partition for two.
pub(super) fn merged_partitions(plan: &Plan) -> Candidates<'_> {
    let partitions = used(plan, |operation| {
        partition_mut(operation).copied().into_iter().collect()
    });
    Box::new(pairs(partitions).map(move |(gone, kept)| {
        Some(with_each(plan, |operation| {
            rename(partition_mut(operation), gone, kept)
        }))
    }))
}

/// One clustering value for two.
pub(super) fn merged_clustering(plan: &Plan) -> Candidates<'_> {
    let values = used(plan, clustering);
    let same_type = |(gone, kept): &(Scalar, Scalar)| {
        std::mem::discriminant(gone) == std::mem::discriminant(kept)
    };
    Box::new(pairs(values).filter(same_type).map(move |(gone, kept)| {
        Some(with_each(plan, |operation| {
            for value in clustering_mut(operation) {
                rename(Some(value), gone.clone(), kept.clone());
            }
        }))
    }))
}

/// Small numbers for tables, partitions, clustering values and write times, each in the old order.
pub(super) fn small_numbers(plan: &Plan) -> Candidates<'_> {
    let tables = ranks(used(plan, |operation| {
        table_mut(operation).copied().into_iter().collect()
    }));
    let tables = with_each(plan, |operation| {
        if let Some(table) = table_mut(operation) {
            *table = TableNumber(u16::try_from(tables[table]).expect("no more than 20,000 tables"));
        }
    });
    let partitions = ranks(used(plan, |operation| {
        partition_mut(operation).copied().into_iter().collect()
    }));
    let partitions = with_each(plan, |operation| {
        if let Some(partition) = partition_mut(operation) {
            *partition = i32::try_from(partitions[partition]).expect("fewer than operations");
        }
    });
    let times = ranks(used(plan, |operation| {
        timestamp_mut(operation).copied().into_iter().collect()
    }));
    let times = with_each(plan, |operation| {
        if let Some(timestamp) = timestamp_mut(operation) {
            *timestamp = i64::try_from(times[timestamp] + 1).expect("fewer than operations");
        }
    });
    Box::new(
        [tables, partitions, small_clustering(plan), times]
            .into_iter()
            .map(Some),
    )
}

fn small_clustering(plan: &Plan) -> Plan {
    let values = used(plan, clustering);
    let (numbers, texts): (BTreeSet<_>, BTreeSet<_>) = values
        .into_iter()
        .partition(|value| matches!(value, Scalar::Integer(_)));
    let (numbers, texts) = (ranks(numbers), ranks(texts));
    with_each(plan, |operation| {
        for value in clustering_mut(operation) {
            match value {
                Scalar::Integer(_) => {
                    let rank = numbers[value];
                    *value = Scalar::Integer(i64::try_from(rank).expect("fewer than operations"));
                }
                Scalar::Text(_) => *value = Scalar::Text(letters(texts[value])),
                Scalar::Blob(_) => {}
            }
        }
    })
}

/// `a` to `z`, then `za`, ..: in the order of the numbers.
fn letters(rank: usize) -> String {
    let last = u8::try_from(rank % 25).expect("below 25");
    format!("{}{}", "z".repeat(rank / 25), char::from(b'a' + last))
}

fn clustering(operation: &mut Operation) -> Vec<Scalar> {
    clustering_mut(operation)
        .into_iter()
        .map(|value| value.clone())
        .collect()
}

fn used<K: Ord>(plan: &Plan, keys: impl Fn(&mut Operation) -> Vec<K>) -> BTreeSet<K> {
    let mut plan = plan.clone();
    plan.clients.iter_mut().flatten().flat_map(keys).collect()
}

/// Each key with each smaller one, the largest and the smallest first.
fn pairs<K: Ord + Clone>(keys: BTreeSet<K>) -> impl Iterator<Item = (K, K)> {
    let keys: Vec<K> = keys.into_iter().collect();
    (1..keys.len()).rev().flat_map(move |gone| {
        let (gone, smaller) = (keys[gone].clone(), keys[..gone].to_vec());
        smaller.into_iter().map(move |kept| (gone.clone(), kept))
    })
}

fn ranks<K: Ord>(keys: BTreeSet<K>) -> BTreeMap<K, usize> {
    keys.into_iter().zip(0..).collect()
}

fn rename<K: PartialEq>(place: Option<&mut K>, from: K, to: K) {
    if let Some(place) = place
        && *place == from
    {
        *place = to;
    }
}
