//! Vocabulary of operations by small numbers, for laws over many of them: a few rows, a few times,
//! so that they meet; each value has its operation's index in it, and so is unique.

use std::collections::BTreeMap;

use cenotaph::plan::{Column, Edge, Operation, Scalar, Slice, Value};
use proptest::prelude::*;

use crate::support::ops::{S0, T0, V0, V1, key, text};

/// One operation.
#[derive(Clone, Debug)]
pub(super) struct Word {
    pub(super) kind: u8,
    row: i64,
    other: i64,
    columns: u8,
    timestamp: i64,
    /// 0 for none.
    ttl_seconds: u32,
}

/// Any operation, of which none expires.
pub(super) fn word() -> impl Strategy<Value = Word> {
    expiring_word(0)
}

/// Any operation; writes may live up to so many seconds.
pub(super) fn expiring_word(ttl_seconds_max: u32) -> impl Strategy<Value = Word> {
    let ttl_seconds = prop_oneof![1 => Just(0), 2 => 0..=ttl_seconds_max];
    (0..9_u8, 0..3_i64, 0..4_i64, 1..4_u8, 1..4_i64, ttl_seconds).prop_map(
        |(kind, row, other, columns, timestamp, ttl_seconds)| Word {
            kind,
            row,
            other,
            columns,
            timestamp,
            ttl_seconds,
        },
    )
}

pub(super) fn operation(index: usize, word: &Word) -> Operation {
    let some = match word.kind {
        0 => Vec::new(),
        4 => vec![S0],
        _ => columns(word),
    };
    let (table, partition, timestamp) = (T0, 0, word.timestamp);
    let (row, cells) = (Some(key(word.row)), cells(index, word, &some));
    let ttl_seconds = Some(word.ttl_seconds).filter(|ttl_seconds| *ttl_seconds > 0);
    match word.kind {
        0..=2 => Operation::Insert {
            table,
            partition,
            row,
            cells,
            timestamp,
            ttl_seconds,
        },
        3 | 4 => Operation::Update {
            table,
            partition,
            row: row.filter(|_| word.kind == 3),
            cells,
            elements: BTreeMap::new(),
            timestamp,
            ttl_seconds,
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
            elements: BTreeMap::new(),
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

fn cells(index: usize, word: &Word, columns: &[Column]) -> BTreeMap<Column, Value> {
    let value = |column: &Column| text(&format!("{}{index}{column}", word.other));
    columns
        .iter()
        .map(|column| (*column, value(column).into()))
        .collect()
}
