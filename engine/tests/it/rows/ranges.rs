//! Invariants tests of range tombstones: how they overlap, touch, join and are cut.

use std::fmt::Write;

use cenotaph_engine::keys::{
    Bound, BoundSide, ClusteringColumn, ClusteringShape, DataType, Order, Slice, Value,
};
use cenotaph_engine::rows::{DeletionTime, Liveness, Partition, RangeTombstone, Row};

use super::support::{
    after, at, before, deletion, deletion_at, merge, range, row_marker, shape, visible,
};

/// `[1 5)10` and the like: brackets say which side of the value the bound stands on.
fn shown(ranges: &[RangeTombstone]) -> String {
    let mut text = String::new();
    for RangeTombstone {
        start,
        end,
        deletion,
    } in ranges
    {
        let side = |bound: &Bound, names: [&'static str; 2]| {
            let (values, side) = shape().bound_values(bound).unwrap();
            let value = values.first().map_or("all".to_owned(), Value::to_string);
            (value, names[usize::from(side == BoundSide::After)])
        };
        let ((first, open), (last, close)) = (side(start, ["[", "("]), side(end, [")", "]"]));
        let DeletionTime {
            timestamp,
            local_deletion_seconds,
        } = deletion;
        write!(
            text,
            "{open}{first} {last}{close}{timestamp}/{local_deletion_seconds} "
        )
        .unwrap();
    }
    text.trim_end().to_owned()
}

fn merged(versions: &[Partition]) -> String {
    shown(&merge(versions).ranges)
}

/// The rows of 1..=5, written at `timestamp`, that a range deletion at 10 leaves.
fn left(start: Bound, end: Bound, timestamp: i64) -> Vec<i32> {
    let mut partition = Partition::default();
    for key in 1..=5 {
        partition.apply(row_marker(key, Liveness::plain(timestamp)));
    }
    visible(&merge(&[partition, range(start, end, deletion(10))]), 0)
}

#[test]
fn a_range_deletion_takes_the_rows_between_its_bounds() {
    assert_eq!(left(before(2), after(4), 10), [1, 5]);
    assert_eq!(left(after(2), before(4), 10), [1, 2, 4, 5]);
    assert_eq!(left(before(2), before(4), 10), [1, 4, 5]);
}

#[test]
fn a_range_deletion_leaves_what_is_later_and_is_kept() {
    assert_eq!(left(before(2), after(4), 11), [1, 2, 3, 4, 5]);
    let versions = [
        range(before(2), after(4), deletion(10)),
        row_marker(3, Liveness::plain(11)),
    ];
    assert_eq!(merged(&versions), "[2 4]10/100");
}

#[test]
fn where_two_ranges_overlap_the_superseding_one_stays() {
    let overlap = |first, second| {
        merged(&[
            range(before(1), after(5), deletion(first)),
            range(before(3), after(8), deletion(second)),
        ])
    };
    assert_eq!(overlap(10, 12), "[1 3)10/100 [3 8]12/100");
    assert_eq!(overlap(12, 10), "[1 5]12/100 (5 8]10/100");
    assert_eq!(overlap(10, 10), "[1 8]10/100");
}

#[test]
fn a_range_within_an_equal_one_vanishes() {
    let within = |seconds| {
        merged(&[
            range(before(1), after(5), deletion_at(10, 5)),
            range(before(3), after(4), deletion_at(10, seconds)),
        ])
    };
    assert_eq!(within(5), "[1 5]10/5");
    assert_eq!(within(9), "[1 3)10/5 [3 4]10/9 (4 5]10/5");
}

#[test]
fn ranges_that_touch_with_one_deletion_are_one() {
    let joined = |end, start| {
        merged(&[
            range(before(1), end, deletion(10)),
            range(start, after(9), deletion(10)),
        ])
    };
    assert_eq!(joined(after(5), after(5)), "[1 9]10/100");
    assert_eq!(joined(before(5), before(5)), "[1 9]10/100");
    assert_eq!(joined(after(5), before(5)), "[1 9]10/100");
    assert_eq!(
        joined(before(5), after(5)),
        "[1 5)10/100 (5 9]10/100",
        "row 5 is between them"
    );
}

