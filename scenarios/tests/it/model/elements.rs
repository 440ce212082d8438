//! Invariants of explanations of collections, against all subsets of the unknown operations: many writers of
//! few elements of a map, a set, a list and a struct.

use std::collections::BTreeSet;

use cenotaph::history::PartitionSeen;
use cenotaph::model::{Candidates, Landed, ReadRequest, evaluate, explain};
use cenotaph::plan::{Collection, Operation, Slice, Value};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::support::many::{
    E, L, M, U, add, delete, delete_entries, field, fields, list, map, remove, set, shape, whole,
};
use crate::support::ops::{V0, delete_partition, delete_row, drop_column, insert};

/// Kind, column, element, time.
type Word = (u8, u8, u8, i64);

fn word() -> impl Strategy<Value = Word> {
    (0..12_u8, 0..4_u8, 0..3_u8, 1..5_i64)
}

fn operation(index: usize, (kind, column, element, timestamp): Word) -> Operation {
    let key = ["a", "b", "c"][usize::from(element)];
    let column = [M, E, L, U][usize::from(column)];
    let value = format!("{index}");
    let one = || match column {
        M => map(&[(key, &value)]),
        E => set(&[key]),
        L => list(&[&value]),
        _ => fields(&[(element % 2, &value)]),
    };
    let none = || match column {
        M => map(&[]),
        E => set(&[]),
        L => list(&[]),
        _ => fields(&[]),
    };
    let is_null = kind == 5;
    match kind {
        0..=2 => whole(column, one(), timestamp),
        3 => whole(column, none(), timestamp),
        4..=7 if column == U => field(element % 2, (!is_null).then_some(&value), timestamp),
        5 if column == M => delete_entries(M, &[key], timestamp),
        5 if column == E => remove(E, &[key], timestamp),
        6 if column == M => remove(M, &[key], timestamp),
        4..=7 => add(column, one(), timestamp),
        8 => delete(column, timestamp),
        9 => delete_row(1, timestamp),
        10 => match element {
            0 => delete_partition(timestamp),
            1 => drop_column(V0, timestamp),
            _ => insert(1, &[], timestamp),
        },
        _ => insert(1, &[], timestamp),
    }
}

/// Takes an element away, or puts one there, or turns two round.
fn spoil(seen: &mut PartitionSeen, how: u8, all: &[Operation]) {
    let Some(row) = seen.rows.first_mut() else {
        return;
    };
    match how {
        0..=2 => {
            if let Some((column, Value::Many(collection))) = row.cells.iter_mut().next() {
                match collection {
                    Collection::Map(entries) => drop(entries.pop()),
                    Collection::Set(elements) | Collection::List(elements) => drop(elements.pop()),
                    Collection::Struct(fields) => drop(fields.pop_last()),
                }
                let column = *column;
                if collection.is_empty() {
                    row.cells.remove(&column);
                }
            }
        }
        3 | 4 => {
            let written = all.iter().find_map(|what| match what {
                Operation::Update { cells, .. } => cells.iter().next(),
                _ => None,
            });
            if let Some((column, value)) = written
                && value
                    .collection()
                    .is_some_and(|collection| !collection.is_empty())
            {
                row.cells.insert(*column, value.clone());
            }
        }
        _ => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 3_000,
        rng_seed: RngSeed::Fixed(41),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn explanations_of_collections_agree_with_all_subsets(
        known in prop::collection::vec(word(), 0..7),
        unknown in prop::collection::vec(word(), 0..8),
        subset in any::<u8>(),
        how in 0..10_u8,
    ) {
        let words = known.iter().chain(&unknown).enumerate();
        let all: Vec<Operation> = words.map(|(index, word)| operation(index, *word)).collect();
        let (sure, open) = all.split_at(known.len());
        let (shape, slice) = (shape(), Slice::default());
        let (reversed, limit, now_seconds) = (false, None, 0);
        let read = ReadRequest { shape: &shape, slice: &slice, reversed, limit, now_seconds };
        let landed = |what| Landed::at(what, 0);
        let with = |mask: usize| -> Vec<Landed<'_>> {
            let chosen = open.iter().enumerate().filter(|(bit, _)| mask >> bit & 1 == 1);
            sure.iter().chain(chosen.map(|(_, what)| what)).map(landed).collect()
        };
        let masks = 0..1_usize << open.len();
        let mut seen = evaluate(&with(usize::from(subset) % masks.end), &read);
        spoil(&mut seen, how, &all);
        let explaining: BTreeSet<usize> =
            masks.filter(|mask| evaluate(&with(*mask), &read) == seen).collect();
        let candidates = Candidates {
            known: sure.iter().map(landed).collect(),
            unknown: open.iter().map(landed).collect(),
            ..Candidates::default()
        };
        match explain(&candidates, &read, &seen) {
            Ok(consistent) => {
                prop_assert!(!explaining.is_empty(), "no subset explains what was accepted");
                let union = explaining.iter().fold(0, |union, mask| union | mask);
                let common = explaining.iter().fold(usize::MAX, |common, mask| common & mask);
                for bit in 0..open.len() {
                    let excluded = consistent.excluded.contains(&bit);
                    prop_assert_eq!(excluded, union >> bit & 1 == 0, "greatest set, bit {}", bit);
                    if consistent.shown.contains(&(sure.len() + bit)) {
                        prop_assert!(common >> bit & 1 == 1, "bit {} is not in every set", bit);
                    }
                }
            }
            Err(contradiction) => prop_assert!(
                explaining.is_empty(),
                "{contradiction:?}, but subsets {explaining:?} explain the answer {seen}",
            ),
        }
    }
}
