//! Invariants of the greatest consistent set, against all subsets of the unknown operations.

use std::collections::BTreeMap;

use cenotaph::history::{PartitionSeen, RowSeen};
use cenotaph::model::{ReadRequest, evaluate, explain};
use cenotaph::plan::{Column, Edge, Operation, Order, Scalar, Slice};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::support::ops::{S0, T0, V0, V1, key, shape_ordered, text};

/// One operation by small numbers; its index makes its values unique.
#[derive(Clone, Debug)]
struct Word {
    kind: u8,
    row: i64,
    other: i64,
    columns: u8,
    timestamp: i64,
}

fn word() -> impl Strategy<Value = Word> {
    (0..9_u8, 0..3_i64, 0..4_i64, 1..4_u8, 1..4_i64).prop_map(
        |(kind, row, other, columns, timestamp)| Word {
            kind,
            row,
            other,
            columns,
            timestamp,
        },
    )
}

fn operation(index: usize, word: &Word) -> Operation {
    let some = match word.kind {
        0 => Vec::new(),
        4 => vec![S0],
        _ => columns(word),
    };
    let (table, partition, timestamp) = (T0, 0, word.timestamp);
    let (row, cells) = (Some(key(word.row)), cells(index, word, &some));
    match word.kind {
        0..=2 => Operation::Insert {
            table,
            partition,
            row,
            cells,
            timestamp,
            ttl_seconds: None,
        },
        3 | 4 => Operation::Update {
            table,
            partition,
            row: row.filter(|_| word.kind == 3),
            cells,
            timestamp,
            ttl_seconds: None,
        },
        _ => deletion(word),
    }
}

fn deletion(word: &Word) -> Operation {
    let (table, partition, timestamp) = (T0, 0, word.timestamp);
    let row = key(word.row);
    match word.kind {
        5 => Operation::DeleteCells {
            table,
            partition,
            row: Some(row),
            columns: columns(word).into_iter().collect(),
            timestamp,
        },
        6 => Operation::DeleteRow {
            table,
            partition,
            row,
            timestamp,
        },
        7 => Operation::DeleteRange {
            table,
            partition,
            slice: Slice {
                prefix: Vec::new(),
                from: Edge::Inclusive(Scalar::Integer(word.row)),
                to: Edge::Exclusive(Scalar::Integer(word.other)),
            },
            timestamp,
        },
        _ => Operation::DeletePartition {
            table,
            partition,
            timestamp,
        },
    }
}

/// `v0` by the first bit, `v1` by the second.
fn columns(word: &Word) -> Vec<Column> {
    let is_in = |column: &Column| word.columns >> u8::from(*column == V1) & 1 == 1;
    [V0, V1].into_iter().filter(is_in).collect()
}

fn cells(index: usize, word: &Word, columns: &[Column]) -> BTreeMap<Column, Scalar> {
    let value = |column: &Column| text(&format!("{}{index}{column}", word.other));
    columns
        .iter()
        .map(|column| (*column, value(column)))
        .collect()
}

/// What is asked for, and how the answer is spoiled.
#[derive(Clone, Debug)]
struct Question {
    order: Order,
    reversed: bool,
    lower: Option<i64>,
    limit: Option<usize>,
    subset: u8,
    spoil: u8,
}

fn question() -> impl Strategy<Value = Question> {
    let order = prop_oneof![Just(Order::Asc), Just(Order::Desc)];
    let lower = prop_oneof![3 => Just(None), 1 => (0..3_i64).prop_map(Some)];
    let limit = prop_oneof![2 => Just(None), 1 => (1..3_usize).prop_map(Some)];
    (order, any::<bool>(), lower, limit, any::<u8>(), 0..12_u8).prop_map(
        |(order, reversed, lower, limit, subset, spoil)| Question {
            order,
            reversed,
            lower,
            limit,
            subset,
            spoil,
        },
    )
}

/// Changes an answer in one of the ways in which databases go wrong; often not at all.
fn spoil(seen: &mut PartitionSeen, how: u8, operations: &[Operation]) {
    match how {
        0 => {
            seen.rows.pop();
        }
        1 => seen.rows.reverse(),
        2 => seen.statics.clear(),
        3 => seen
            .rows
            .iter_mut()
            .for_each(|row| drop(row.cells.pop_first())),
        4 => {
            let written = operations.iter().find_map(|operation| match operation {
                Operation::Insert {
                    row: Some(row),
                    cells,
                    ..
                } => Some(RowSeen {
                    clustering: row.clone(),
                    cells: cells.clone(),
                }),
                _ => None,
            });
            seen.rows.extend(written.filter(|row| {
                seen.rows
                    .iter()
                    .all(|shown| shown.clustering != row.clustering)
            }));
        }
        5 => seen.rows.extend(seen.rows.first().cloned()),
        _ => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1_500,
        rng_seed: RngSeed::Fixed(14),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn the_greatest_consistent_set_agrees_with_all_subsets(
        known in prop::collection::vec(word(), 0..6),
        unknown in prop::collection::vec(word(), 0..8),
        question in question(),
    ) {
        let all: Vec<Operation> = known
            .iter()
            .chain(&unknown)
            .enumerate()
            .map(|(index, word)| operation(index, word))
            .collect();
        let (known, unknown) = all.split_at(known.len());
        let shape = shape_ordered(question.order);
        let from = question.lower.map_or(Edge::Open, |lower| Edge::Inclusive(Scalar::Integer(lower)));
        let slice = Slice { prefix: Vec::new(), from, to: Edge::Open };
        let (reversed, limit) = (question.reversed, question.limit);
        let read = ReadRequest { shape: &shape, slice: &slice, reversed, limit };
        let with = |mask: usize| -> Vec<&Operation> {
            let chosen = unknown.iter().enumerate().filter(|(bit, _)| mask >> bit & 1 == 1);
            known.iter().chain(chosen.map(|(_, operation)| operation)).collect()
        };
        let masks = 0..1_usize << unknown.len();
        let mut seen = evaluate(&with(usize::from(question.subset) % masks.end), &read);
        spoil(&mut seen, question.spoil, &all);
        let explaining: Vec<usize> =
            masks.filter(|mask| evaluate(&with(*mask), &read) == seen).collect();
        let known: Vec<&Operation> = known.iter().collect();
        let candidates: Vec<&Operation> = unknown.iter().collect();
        match explain(&known, &candidates, &read, &seen) {
            Ok(consistent) => {
                let union = explaining.iter().fold(0, |union, mask| union | mask);
                let common = explaining.iter().fold(usize::MAX, |common, mask| common & mask);
                prop_assert!(!explaining.is_empty(), "no subset explains what was accepted");
                for bit in 0..unknown.len() {
                    let excluded = consistent.excluded.contains(&bit);
                    prop_assert_eq!(excluded, union >> bit & 1 == 0, "greatest set, bit {}", bit);
                    if consistent.shown.contains(&bit) {
                        prop_assert!(common >> bit & 1 == 1, "bit {} is not in every set", bit);
                    }
                }
            }
            Err(contradiction) => prop_assert!(
                explaining.is_empty(),
                "{contradiction:?}, but subsets {explaining:?} explain the answer",
            ),
        }
    }
}
