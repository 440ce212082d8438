//! Invariants of range deletions, as worked cases: which rows they reach, which is the stronger, and
//! in which form they are stored.

use cenotaph::history::{StoneEdge, StoneSeen, StonesSeen};
use cenotaph::plan::{ClusteringColumn, Edge, Operation, Order, Scalar, ScalarType, Shape, Slice};

use super::cases::case;
use crate::support::ops::{
    T0, V0, beyond, create_with_grace, delete_partition, delete_range, delete_row, edge, from,
    insert, key, read_with, seen_row, shape_ordered, stone, text, update, update_static,
};
use crate::support::script::Script;

fn five(timestamp: i64) -> Vec<Operation> {
    (1..=5).map(|row| insert(row, &[], timestamp)).collect()
}

fn with(rows: Vec<Operation>, more: &[Operation]) -> Vec<Operation> {
    [&rows[..], more].concat()
}

#[test]
fn a_range_reaches_the_rows_within_its_bounds() {
    case("E1", &with(five(10), &[delete_range(from(2), from(4), 10)])).shows("(1:) (5:)");
    case(
        "E2",
        &with(five(10), &[delete_range(beyond(2), beyond(4), 10)]),
    )
    .shows("(1:) (2:) (4:) (5:)");
    case(
        "E3",
        &with(five(10), &[delete_range(from(2), beyond(4), 10)]),
    )
    .shows("(1:) (4:) (5:)");
    case("E4", &with(five(11), &[delete_range(from(2), from(4), 10)]))
        .shows("(1:) (2:) (3:) (4:) (5:)");
    case(
        "E19",
        &with(five(10), &[delete_range(from(5), beyond(5), 10)]),
    )
    .shows("(1:) (2:) (3:) (4:) (5:)");
    case(
        "E11",
        &with(
            five(10),
            &[
                delete_range(from(1), beyond(5), 10),
                delete_range(beyond(5), from(9), 10),
            ],
        ),
    )
    .shows("(5:)");
}

#[test]
fn a_range_takes_rows_deletions_and_cells_but_no_static_cell() {
    let all = || delete_range(Edge::Open, from(9), 10);
    case("C10", &[all(), update_static("s", 9)]).shows("s0='s'");
    let later = delete_range(Edge::Open, from(9), 12);
    case(
        "C11",
        &[later, delete_row(1, 10), update(1, &[(V0, "v")], 11)],
    )
    .shows("no rows");
    let cells = [
        update(1, &[(V0, "v")], 11),
        update(1, &[(crate::support::ops::V1, "w")], 13),
    ];
    case("C12", &with(cells.to_vec(), &[all(), delete_row(1, 12)])).shows("(1: v1='w')");
}

#[test]
fn bounds_are_of_values_whatever_the_order_of_rows() {
    let shape = shape_ordered(Order::Desc);
    let read = read_with(Slice::default(), None, None);
    let above = with(five(10), &[delete_range(beyond(3), Edge::Open, 10)]);
    case("E21", &above).read_shows(&read, &shape, 0, "(3:) (2:) (1:)");
    let reverse = read_with(Slice::default(), Some(Order::Asc), None);
    case("E21", &above).read_shows(&reverse, &shape, 0, "(1:) (2:) (3:)");
}

#[test]
fn a_slice_and_a_limit_cut_ranges_with_their_rows() {
    let rows = with(five(4), &[delete_range(from(1), from(4), 5)]);
    let slice = Slice {
        from: from(3),
        ..Slice::default()
    };
    let shape = shape_ordered(Order::Asc);
    case("E17", &rows).read_shows(&read_with(slice, None, None), &shape, 0, "(5:)");
    let some = [
        insert(2, &[], 10),
        insert(6, &[], 10),
        delete_range(from(1), from(9), 5),
    ];
    case("E18", &some).read_shows(
        &read_with(Slice::default(), None, Some(1)),
        &shape,
        0,
        "(2:)",
    );
}

