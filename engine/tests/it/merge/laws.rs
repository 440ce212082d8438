//! Invariants tests of statements at random: order, grouping, place, direction and slice change nothing.

use cenotaph_engine::keys::{Order, Slice, Value};
use cenotaph_engine::message::{OrderBy, ReadStatement};
use cenotaph_engine::read::merge;
use cenotaph_engine::rows::{Mutation, Partition};
use proptest::collection::vec;
use proptest::prelude::*;

use super::case::{prepare, result, select};
use super::places::sources;
use super::statements::{
    Write, add, delete, delete_partition, delete_range, delete_row, fields, insert, insert_v, list,
    map, remove, set, update, v,
};
use super::tables::schema;
use crate::laws::config;

const RANGES: [&str; 7] = ["[1,3]", "(1,3)", "[2,4)", "(0,2]", "[,2]", "(2,]", "[3,3]"];
const NAMES: [&str; 3] = ["a", "b", ""];

fn any_name() -> impl Strategy<Value = &'static str> {
    prop::sample::select(&NAMES[..])
}

/// A column of many cells, and a value of it.
fn any_collection() -> impl Strategy<Value = (&'static str, Value)> {
    let column = prop::sample::select(&["m", "e", "l", "u"][..]);
    (any_name(), any_name(), column).prop_map(|(key, value, column)| {
        let content = match column {
            "m" => map(&[(key, value)]),
            "e" => set(&[key, value]),
            "l" => list(&[value]),
            _ => fields(&[
                ("a", Some(key)),
                ("b", (!value.is_empty()).then_some(value)),
            ]),
        };
        (column, content)
    })
}

/// A write of one row.
fn any_row_write() -> impl Strategy<Value = Write> {
    let at = || 1_i64..8;
    let column = prop::sample::select(&["v", "m", "e", "l", "u"][..]);
    let removed = (prop::sample::select(&["m", "e"][..]), any_name());
    prop_oneof![
        2 => at().prop_map(|at| insert(at, &[])),
        2 => (at(), any_name()).prop_map(|(at, name)| insert_v(at, name)),
        3 => (at(), any_name()).prop_map(|(at, name)| v(at, name)),
        4 => (at(), any_collection()).prop_map(|(at, (column, value))| add(at, column, value)),
        3 => (at(), any_collection()).prop_map(|(at, (column, value))| update(at, column, value)),
        2 => (at(), removed).prop_map(|(at, (column, key))| remove(at, column, &[key])),
        2 => (at(), column).prop_map(|(at, column)| delete(at, column)),
        2 => at().prop_map(delete_row),
    ]
}

fn any_write() -> impl Strategy<Value = Write> {
    let of_row = (any_row_write(), 0_i32..5, 98_u32..101, 0_u32..3);
    let of_row = of_row.prop_map(|(write, row, now, ttl)| {
        let write = write.row(row).d(now);
        let can_expire = matches!(
            write.statement.target,
            cenotaph_engine::message::WriteTarget::Insert { .. }
                | cenotaph_engine::message::WriteTarget::Update { .. }
        );
        match ttl {
            0 => write,
            seconds if can_expire => write.ttl(seconds, now + seconds),
            _ => write,
        }
    });
    let range = (1_i64..8, prop::sample::select(&RANGES[..]), 98_u32..101);
    let partition = (1_i64..6, 98_u32..101);
    prop_oneof![
        10 => of_row,
        2 => range.prop_map(|(at, range, now)| delete_range(at, range).d(now)),
        1 => partition.prop_map(|(at, now)| delete_partition(at).d(now)),
    ]
}

/// Writes, each with its place: memtable or one of three sstables.
fn any_placed() -> impl Strategy<Value = (Vec<Write>, Vec<usize>)> {
    (vec(any_write(), 1..14), vec(0_usize..4, 14))
}

fn merged(mutations: &[Mutation], layout: &[usize], slice: &Slice) -> Partition {
    merge(sources(mutations, layout, slice))
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn where_statements_lie_and_in_which_order_they_came_changes_nothing(
        (writes, layout) in any_placed(),
        shuffle in any::<prop::sample::Index>(),
        slice in crate::rows::support::any_slice(),
    ) {
        let mut mutations = prepare(&writes, &schema(Order::Ascending));
        let layout = &layout[..mutations.len()];
        let memtable = vec![0; mutations.len()];
        let whole = merged(&mutations, &memtable, &Slice::ALL);
        prop_assert!(whole.is_canonical());
        prop_assert_eq!(&merged(&mutations, layout, &Slice::ALL), &whole);
        prop_assert_eq!(merged(&mutations, layout, &slice), whole.slice(&slice));
        let middle = shuffle.index(mutations.len());
        mutations.rotate_left(middle);
        mutations.reverse();
        prop_assert_eq!(&merged(&mutations, layout, &Slice::ALL), &whole);
    }

    #[test]
    fn a_read_backwards_sees_the_same(
        (writes, layout) in any_placed(),
        now in 97_u32..104,
    ) {
        let schema = schema(Order::Ascending);
        let mutations = prepare(&writes, &schema);
        let layout = &layout[..mutations.len()];
        let forward = result(&schema, &select(), now, &mutations, layout);
        let backwards = ReadStatement {
            order_by: Some(OrderBy {
                column: "ck".into(),
                order: Order::Descending,
            }),
            ..select()
        };
        let mut back = result(&schema, &backwards, now, &mutations, layout);
        back.rows.reverse();
        prop_assert_eq!(back, forward);
    }

    #[test]
    fn what_is_dead_stays_dead_as_time_goes_on((writes, _) in any_placed()) {
        let schema = schema(Order::Ascending);
        let mutations = prepare(&writes, &schema);
        let layout = vec![0; mutations.len()];
        let rows = |now| {
            let found = result(&schema, &select(), now, &mutations, &layout);
            let keys = found.rows.into_iter().map(|row| row.clustering);
            keys.collect::<std::collections::BTreeSet<_>>()
        };
        for now in 97..104 {
            prop_assert!(rows(now + 1).is_subset(&rows(now)));
        }
    }
}
