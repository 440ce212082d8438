//! Invariants tests of key bytes: order, prefix-freedom, round trips, damage.

use std::cmp::Ordering;

use bytes::Bytes;
use cenotaph_engine::keys::{
    BoundSide, Clustering, ClusteringColumn, ClusteringShape, DataType, DecoratedKey, Order,
    PartitionKey, Value,
};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::laws::config;

fn column() -> impl Strategy<Value = ClusteringColumn> {
    let data_type = prop_oneof![
        Just(DataType::Boolean),
        Just(DataType::Int),
        Just(DataType::BigInt),
        Just(DataType::Text),
        Just(DataType::Blob),
    ];
    let order = prop_oneof![Just(Order::Ascending), Just(Order::Descending)];
    (data_type, order).prop_map(|(data_type, order)| ClusteringColumn { data_type, order })
}

/// Values that meet each other: bytes with many zeros and extremes, numbers of every length.
fn value(data_type: DataType) -> BoxedStrategy<Value> {
    let byte = prop_oneof![4 => Just(0_u8), 1 => Just(0xFE), 1 => Just(0xFF), 2 => any::<u8>()];
    let number = (any::<i64>(), 0_u32..64).prop_map(|(number, shift)| number >> shift);
    match data_type {
        DataType::Boolean => any::<bool>().prop_map(Value::Boolean).boxed(),
        DataType::Int => number.prop_map(|number| Value::Int(number as i32)).boxed(),
        DataType::BigInt => number.prop_map(Value::BigInt).boxed(),
        DataType::Text => {
            let letter = prop_oneof![Just('\0'), Just('a'), Just('\u{7f}'), any::<char>()];
            vec(letter, 0..5)
                .prop_map(|text| Value::Text(text.into_iter().collect()))
                .boxed()
        }
        DataType::Blob => vec(byte, 0..6)
            .prop_map(|b| Value::Blob(Bytes::from(b)))
            .boxed(),
    }
}

fn row(shape: &ClusteringShape) -> Vec<BoxedStrategy<Value>> {
    shape
        .columns
        .iter()
        .map(|column| value(column.data_type))
        .collect()
}

/// A shape and two rows, the second often with a prefix of the first's values.
fn two_rows() -> impl Strategy<Value = (ClusteringShape, Vec<Value>, Vec<Value>)> {
    vec(column(), 1..4).prop_flat_map(|columns| {
        let shape = ClusteringShape { columns };
        let shared = 0..=shape.columns.len();
        (Just(shape.clone()), row(&shape), row(&shape), shared).prop_map(
            |(shape, first, mut second, shared)| {
                second[..shared].clone_from_slice(&first[..shared]);
                (shape, first, second)
            },
        )
    })
}

/// The order that the bytes have to have.
fn compare(shape: &ClusteringShape, first: &[Value], second: &[Value]) -> Ordering {
    let orders = shape.columns.iter().zip(first.iter().zip(second));
    orders.fold(Ordering::Equal, |order, (column, (first, second))| {
        order.then(match column.order {
            Order::Ascending => first.cmp(second),
            Order::Descending => second.cmp(first),
        })
    })
}