/// Rows of two clustering values.
fn pair(first: i64, second: i64) -> Operation {
    Operation::Insert {
        table: T0,
        partition: 0,
        row: Some([key(first), key(second)].concat()),
        cells: [(V0, text(&format!("{first}-{second}")).into())].into(),
        timestamp: 10,
        ttl_seconds: None,
    }
}

#[test]
fn a_prefix_is_a_range_of_all_that_begin_with_it() {
    let column = ClusteringColumn(ScalarType::Int, Order::Asc);
    let shape = Shape {
        clustering: vec![column, column],
        ..shape_ordered(Order::Asc)
    };
    let rows = vec![pair(0, 1), pair(1, 3), pair(1, 4), pair(2, 1)];
    let delete = |from: Edge| Operation::DeleteRange {
        table: T0,
        partition: 0,
        slice: Slice {
            prefix: key(1),
            from,
            to: Edge::Open,
        },
        timestamp: 10,
    };
    let read = read_with(Slice::default(), None, None);
    case("E14", &with(rows.clone(), &[delete(Edge::Open)])).read_shows(
        &read,
        &shape,
        0,
        "(0,1: v0='0-1') (2,1: v0='2-1')",
    );
    let above = delete(Edge::Exclusive(Scalar::Integer(3)));
    case("E15", &with(rows, &[above])).read_shows(
        &read,
        &shape,
        0,
        "(0,1: v0='0-1') (1,3: v0='1-3') (2,1: v0='2-1')",
    );
}

/// The second in which everything of a script is done.
const BEGIN: u32 = 1_700_000_000;

type Range = (StoneEdge, StoneEdge, StoneSeen);

/// `[from` or `(from`, `to]` or `to)`, with a write time.
fn range((from, is_from_out): (i64, bool), (to, is_to_out): (i64, bool), timestamp: i64) -> Range {
    let (from, to) = (edge(Some(from), is_from_out), edge(Some(to), !is_to_out));
    (from, to, stone(timestamp, BEGIN))
}

const IN: bool = false;
const OUT: bool = true;

/// What the judges say of these ranges and rows, stored of these deletions.
fn judged(operations: &[Operation], seen: StonesSeen) -> Vec<String> {
    let mut script = Script::new();
    script.boot();
    script.ok(create_with_grace(1_000));
    for operation in operations {
        script.ok(operation.clone());
    }
    script.shows_stones(seen);
    script.identities()
}

fn stored(ranges: &[Range]) -> StonesSeen {
    StonesSeen {
        ranges: ranges.to_vec(),
        ..StonesSeen::default()
    }
}

/// These are stored in this form, and in no other of those.
fn is_stored(id: &str, operations: &[Operation], right: &[Range], wrong: &[&[Range]]) {
    assert_eq!(
        judged(operations, stored(right)),
        Vec::<String>::new(),
        "{id}"
    );
    for wrong in wrong {
        assert_eq!(
            judged(operations, stored(wrong)).len(),
            1,
            "{id}: {wrong:?}"
        );
    }
}

#[test]
fn of_overlapping_ranges_the_stronger_is_stored_where_it_reaches() {
    let low = delete_range(from(1), from(5), 10);
    let high = delete_range(from(3), from(8), 12);
    let right = [range((1, IN), (3, OUT), 10), range((3, IN), (8, IN), 12)];
    let overlapping = [range((1, IN), (5, IN), 10), range((3, IN), (8, IN), 12)];
    is_stored(
        "E5",
        &[low, high],
        &right,
        &[&overlapping, &right[..1], &right[1..]],
    );
    let low = delete_range(from(3), from(8), 10);
    let high = delete_range(from(1), from(5), 12);
    let right = [range((1, IN), (5, IN), 12), range((5, OUT), (8, IN), 10)];
    let hole = [range((1, IN), (5, IN), 12), range((6, IN), (8, IN), 10)];
    is_stored("E6", &[low, high], &right, &[&hole]);
    let three = [
        delete_range(from(1), from(5), 10),
        delete_range(from(1), from(5), 12),
        delete_range(from(2), from(3), 11),
    ];
    let weaker = [range((1, IN), (5, IN), 10)];
    is_stored("E22", &three, &[range((1, IN), (5, IN), 12)], &[&weaker]);
}

