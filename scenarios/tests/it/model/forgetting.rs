//! Invariants of forgetting, against a naive compaction: whatever it forgets, and wherever, no
//! answer of a node that does so is objected to; and what it may not forget is missed.

use std::collections::{BTreeMap, BTreeSet};

use cenotaph::history::{PartitionSeen, RowSeen};
use cenotaph::model::{Candidates, Landed, ReadRequest, evaluate, explain};
use cenotaph::plan::{Column, Edge, Operation, Order, Scalar, Slice, Value};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::words::{operation, word};
use crate::support::ops::{S0, V0, V1, key, shape_ordered};

/// A place and a part of it: a row, or none for the static row; a column, or none for the marker.
type Spot = (Option<i64>, Option<Column>);

fn spots() -> Vec<Spot> {
    let rows = (0..3).flat_map(|row| [None, Some(V0), Some(V1)].map(|part| (Some(row), part)));
    rows.chain([(None, Some(S0))]).collect()
}

/// The operations as far as they concern a spot: a write of nothing else, a deletion that covers it.
fn at_spot(what: &Operation, spot: Spot) -> Option<Operation> {
    let (row, part) = spot;
    let is_row = |at: &Option<Vec<Scalar>>| *at == row.map(key);
    let keeps = |cells: &BTreeMap<Column, Value>| -> BTreeMap<Column, Value> {
        let own = cells.iter().filter(|(column, _)| Some(**column) == part);
        own.map(|(column, value)| (*column, value.clone()))
            .collect()
    };
    let mut own = what.clone();
    let is_own = match &mut own {
        Operation::Insert { row: at, cells, .. } => {
            *cells = keeps(cells);
            is_row(at) && (part.is_none() || !cells.is_empty())
        }
        Operation::Update { row: at, cells, .. } => {
            *cells = keeps(cells);
            !cells.is_empty() && (part == Some(S0) || is_row(at))
        }
        Operation::DeleteCells {
            row: at, columns, ..
        } => {
            columns.retain(|column| Some(*column) == part);
            is_row(at) && !columns.is_empty()
        }
        Operation::DeleteRow { row: at, .. } => is_row(&Some(at.clone())),
        Operation::DeleteRange { slice, .. } => row.is_some_and(|row| {
            let at = Scalar::Integer(row);
            let (Edge::Inclusive(from), Edge::Exclusive(to)) = (&slice.from, &slice.to) else {
                panic!("words have half-open ranges");
            };
            *from <= at && at < *to
        }),
        _ => true,
    };
    is_own.then_some(own)
}

fn covers_as_much(taker: &Operation, taken: &Operation) -> bool {
    let reach = |what: &Operation| match what {
        Operation::DeletePartition { .. } => 3,
        Operation::DeleteRange { .. } => 2,
        Operation::DeleteRow { .. } => 1,
        _ => 0,
    };
    reach(taken) == 0 || reach(taker) >= reach(taken)
}

/// What is stored of a spot once the compaction has forgotten these: not them, nor what they hid.
fn compacted(stored: &[(usize, Operation)], forgotten: &BTreeSet<usize>) -> Vec<Operation> {
    let forgotten_ones = || stored.iter().filter(|(index, _)| forgotten.contains(index));
    let is_taken = |what: &Operation| {
        forgotten_ones().any(|(_, taker)| {
            taker != what && taker.timestamp() >= what.timestamp() && covers_as_much(taker, what)
        })
    };
    let kept = stored
        .iter()
        .filter(|(index, what)| !forgotten.contains(index) && !is_taken(what));
    kept.map(|(_, what)| what.clone()).collect()
}

