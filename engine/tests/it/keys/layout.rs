//! Byte layout tests of keys: frozen bytes, and damaged ones.

use std::fmt::Write;

use bytes::Bytes;
use cenotaph_engine::keys::{
    Bound, BoundSide, Clustering, ClusteringColumn, ClusteringShape, DataType, KeyError, Order,
    Value, ValueKind,
};

use crate::laws::hex;

fn one(data_type: DataType, order: Order) -> ClusteringShape {
    ClusteringShape {
        columns: vec![ClusteringColumn { data_type, order }],
    }
}

/// The component's bytes: the clustering without its separator and terminator.
fn component(value: &Value, order: Order) -> String {
    let clustering = one(value.data_type().unwrap(), order)
        .clustering(std::slice::from_ref(value))
        .unwrap();
    hex(&clustering.0[1..clustering.0.len() - 1])
}

fn text(bytes: &str) -> Value {
    Value::Text(bytes.into())
}

fn blob(bytes: &'static [u8]) -> Value {
    Value::Blob(Bytes::from_static(bytes))
}

#[test]
fn components_have_frozen_bytes() {
    let values = [
        Value::Boolean(false),
        Value::Boolean(true),
        Value::Int(i32::MIN),
        Value::Int(-7),
        Value::Int(0),
        Value::Int(7),
        Value::Int(300),
        Value::BigInt(i64::MIN),
        Value::BigInt(-(1 << 55) - 1),
        Value::BigInt(-1000),
        Value::BigInt(-65),
        Value::BigInt(-64),
        Value::BigInt(-5),
        Value::BigInt(0),
        Value::BigInt(5),
        Value::BigInt(63),
        Value::BigInt(64),
        Value::BigInt(1000),
        Value::BigInt(8192),
        Value::BigInt(999_999),
        Value::BigInt(1 << 31),
        Value::BigInt((1 << 55) - 1),
        Value::BigInt(1 << 55),
        Value::BigInt(i64::MAX),
        text(""),
        text("ab"),
        text("b"),
        text("ba"),
        blob(&[0]),
        blob(&[0, 0]),
        blob(&[0x61, 0]),
        blob(&[0x61, 0, 0x62]),
        blob(&[0x61, 0, 0, 0x62]),
        blob(&[0xFE, 0xFF]),
    ];
    let mut shown = String::new();
    for value in &values {
        let (ascending, descending) = (
            component(value, Order::Ascending),
            component(value, Order::Descending),
        );
        let literal = format!("{} {value}", value.kind());
        writeln!(shown, "{literal:<28} {ascending:<20} desc {descending}").unwrap();
    }
    cenotaph_snapshots::golden!(
        "engine/keys",
        "components",
        "The bytes of key components, ascending and descending, are frozen.",
        shown
    );
}

#[test]
fn positions_have_frozen_bytes() {
    let shape = ClusteringShape::ascending(&[DataType::Int, DataType::Text]);
    let prefix = [Value::Int(3)];
    let full = [Value::Int(3), text("k")];
    let bound = |values: &[Value], side| hex(&shape.bound(values, side).unwrap().0);
    let mut shown = String::new();
    let mut line = |what: &str, bytes: String| writeln!(shown, "{what:<24} {bytes}").unwrap();
    line("before all", hex(&Bound::BOTTOM.0));
    line("before (3, *)", bound(&prefix, BoundSide::Before));
    line("before (3, 'k')", bound(&full, BoundSide::Before));
    line("row (3, 'k')", hex(&shape.clustering(&full).unwrap().0));
    line("after (3, 'k')", bound(&full, BoundSide::After));
    line("after (3, *)", bound(&prefix, BoundSide::After));
    line("after all", hex(&Bound::TOP.0));
    line(
        "the only row",
        hex(&ClusteringShape::default().clustering(&[]).unwrap().0),
    );
    cenotaph_snapshots::golden!(
        "engine/keys",
        "positions",
        "Rows and the bounds around them, in ascending order, have frozen bytes.",
        shown
    );
}

#[test]
fn a_statement_with_wrong_values_is_told_which() {
    let shape = ClusteringShape::ascending(&[DataType::Int, DataType::Text]);
    assert_eq!(
        shape.clustering(&[Value::Int(1)]),
        Err(KeyError::ValueCount {
            expected: 2,
            got: 1
        })
    );
    assert_eq!(
        shape.clustering(&[Value::Int(1), Value::Int(2)]),
        Err(KeyError::ValueType {
            index: 1,
            expected: DataType::Text,
            got: ValueKind::Scalar(DataType::Int)
        })
    );
    let long = [Value::Int(1), Value::Text("x".repeat(70_000).into())];
    assert_eq!(
        shape.clustering(&long),
        Err(KeyError::TooLarge {
            size: 70_008,
            size_max: 65_535
        })
    );
}

#[test]
fn damaged_positions_are_refused_with_their_offset() {
    let refused = |data_type, order, bytes: &'static [u8]| {
        let clustering = Clustering(Bytes::from_static(bytes));
        match one(data_type, order).values(&clustering) {
            Err(KeyError::Malformed { offset, cause }) => format!("{offset}: {cause}"),
            other => panic!("{other:?}"),
        }
    };
    let up = Order::Ascending;
    assert_eq!(refused(DataType::Int, up, &[]), "0: ends too early");
    assert_eq!(
        refused(DataType::Int, up, &[0x40, 0x80, 0]),
        "3: ends too early"
    );
    assert_eq!(
        refused(DataType::Int, up, &[0x38]),
        "0: not a whole clustering"
    );
    assert_eq!(
        refused(DataType::Int, up, b"\x40\x80\0\0\x07\x20"),
        "5: not a whole clustering"
    );
    assert_eq!(
        refused(DataType::Int, up, b"\x40\x80\0\0\x07\x38\0"),
        "6: bytes left over"
    );
    assert_eq!(
        refused(DataType::Int, up, b"\x40\x80\0\0\x07\x40\x01\x38"),
        "6: more components than clustering columns"
    );
    assert_eq!(
        refused(DataType::Boolean, up, b"\x40\x02\x38"),
        "2: neither false nor true"
    );
    assert_eq!(
        refused(DataType::BigInt, up, b"\x40\xC0\x05\x38"),
        "3: a number not in its shortest form"
    );
    assert_eq!(
        refused(DataType::Text, up, b"\x40\xC3\0\x38"),
        "3: not UTF-8"
    );
    assert_eq!(
        refused(DataType::Blob, up, b"\x40a\0\xFF\0\x38"),
        "4: a run of zeros in two parts"
    );
    assert_eq!(
        refused(DataType::Boolean, Order::Descending, b"\x40\x01\x38"),
        "2: neither false nor true"
    );
}

#[test]
fn positions_from_outside_begin_and_end_as_their_kind_does() {
    let bytes = Bytes::from_static;
    assert!(Clustering::from_bytes(bytes(&[0x38])).is_ok());
    assert!(Clustering::from_bytes(bytes(&[0x20])).is_err());
    assert!(Clustering::from_bytes(bytes(&[])).is_err());
    assert!(Clustering::from_bytes(bytes(&[0x41, 0x38])).is_err());
    assert!(Bound::from_bytes(bytes(&[0x20])).is_ok());
    assert!(Bound::from_bytes(bytes(&[0x60])).is_ok());
    assert!(Bound::from_bytes(bytes(&[0x38])).is_err());
}
