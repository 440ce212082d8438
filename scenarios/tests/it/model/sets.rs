//! Invariants of the greatest consistent set, against all subsets of the unknown operations.

use cenotaph::history::{PartitionSeen, RowSeen};
use cenotaph::model::{Candidates, Landed, ReadRequest, evaluate, explain};
use cenotaph::plan::{Edge, Operation, Order, Scalar, Slice};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::words::{operation, word};
use crate::support::ops::shape_ordered;

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
        let now_seconds = 0;
        let read = ReadRequest { shape: &shape, slice: &slice, reversed, limit, now_seconds };
        let landed = |operation| Landed::at(operation, 0);
        let with = |mask: usize| -> Vec<Landed<'_>> {
            let chosen = unknown.iter().enumerate().filter(|(bit, _)| mask >> bit & 1 == 1);
            known.iter().chain(chosen.map(|(_, operation)| operation)).map(landed).collect()
        };
        let masks = 0..1_usize << unknown.len();
        let mut seen = evaluate(&with(usize::from(question.subset) % masks.end), &read);
        spoil(&mut seen, question.spoil, &all);
        let explaining: Vec<usize> =
            masks.filter(|mask| evaluate(&with(*mask), &read) == seen).collect();
        let candidates = Candidates {
            known: known.iter().map(landed).collect(),
            unknown: unknown.iter().map(landed).collect(),
            ..Candidates::default()
        };
        match explain(&candidates, &read, &seen) {
            Ok(consistent) => {
                let union = explaining.iter().fold(0, |union, mask| union | mask);
                let common = explaining.iter().fold(usize::MAX, |common, mask| common & mask);
                prop_assert!(!explaining.is_empty(), "no subset explains what was accepted");
                for bit in 0..unknown.len() {
                    let excluded = consistent.excluded.contains(&bit);
                    prop_assert_eq!(excluded, union >> bit & 1 == 0, "greatest set, bit {}", bit);
                    if consistent.shown.contains(&(known.len() + bit)) {
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