/// What a read shows when each spot has its own operations.
fn read_spots(of: &BTreeMap<Spot, Vec<Operation>>, read: &ReadRequest<'_>) -> PartitionSeen {
    let shown = |spot: Spot| {
        let landed: Vec<Landed<'_>> = of[&spot].iter().map(|what| Landed::at(what, 0)).collect();
        evaluate(&landed, read)
    };
    let mut seen = PartitionSeen::default();
    for row in 0..3 {
        let is_marked = !shown((Some(row), None)).rows.is_empty();
        let cells: BTreeMap<Column, Value> = [V0, V1]
            .into_iter()
            .flat_map(|column| shown((Some(row), Some(column))).rows)
            .flat_map(|shown| shown.cells)
            .collect();
        if is_marked || !cells.is_empty() {
            let clustering = key(row);
            seen.rows.push(RowSeen { clustering, cells });
        }
    }
    seen.statics = shown((None, Some(S0))).statics;
    seen
}

fn is_deletion(what: &Operation) -> bool {
    !matches!(what, Operation::Insert { .. } | Operation::Update { .. })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 2_000,
        rng_seed: RngSeed::Fixed(33),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn a_node_that_forgets_what_it_may_is_never_objected_to(
        early in prop::collection::vec((word(), any::<bool>(), any::<u16>()), 0..7),
        late in prop::collection::vec(word(), 0..5),
        unknown in any::<u16>(),
    ) {
        let words = early.iter().map(|(word, ..)| word).chain(&late).enumerate();
        let all: Vec<Operation> = words.map(|(index, word)| operation(index, word)).collect();
        // Old enough to be forgotten, and forgotten in some places.
        let old: BTreeSet<usize> = (0..early.len())
            .filter(|index| is_deletion(&all[*index]) && early[*index].1)
            .collect();
        let mut stored = BTreeMap::new();
        for (ordinal, spot) in spots().into_iter().enumerate() {
            let of_spot = |(index, what)| Some((index, at_spot(what, spot)?));
            let at: Vec<(usize, Operation)> =
                all.iter().enumerate().filter_map(of_spot).collect();
            let (before, after): (Vec<_>, Vec<_>) =
                at.into_iter().partition(|(index, _)| *index < early.len());
            let is_forgotten = |index: &&usize| early[**index].2 >> ordinal & 1 == 1;
            let forgotten = old.iter().filter(is_forgotten).copied().collect();
            let mut kept = compacted(&before, &forgotten);
            kept.extend(after.into_iter().map(|(_, what)| what));
            stored.insert(spot, kept);
        }
        let (shape, slice) = (shape_ordered(Order::Asc), Slice::default());
        let (reversed, limit, now_seconds) = (false, None, 0);
        let read = ReadRequest { shape: &shape, slice: &slice, reversed, limit, now_seconds };
        let seen = read_spots(&stored, &read);

        // All have landed; of some nobody knows it.
        let (open, sure): (Vec<usize>, Vec<usize>) =
            (0..all.len()).partition(|index| unknown >> index & 1 == 1);
        let order: Vec<usize> = sure.iter().chain(&open).copied().collect();
        let position = |index: usize| order.iter().position(|at| *at == index).expect("all are there");
        let pairs = old.iter().flat_map(|old| (early.len()..all.len()).map(move |late| (*old, late)));
        let landed = |index: &usize| Landed::at(&all[*index], 0);
        let candidates = Candidates {
            known: sure.iter().map(landed).collect(),
            unknown: open.iter().map(landed).collect(),
            forgettable: pairs.map(|(old, late)| (position(old), position(late))).collect(),
            ..Candidates::default()
        };
        let explained = explain(&candidates, &read, &seen);
        prop_assert!(explained.is_ok(), "{explained:?} of {seen}");

        // Had nothing been forgotten, what shows of it would be objected to.
        let strict = Candidates { forgettable: BTreeSet::new(), ..candidates };
        let whole: Vec<Landed<'_>> = all.iter().map(|what| Landed::at(what, 0)).collect();
        if open.is_empty() {
            let is_same = evaluate(&whole, &read) == seen;
            prop_assert_eq!(explain(&strict, &read, &seen).is_ok(), is_same);
        }
    }
}
