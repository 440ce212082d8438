//! Invariants tests of slices: what CQL restrictions select, with ascending and descending columns.

use cenotaph_engine::keys::{
    ClusteringColumn, ClusteringShape, DataType, KeyError, Order, Slice, Value,
};

type Edge<'a> = Option<(&'a [i32], bool)>;

fn shape(orders: &[Order]) -> ClusteringShape {
    let column = |&order| ClusteringColumn {
        data_type: DataType::Int,
        order,
    };
    ClusteringShape {
        columns: orders.iter().map(column).collect(),
    }
}

fn ints(values: &[i32]) -> Vec<Value> {
    values.iter().map(|&value| Value::Int(value)).collect()
}

fn slice(shape: &ClusteringShape, lower: Edge<'_>, upper: Edge<'_>) -> Result<Slice, KeyError> {
    let owned = |edge: Edge<'_>| edge.map(|(values, inclusive)| (ints(values), inclusive));
    let (lower, upper) = (owned(lower), owned(upper));
    shape.slice(
        lower
            .as_ref()
            .map(|(values, inclusive)| (&values[..], *inclusive)),
        upper
            .as_ref()
            .map(|(values, inclusive)| (&values[..], *inclusive)),
    )
}

/// The rows (a, b), both in 0..=4, that a slice selects.
fn selected(orders: [Order; 2], lower: Edge<'_>, upper: Edge<'_>) -> Vec<(i32, i32)> {
    let shape = shape(&orders);
    let slice = slice(&shape, lower, upper).unwrap();
    let rows = (0..=4).flat_map(|a| (0..=4).map(move |b| (a, b)));
    rows.filter(|&(a, b)| slice.contains(&shape.clustering(&ints(&[a, b])).unwrap()))
        .collect()
}

fn expected(is_selected: impl Fn(i32, i32) -> bool) -> Vec<(i32, i32)> {
    let rows = (0..=4).flat_map(|a| (0..=4).map(move |b| (a, b)));
    rows.filter(|&(a, b)| is_selected(a, b)).collect()
}

const UP: Order = Order::Ascending;
const DOWN: Order = Order::Descending;

#[test]
fn restrictions_select_by_value_in_either_order() {
    for orders in [[UP, UP], [DOWN, DOWN]] {
        let rows = |lower, upper| selected(orders, lower, upper);
        assert_eq!(rows(None, None), expected(|_, _| true));
        assert_eq!(
            rows(Some((&[2], true)), Some((&[2], true))),
            expected(|a, _| a == 2)
        );
        assert_eq!(rows(Some((&[2], false)), None), expected(|a, _| a > 2));
        assert_eq!(rows(None, Some((&[2], false))), expected(|a, _| a < 2));
        assert_eq!(
            rows(Some((&[1], false)), Some((&[3], true))),
            expected(|a, _| a > 1 && a <= 3)
        );
        assert_eq!(
            rows(Some((&[1, 3], false)), None),
            expected(|a, b| (a, b) > (1, 3))
        );
        assert_eq!(
            rows(Some((&[1, 3], true)), Some((&[3, 1], false))),
            expected(|a, b| (a, b) >= (1, 3) && (a, b) < (3, 1))
        );
    }
}

#[test]
fn an_equality_then_an_inequality_selects_by_value_in_every_order() {
    for orders in [[UP, UP], [UP, DOWN], [DOWN, UP], [DOWN, DOWN]] {
        let rows = |lower, upper| selected(orders, lower, upper);
        assert_eq!(
            rows(Some((&[1, 3], false)), Some((&[1], true))),
            expected(|a, b| a == 1 && b > 3)
        );
        assert_eq!(
            rows(Some((&[1], true)), Some((&[1, 3], true))),
            expected(|a, b| a == 1 && b <= 3)
        );
        assert_eq!(
            rows(Some((&[1, 1], true)), Some((&[1, 3], false))),
            expected(|a, b| a == 1 && (1..3).contains(&b))
        );
        assert_eq!(
            rows(Some((&[2, 2], true)), Some((&[2, 2], true))),
            expected(|a, b| (a, b) == (2, 2))
        );
    }
}

#[test]
fn a_tuple_comparison_across_opposite_orders_is_refused() {
    let mixed = shape(&[UP, DOWN]);
    assert_eq!(
        slice(&mixed, Some((&[1, 3], true)), None),
        Err(KeyError::MixedOrder)
    );
    assert!(slice(&mixed, Some((&[1], true)), None).is_ok());
}

#[test]
fn contradictory_bounds_select_nothing() {
    let one = shape(&[UP]);
    let empty = slice(&one, Some((&[5], true)), Some((&[5], false))).unwrap();
    assert!(empty.is_empty());
    assert!(empty.as_range().is_none());
    assert!(
        slice(&one, Some((&[6], true)), Some((&[5], true)))
            .unwrap()
            .is_empty()
    );
}

#[test]
fn a_row_is_alone_between_the_bounds_beside_it() {
    let shape = shape(&[UP]);
    let row = |value| shape.clustering(&ints(&[value])).unwrap();
    let only = Slice::only(&row(3));
    assert_eq!(
        (2..=4)
            .map(|value| only.contains(&row(value)))
            .collect::<Vec<_>>(),
        [false, true, false]
    );
    let through = Slice {
        start: row(2).after(),
        end: row(9).before(),
    };
    assert_eq!(only.intersection(&through), only);
    assert!(Slice::only(&row(2)).intersection(&through).is_empty());
}