proptest! {
    #![proptest_config(config(2000))]

    #[test]
    fn clusterings_compare_as_their_values_do((shape, first, second) in two_rows()) {
        let (a, b) = (shape.clustering(&first).unwrap(), shape.clustering(&second).unwrap());
        prop_assert_eq!(a.cmp(&b), compare(&shape, &first, &second));
    }

    #[test]
    fn no_position_is_a_prefix_of_another((shape, first, second) in two_rows(), cut in 0_usize..3) {
        let cut = cut.min(second.len());
        let positions = [
            shape.clustering(&first).unwrap().0,
            shape.clustering(&second).unwrap().0,
            shape.bound(&second[..cut], BoundSide::Before).unwrap().0,
            shape.bound(&second[..cut], BoundSide::After).unwrap().0,
        ];
        for (a, b) in positions.iter().flat_map(|a| positions.iter().map(move |b| (a, b))) {
            prop_assert!(a == b || !a.starts_with(b), "{a:?} {b:?}");
        }
    }

    #[test]
    fn a_bound_stands_on_its_side_of_all_rows_with_its_prefix(
        (shape, first, second) in two_rows(),
        cut in 0_usize..4,
    ) {
        let prefix = &second[..cut.min(second.len())];
        let row = shape.clustering(&first).unwrap();
        let expected = compare(&shape, &first[..prefix.len()], prefix);
        let before = shape.bound(prefix, BoundSide::Before).unwrap();
        let after = shape.bound(prefix, BoundSide::After).unwrap();
        prop_assert_eq!(before.is_before(&row), expected != Ordering::Less);
        prop_assert_eq!(after.is_before(&row), expected == Ordering::Greater);
    }

    #[test]
    fn positions_give_their_values_back((shape, first, _) in two_rows(), cut in 0_usize..4) {
        prop_assert_eq!(&shape.values(&shape.clustering(&first).unwrap()).unwrap(), &first);
        let prefix = &first[..cut.min(first.len())];
        for side in [BoundSide::Before, BoundSide::After] {
            let bound = shape.bound(prefix, side).unwrap();
            prop_assert_eq!(shape.bound_values(&bound).unwrap(), (prefix.to_vec(), side));
        }
    }

    #[test]
    fn damaged_positions_give_an_error_or_another_valid_position(
        (shape, first, _) in two_rows(),
        at in any::<prop::sample::Index>(),
        byte in any::<u8>(),
        cut in any::<prop::sample::Index>(),
    ) {
        let whole = shape.clustering(&first).unwrap().0;
        let mut damaged = whole.to_vec();
        damaged[at.index(whole.len())] = byte;
        damaged.truncate(cut.index(whole.len() + 1));
        let damaged = Clustering(Bytes::from(damaged));
        if let Ok(values) = shape.values(&damaged) {
            prop_assert_eq!(shape.clustering(&values).unwrap(), damaged);
        }
    }

    #[test]
    fn random_bytes_never_panic_and_have_one_meaning(
        columns in vec(column(), 0..3),
        bytes in vec(prop_oneof![Just(0x40_u8), Just(0x38), Just(0), Just(0xFF), any::<u8>()], 0..12),
    ) {
        let shape = ClusteringShape { columns };
        let types: Vec<DataType> = shape.columns.iter().map(|column| column.data_type).collect();
        let bytes = Bytes::from(bytes);
        if let Ok(values) = shape.values(&Clustering(bytes.clone())) {
            prop_assert_eq!(&shape.clustering(&values).unwrap().0, &bytes);
        }
        if let Ok(values) = PartitionKey(bytes.clone()).values(&types)
            && let Ok(key) = PartitionKey::from_values(&types, &values)
        {
            prop_assert_eq!(&key.0, &bytes);
        }
        if let Ok(key) = DecoratedKey::from_comparable(&bytes) {
            prop_assert_eq!(key.to_comparable(), bytes);
        }
    }

    #[test]
    fn partition_keys_give_their_values_back((shape, first, _) in two_rows()) {
        let types: Vec<DataType> = shape.columns.iter().map(|column| column.data_type).collect();
        let Ok(key) = PartitionKey::from_values(&types, &first) else {
            prop_assert!(first.len() == 1 && first[0].encode().is_empty());
            return Ok(());
        };
        prop_assert_eq!(key.values(&types).unwrap(), first);
    }

    #[test]
    fn decorated_keys_compare_as_their_comparable_bytes_do(
        first in vec(prop_oneof![Just(0_u8), any::<u8>()], 1..6),
        second in vec(prop_oneof![Just(0_u8), any::<u8>()], 1..6),
    ) {
        let decorated = |bytes: Vec<u8>| DecoratedKey::new(PartitionKey(Bytes::from(bytes)));
        let (a, b) = (decorated(first), decorated(second));
        prop_assert_eq!(a.cmp(&b), a.to_comparable().cmp(&b.to_comparable()));
        prop_assert_eq!(DecoratedKey::from_comparable(&a.to_comparable()).unwrap(), a);
    }
}
