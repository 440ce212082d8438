//! Byte layout tests of collections: frozen bytes, paths, and damage.

use std::fmt::Write;

use bytes::Bytes;
use cenotaph_engine::keys::{
    CollectionType, ColumnType, DataType, Field, KeyError, Value, field_of_path, field_path,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use crate::laws::{config, hex};

fn text(value: &str) -> Value {
    Value::Text(value.into())
}

fn address() -> CollectionType {
    let field = |name: &str, data_type| Field {
        name: name.into(),
        data_type,
    };
    CollectionType::Struct(vec![
        field("street", DataType::Text),
        field("number", DataType::Int),
    ])
}

/// A type and a value of it, given out of order where there is one.
fn samples() -> Vec<(CollectionType, Value)> {
    let entry = |key, value: &str| (Value::Int(key), text(value));
    vec![
        (
            CollectionType::Map(DataType::Int, DataType::Text),
            Value::Map(vec![entry(2, "b"), entry(-1, "a"), entry(2, "c")]),
        ),
        (
            CollectionType::Set(DataType::Text),
            Value::Set(vec![text("b"), text(""), text("b")]),
        ),
        (
            CollectionType::List(DataType::Int),
            Value::List(vec![Value::Int(2), Value::Int(1), Value::Int(2)]),
        ),
        (
            address(),
            Value::Struct(vec![("number".into(), Some(Value::Int(7)))]),
        ),
    ]
}

#[test]
fn frozen_collections_have_frozen_bytes() {
    let mut shown = String::new();
    for (collection, value) in samples() {
        let bytes = collection.encode(&value);
        let back = collection.decode(&bytes).unwrap();
        let frozen = ColumnType::Frozen(collection);
        writeln!(shown, "{frozen} {value}\n  {}\n  {back}", hex(&bytes)).unwrap();
    }
    cenotaph_snapshots::golden!(
        "engine/keys",
        "frozen_collections",
        "A frozen collection is one value: keys ascend, each there once, whatever order they were given in.",
        shown
    );
}

#[test]
fn every_type_is_read_from_what_it_prints_as() {
    let scalars = DataType::ALL.map(ColumnType::Scalar);
    let collections = samples().into_iter().flat_map(|(collection, _)| {
        [
            ColumnType::Frozen(collection.clone()),
            ColumnType::MultiCell(collection),
        ]
    });
    let reserved = CollectionType::Struct(vec![Field {
        name: "from".into(),
        data_type: DataType::Int,
    }]);
    for column_type in collections.chain(scalars).chain([reserved.into()]) {
        assert_eq!(column_type.to_string().parse(), Ok(column_type));
    }
    for other in [
        "",
        "Int",
        "map<int>",
        "map<int,text>",
        "map<int, text",
        "set<set<int>>",
        "frozen<int>",
        "frozen<frozen<set<int>>>",
        "struct<>",
        "struct<a>",
        "struct<from int>",
        "struct<\"a\" int>",
        "list<int> ",
    ] {
        assert!(other.parse::<ColumnType>().is_err(), "{other}");
    }
}

#[test]
fn paths_have_frozen_bytes_and_ascend_as_their_keys_do() {
    let keys = [
        Value::Boolean(true),
        Value::Int(-1),
        Value::Int(1),
        Value::BigInt(300),
        text(""),
        text("a\0b"),
        Value::Blob(Bytes::from_static(&[0])),
    ];
    let mut shown = String::new();
    for key in keys {
        let path = key.to_path().unwrap();
        assert_eq!(
            Value::of_path(key.data_type().unwrap(), &path),
            Ok(key.clone())
        );
        writeln!(shown, "{} {key:<12} {}", key.kind(), hex(&path)).unwrap();
    }
    writeln!(shown, "field 258 {}", hex(&field_path(258))).unwrap();
    assert_eq!(field_of_path(&field_path(258)), Ok(258));
    cenotaph_snapshots::golden!(
        "engine/keys",
        "paths",
        "The paths of elements of multi-cell columns.",
        shown
    );
}

#[test]
fn a_path_that_is_none_is_refused() {
    let cause = |result: Result<Value, KeyError>| result.unwrap_err().to_string();
    assert_eq!(
        cause(Value::of_path(DataType::Int, &[0])),
        "byte 1: ends too early"
    );
    assert_eq!(
        cause(Value::of_path(DataType::Boolean, &[1, 1])),
        "byte 1: bytes left over"
    );
    assert!(field_of_path(&[1]).is_err());
    let long = text(&"x".repeat(70_000)).to_path().unwrap_err();
    assert_eq!(
        long.to_string(),
        "a key of 70001 bytes, the maximum is 65535"
    );
}

#[test]
fn frozen_bytes_cut_anywhere_or_not_in_their_one_form_are_refused() {
    for (collection, value) in samples() {
        let bytes = collection.encode(&value);
        for size in 0..bytes.len() {
            assert!(collection.decode(&bytes.slice(..size)).is_err(), "{size}");
        }
        let longer = Bytes::from([&bytes[..], &[0]].concat());
        assert!(collection.decode(&longer).is_err());
    }
    let set = CollectionType::Set(DataType::Boolean);
    let elements = |flags: [u8; 2]| {
        let [a, b] = flags;
        Bytes::from(vec![0, 0, 0, 2, 0, 0, 0, 1, a, 0, 0, 0, 1, b])
    };
    assert!(set.decode(&elements([0, 1])).is_ok());
    for wrong in [[1, 0], [1, 1], [0, 2]] {
        assert!(set.decode(&elements(wrong)).is_err());
    }
    let huge = Bytes::from_static(&[0xFF; 8]);
    assert!(set.decode(&huge).is_err());
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn a_frozen_map_is_what_a_map_of_its_entries_is(entries in vec((any::<i32>(), any::<i32>()), 0..8)) {
        let collection = CollectionType::Map(DataType::Int, DataType::Int);
        let ints = |(key, value): &(i32, i32)| (Value::Int(*key), Value::Int(*value));
        let value = Value::Map(entries.iter().map(ints).collect());
        let sorted: std::collections::BTreeMap<i32, i32> = entries.iter().copied().collect();
        let sorted: Vec<_> = sorted.into_iter().map(|entry| ints(&entry)).collect();
        prop_assert_eq!(collection.decode(&collection.encode(&value)), Ok(Value::Map(sorted)));
    }

    #[test]
    fn a_frozen_struct_keeps_its_nulls(street in option::of(".{0,3}"), number in option::of(any::<i32>())) {
        let value = Value::Struct(vec![
            ("street".into(), street.map(|street| Value::Text(street.into()))),
            ("number".into(), number.map(Value::Int)),
        ]);
        prop_assert_eq!(address().decode(&address().encode(&value)), Ok(value));
    }

    #[test]
    fn no_bytes_are_a_reason_to_panic(bytes in vec(any::<u8>(), 0..24)) {
        let bytes = Bytes::from(bytes);
        for (collection, _) in samples() {
            if let Ok(value) = collection.decode(&bytes) {
                prop_assert_eq!(collection.encode(&value), bytes.clone());
            }
        }
    }
}
