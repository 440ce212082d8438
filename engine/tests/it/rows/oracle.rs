//! Invariants tests of merging against brute force: for each cell, the maximum over covering deletions.

use std::collections::BTreeMap;

use cenotaph_engine::keys::Slice;
use cenotaph_engine::rows::{Cell, CellKey, Liveness, Partition};
use proptest::prelude::*;

use super::support::{KEYS, M, PATHS, S, V, W, Write, any_writes, at, merge_in_order, path};
use crate::laws::config;

/// What a reader sees: for each visible row its live values, and the live static value.
#[derive(Debug, PartialEq)]
struct Seen {
    rows: BTreeMap<i32, Vec<(CellKey, Vec<u8>)>>,
    static_value: Option<Vec<u8>>,
}

/// The latest deletion over a row, or over the static row for `None`.
fn deleted_at(writes: &[Write], key: Option<i32>) -> i64 {
    let reaches = |write: &Write| match (write, key) {
        (Write::Partition(deletion), _) => Some(deletion.timestamp),
        (Write::Row(row, deletion), Some(key)) => (*row == key).then_some(deletion.timestamp),
        (Write::Range(start, end, deletion), Some(key)) => {
            let slice = Slice {
                start: start.clone(),
                end: end.clone(),
            };
            slice.contains(&at(key)).then_some(deletion.timestamp)
        }
        _ => None,
    };
    writes.iter().filter_map(reaches).max().unwrap_or(i64::MIN)
}

/// The latest deletion of all elements of a place's column.
fn column_deleted_at(writes: &[Write], key: i32, place: &CellKey) -> i64 {
    let reaches = |write: &Write| match write {
        Write::Complex(row, deletion) if *row == key && place.column == M => {
            Some(deletion.timestamp)
        }
        _ => None,
    };
    writes.iter().filter_map(reaches).max().unwrap_or(i64::MIN)
}

/// Kind, then expiry, then value, then the smaller ttl: written out once more on purpose.
fn cell_wins(left: &Cell, right: &Cell) -> bool {
    let kind = |cell: &Cell| match (cell.ttl_seconds > 0, cell.local_deletion_seconds < u32::MAX) {
        (false, false) => 0,
        (true, _) => 1,
        (false, true) => 2,
    };
    if left.timestamp != right.timestamp {
        return left.timestamp > right.timestamp;
    }
    if kind(left) != kind(right) {
        return kind(left) > kind(right);
    }
    if left.local_deletion_seconds != right.local_deletion_seconds {
        return left.local_deletion_seconds > right.local_deletion_seconds;
    }
    if left.value != right.value {
        return left.value > right.value;
    }
    left.ttl_seconds < right.ttl_seconds
}

fn marker_wins(left: &Liveness, right: &Liveness) -> bool {
    let as_cell = |marker: &Liveness| Cell {
        timestamp: marker.timestamp,
        ttl_seconds: marker.ttl_seconds,
        local_deletion_seconds: marker.local_deletion_seconds,
        value: bytes::Bytes::new(),
    };
    cell_wins(&as_cell(left), &as_cell(right))
}

fn best<'a, T: 'a>(
    versions: impl Iterator<Item = &'a T>,
    wins: impl Fn(&T, &T) -> bool,
) -> Option<&'a T> {
    versions.reduce(|best, next| if wins(next, best) { next } else { best })
}

fn live_value(cell: &Cell, now: u32) -> Option<Vec<u8>> {
    let is_dead = cell.local_deletion_seconds != u32::MAX
        && (cell.ttl_seconds == 0 || now >= cell.local_deletion_seconds);
    (!is_dead).then(|| cell.value.to_vec())
}

fn brute_force(writes: &[Write], now: u32) -> Seen {
    let mut rows = BTreeMap::new();
    for key in 0..KEYS {
        let deleted = deleted_at(writes, Some(key));
        let markers = writes.iter().filter_map(|write| match write {
            Write::Marker(row, marker) if *row == key => Some(marker),
            _ => None,
        });
        let marker = best(
            markers.filter(|marker| marker.timestamp > deleted),
            marker_wins,
        );
        let mut values = Vec::new();
        let elements = PATHS.map(|name| CellKey::element(M, path(name)));
        for place in [V.into(), W.into()].into_iter().chain(elements) {
            let cells = writes.iter().filter_map(|write| match write {
                Write::Cell(row, id, cell)
                    if (*row, CellKey::from(*id)) == (key, place.clone()) =>
                {
                    Some(cell)
                }
                Write::Element(row, name, cell)
                    if (*row, CellKey::element(M, path(name))) == (key, place.clone()) =>
                {
                    Some(cell)
                }
                _ => None,
            });
            let deleted = deleted.max(column_deleted_at(writes, key, &place));
            let cell = best(cells.filter(|cell| cell.timestamp > deleted), cell_wins);
            values.extend(
                cell.and_then(|cell| live_value(cell, now))
                    .map(|v| (place, v)),
            );
        }
        let marked = marker
            .is_some_and(|marker| marker.ttl_seconds == 0 || now < marker.local_deletion_seconds);
        if marked || !values.is_empty() {
            rows.insert(key, values);
        }
    }
    let deleted = deleted_at(writes, None);
    let statics = writes.iter().filter_map(|write| match write {
        Write::Static(cell) => Some(cell),
        _ => None,
    });
    let cell = best(statics.filter(|cell| cell.timestamp > deleted), cell_wins);
    Seen {
        rows,
        static_value: cell.and_then(|cell| live_value(cell, now)),
    }
}

fn engine(partition: &Partition, now: u32) -> Seen {
    let mut rows = BTreeMap::new();
    for key in 0..KEYS {
        let Some(row) = partition
            .rows
            .get(&at(key))
            .filter(|row| row.is_visible(now))
        else {
            continue;
        };
        let live = row.cells.iter().filter(|(_, cell)| cell.is_live(now));
        rows.insert(
            key,
            live.map(|(place, cell)| (place.clone(), cell.value.to_vec()))
                .collect(),
        );
    }
    let static_cell = partition
        .static_row
        .cell(S)
        .filter(|cell| cell.is_live(now));
    Seen {
        rows,
        static_value: static_cell.map(|cell| cell.value.to_vec()),
    }
}

proptest! {
    #![proptest_config(config(4000))]

    #[test]
    fn a_reader_sees_what_brute_force_over_all_writes_sees(
        writes in any_writes(24),
        now in 0_u32..5,
    ) {
        let parts: Vec<Partition> = writes.iter().map(Write::to_partition).collect();
        prop_assert_eq!(engine(&merge_in_order(&parts), now), brute_force(&writes, now));
    }
}
