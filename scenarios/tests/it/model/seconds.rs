//! Invariants of times to live, against all choices: a write of which nobody told the second was
//! done at one of several, or not at all.

use cenotaph::history::PartitionSeen;
use cenotaph::model::{Candidates, Landed, ReadRequest, evaluate, explain};
use cenotaph::plan::{Operation, Order, Slice};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::words::{expiring_word, operation};
use crate::support::ops::shape_ordered;

/// Seconds at which an unknown write may have been done.
const SECONDS: std::ops::Range<u32> = 0..3;

/// Every choice: for each unknown write none, or one of the seconds.
fn choices(count: usize) -> Vec<Vec<Option<u32>>> {
    let mut all = vec![Vec::new()];
    for _ in 0..count {
        let some = || std::iter::once(None).chain(SECONDS.map(Some));
        let longer =
            |choice: Vec<Option<u32>>| some().map(move |second| [&choice[..], &[second]].concat());
        all = all.into_iter().flat_map(longer).collect();
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1_500,
        rng_seed: RngSeed::Fixed(21),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn choosing_a_second_is_choosing_a_subset(
        known in prop::collection::vec((expiring_word(4), SECONDS), 0..5),
        unknown in prop::collection::vec(expiring_word(4), 0..5),
        now_seconds in 0..6_u32,
        choice in any::<prop::sample::Index>(),
        spoiled in 0..6_u8,
    ) {
        let words = known.iter().map(|(word, _)| word).chain(&unknown).enumerate();
        let all: Vec<Operation> = words.map(|(index, word)| operation(index, word)).collect();
        let (sure, open) = all.split_at(known.len());
        let sure: Vec<Landed<'_>> = sure
            .iter()
            .zip(&known)
            .map(|(what, (_, second))| Landed::at(what, *second))
            .collect();
        let (shape, slice) = (shape_ordered(Order::Asc), Slice::default());
        let (reversed, limit) = (false, None);
        let read = ReadRequest { shape: &shape, slice: &slice, reversed, limit, now_seconds };
        let with = |choice: &[Option<u32>]| -> PartitionSeen {
            let chosen = open.iter().zip(choice);
            let chosen = chosen.filter_map(|(what, second)| Some(Landed::at(what, (*second)?)));
            let landed: Vec<Landed<'_>> = sure.iter().copied().chain(chosen).collect();
            evaluate(&landed, &read)
        };
        let choices = choices(open.len());
        let mut seen = with(&choices[choice.index(choices.len())]);
        match spoiled {
            0 => drop(seen.rows.pop()),
            1 => drop(seen.rows.first_mut().map(|row| row.cells.pop_first())),
            _ => {}
        }
        let explaining: Vec<&Vec<Option<u32>>> =
            choices.iter().filter(|choice| with(choice) == seen).collect();
        let variants: Vec<(usize, u32)> =
            (0..open.len()).flat_map(|index| SECONDS.map(move |second| (index, second))).collect();
        let candidates = Candidates {
            known: sure.clone(),
            unknown: variants.iter().map(|(index, second)| Landed::at(&open[*index], *second)).collect(),
            ..Candidates::default()
        };
        match explain(&candidates, &read, &seen) {
            Ok(consistent) => {
                let is_in = |position: usize| !consistent.excluded.contains(&position);
                let last = |index: usize| {
                    let own = variants.iter().enumerate();
                    let own = own.filter(|(position, (of, _))| *of == index && is_in(*position));
                    own.map(|(_, (_, second))| *second).next_back()
                };
                let largest: Vec<Option<u32>> = (0..open.len()).map(last).collect();
                prop_assert_eq!(with(&largest), seen, "the last seconds that are left explain it");
                for choice in explaining {
                    for (position, (index, second)) in variants.iter().enumerate() {
                        let is_chosen = choice[*index] == Some(*second);
                        prop_assert!(!is_chosen || is_in(position), "{:?} is left out", choice);
                    }
                }
            }
            Err(contradiction) => prop_assert!(
                explaining.is_empty(),
                "{contradiction:?}, but {explaining:?} explain the answer",
            ),
        }
    }
}