#[test]
fn the_later_deletion_time_wins_a_tie_between_ranges() {
    let versions = [
        range(before(1), after(5), deletion_at(10, 5)),
        range(before(1), after(5), deletion_at(10, 9)),
    ];
    assert_eq!(merged(&versions), "[1 5]10/9");
}

#[test]
fn a_middle_range_between_two_equal_bounds_vanishes() {
    let versions = [
        range(before(1), after(5), deletion(10)),
        range(before(1), after(5), deletion(12)),
        range(before(2), after(3), deletion(11)),
    ];
    assert_eq!(merged(&versions), "[1 5]12/100");
}

#[test]
fn an_empty_range_says_nothing() {
    assert!(range(before(5), before(5), deletion(10)).is_empty());
    assert!(range(after(5), before(5), deletion(10)).is_empty());
}

#[test]
fn a_slice_clips_ranges() {
    let partition = range(before(1), after(9), deletion(10));
    let sliced = |start, end| shown(&partition.slice(&Slice { start, end }).ranges);
    assert_eq!(sliced(before(3), after(4)), "[3 4]10/100");
    assert_eq!(sliced(Bound::BOTTOM, before(1)), "");
    assert_eq!(sliced(after(9), Bound::TOP), "");
    assert_eq!(sliced(after(4), before(3)), "");
    assert_eq!(sliced(after(4), Bound::TOP), "(4 9]10/100");
}

/// A partition with the rows (a, b), both in 0..=4, and what a deletion of a slice leaves.
fn left_of_pairs(
    orders: [Order; 2],
    lower: &[i32],
    inclusive: bool,
    upper: &[i32],
) -> Vec<[i32; 2]> {
    let column = |order| ClusteringColumn {
        data_type: DataType::Int,
        order,
    };
    let shape = ClusteringShape {
        columns: orders.map(column).to_vec(),
    };
    let ints = |values: &[i32]| values.iter().map(|&i| Value::Int(i)).collect::<Vec<_>>();
    let (lower, upper) = (ints(lower), ints(upper));
    let slice = shape
        .slice(Some((&lower, inclusive)), Some((&upper, true)))
        .unwrap();
    let mut partition = Partition::default();
    for pair in (0..=4).flat_map(|a| (0..=4).map(move |b| [a, b])) {
        let row = Row {
            liveness: Some(Liveness::plain(10)),
            ..Row::default()
        };
        partition.apply_row(shape.clustering(&ints(&pair)).unwrap(), row);
    }
    let Slice { start, end } = slice;
    partition.delete_range(&RangeTombstone {
        start,
        end,
        deletion: deletion(10),
    });
    let pair = |values: Vec<Value>| match values[..] {
        [Value::Int(a), Value::Int(b)] => [a, b],
        _ => panic!("{values:?}"),
    };
    let mut left: Vec<_> = partition
        .rows
        .iter()
        .map(|(row, _)| row)
        .map(|clustering| pair(shape.values(clustering).unwrap()))
        .collect();
    left.sort_unstable();
    left
}

#[test]
fn a_deletion_by_prefix_takes_all_rows_with_it() {
    let up = [Order::Ascending; 2];
    let left = left_of_pairs(up, &[1], true, &[1]);
    assert_eq!(left.len(), 20);
    assert!(left.iter().all(|pair| pair[0] != 1));
}

#[test]
fn a_deletion_by_prefix_and_inequality_takes_rows_by_value_in_either_order() {
    for second in [Order::Ascending, Order::Descending] {
        let left = left_of_pairs([Order::Ascending, second], &[1, 3], false, &[1]);
        assert_eq!(left.len(), 24);
        assert!(left.contains(&[1, 3]));
        assert!(!left.contains(&[1, 4]));
    }
}

#[test]
fn the_deletion_over_a_row_is_found_among_many_ranges() {
    let mut partition = Partition::default();
    for key in 0..100 {
        partition.apply(range(
            before(3 * key),
            after(3 * key + 1),
            deletion(i64::from(key)),
        ));
    }
    for key in 0..300 {
        let expected = (key % 3 < 2).then(|| deletion(i64::from(key / 3)));
        assert_eq!(partition.active_deletion(&at(key)), expected, "{key}");
    }
}