#[test]
fn ranges_that_are_alike_and_meet_are_one() {
    let whole = range((1, IN), (5, IN), 10);
    let inner = [
        delete_range(from(1), from(5), 10),
        delete_range(from(3), from(4), 10),
    ];
    let split = [range((1, IN), (3, OUT), 10), range((3, IN), (5, IN), 10)];
    is_stored("E7", &inner, &[whole], &[&split]);
    let nine = [range((1, IN), (9, IN), 10)];
    let halves = [range((1, IN), (5, IN), 10), range((5, OUT), (9, IN), 10)];
    let first = delete_range(from(1), from(5), 10);
    let second = delete_range(beyond(5), from(9), 10);
    is_stored("E8, E20", &[first.clone(), second], &nine, &[&halves]);
    let before = delete_range(from(1), beyond(5), 10);
    let at = delete_range(from(5), from(9), 10);
    is_stored("E9", &[before.clone(), at.clone()], &nine, &[&halves]);
    is_stored("E10", &[first, at], &nine, &[&halves]);
    let apart = [range((1, IN), (5, OUT), 10), range((5, OUT), (9, IN), 10)];
    is_stored(
        "E11",
        &[before, delete_range(beyond(5), from(9), 10)],
        &apart,
        &[&nine],
    );
}

#[test]
fn a_range_within_the_partitions_deletion_is_stored_only_when_it_is_stronger() {
    let partition = Some(stone(10, BEGIN));
    for (timestamp, is_kept) in [(9, false), (10, false), (11, true)] {
        let ranges = vec![range((1, IN), (5, IN), timestamp)];
        let operations = [
            delete_partition(10),
            delete_range(from(1), from(5), timestamp),
        ];
        let with = |ranges| StonesSeen {
            partition,
            ranges,
            ..StonesSeen::default()
        };
        assert_eq!(judged(&operations, with(ranges)).is_empty(), is_kept, "E12");
        assert_eq!(
            judged(&operations, with(Vec::new())).is_empty(),
            !is_kept,
            "E12"
        );
    }
}

#[test]
fn a_row_deletion_is_stored_only_when_it_is_stronger() {
    let partition = Some(stone(10, BEGIN));
    let operations = [delete_partition(10), delete_row(1, 10)];
    let with = |rows| StonesSeen {
        partition,
        rows,
        ..StonesSeen::default()
    };
    assert!(judged(&operations, with(Vec::new())).is_empty(), "C4");
    let kept = vec![(key(1), stone(10, BEGIN))];
    assert!(!judged(&operations, with(kept)).is_empty(), "C4");
    let within = [delete_range(from(1), from(5), 10), delete_row(1, 10)];
    let right = range((1, IN), (5, IN), 10);
    is_stored("C13", &within, std::slice::from_ref(&right), &[&[]]);
}

#[test]
fn rows_show_where_ranges_meet_only_when_neither_reaches_them() {
    let judged = |first: Operation, second: Operation| {
        let mut script = Script::new();
        script.boot();
        script.ok(create_with_grace(1_000));
        script.ok(insert(5, &[], 10));
        script.ok(first);
        script.ok(second);
        script.shows(
            crate::support::ops::read(),
            crate::support::ops::rows(&[seen_row(5, &[])]),
        );
        script.identities().is_empty()
    };
    assert!(
        !judged(
            delete_range(from(1), from(5), 10),
            delete_range(beyond(5), from(9), 10)
        ),
        "E8"
    );
    assert!(
        !judged(
            delete_range(from(1), beyond(5), 10),
            delete_range(from(5), from(9), 10)
        ),
        "E9"
    );
    assert!(
        !judged(
            delete_range(from(1), from(5), 10),
            delete_range(from(5), from(9), 10)
        ),
        "E10"
    );
    assert!(
        judged(
            delete_range(from(1), beyond(5), 10),
            delete_range(beyond(5), from(9), 10)
        ),
        "E11"
    );
}
