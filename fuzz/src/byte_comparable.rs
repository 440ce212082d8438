//! Invariants of key bytes: they compare as values do, none begins another, and they lead back to their values;
//! bytes from anywhere are a key or an error.

use arbitrary::{Result, Unstructured};
use bytes::Bytes;
use cenotaph_engine::keys::{
    Bound, BoundSide, Clustering, ClusteringColumn, ClusteringShape, DataType, DecoratedKey, Order,
    PartitionKey, Value,
};
use std::cmp::Ordering;

const COLUMNS_MAX: usize = 4;

/// Draws a shape, two rows of it and a bound from a fuzzer's bytes, and holds their encodings against the values;
/// then takes the bytes that are left for encodings. Says whether the bytes mean anything.
///
/// # Panics
/// When an encoding breaks a law.
pub fn byte_comparable(input: &[u8]) -> bool {
    drawn(&mut Unstructured::new(input)).is_ok()
}

fn drawn(source: &mut Unstructured<'_>) -> Result<()> {
    let shape = shape(source)?;
    let (one, other) = (row(&shape, source)?, row(&shape, source)?);
    let encode = |values: &[Value]| shape.clustering(values).expect("values of the shape");
    let (a, b) = (encode(&one), encode(&other));
    let by_values = compare(&shape, &one, &other);
    assert_eq!(a.cmp(&b), by_values, "{one:?} and {other:?}");
    assert!(
        by_values == Ordering::Equal || !a.0.starts_with(&b.0) && !b.0.starts_with(&a.0),
        "{a:?} and {b:?}"
    );
    assert_eq!(shape.values(&a).as_ref(), Ok(&one));
    check_bound(&shape, &one, (&other, &b), source)?;
    check_partition(source)?;
    check_any(&shape, source)
}

/// A bound of the first values of one row stands on its side of all rows that begin with them.
fn check_bound(
    shape: &ClusteringShape,
    one: &[Value],
    (other, encoded): (&[Value], &Clustering),
    source: &mut Unstructured<'_>,
) -> Result<()> {
    let count = source.int_in_range(0..=one.len())?;
    let prefix = &one[..count];
    let order = compare(shape, &other[..count], prefix);
    for side in [BoundSide::Before, BoundSide::After] {
        let bound = shape.bound(prefix, side).expect("values of the shape");
        let is_before = match order {
            Ordering::Equal => side == BoundSide::Before,
            order => order == Ordering::Greater,
        };
        assert_eq!(bound.is_before(encoded), is_before, "{bound:?} {other:?}");
        let values = shape.bound_values(&bound);
        assert_eq!(values, Ok((prefix.to_vec(), side)));
    }
    Ok(())
}

fn check_partition(source: &mut Unstructured<'_>) -> Result<()> {
    let mut key = || -> Result<DecoratedKey> {
        let size = source.int_in_range(1..=20)?;
        let bytes = Bytes::copy_from_slice(source.bytes(size)?);
        Ok(DecoratedKey::new(PartitionKey(bytes)))
    };
    let (one, other) = (key()?, key()?);
    let (a, b) = (one.to_comparable(), other.to_comparable());
    assert_eq!(a.cmp(&b), one.cmp(&other));
    assert!(one == other || !a.starts_with(&b) && !b.starts_with(&a));
    assert_eq!(DecoratedKey::from_comparable(&a), Ok(one));
    Ok(())
}

/// What is left is taken for encodings: what is understood is what its values encode to.
fn check_any(shape: &ClusteringShape, source: &mut Unstructured<'_>) -> Result<()> {
    let rest = Bytes::copy_from_slice(source.bytes(source.len())?);
    if let Ok(row) = Clustering::from_bytes(rest.clone())
        && let Ok(values) = shape.values(&row)
    {
        assert_eq!(shape.clustering(&values), Ok(row));
    }
    if let Ok(bound) = Bound::from_bytes(rest.clone())
        && let Ok((values, side)) = shape.bound_values(&bound)
    {
        assert_eq!(shape.bound(&values, side), Ok(bound));
    }
    if let Ok(key) = DecoratedKey::from_comparable(&rest) {
        assert_eq!(key.to_comparable(), rest);
    }
    Ok(())
}

fn shape(source: &mut Unstructured<'_>) -> Result<ClusteringShape> {
    let mut columns = Vec::new();
    for _ in 0..source.int_in_range(0..=COLUMNS_MAX)? {
        columns.push(ClusteringColumn {
            data_type: *source.choose(&DataType::ALL)?,
            order: *source.choose(&[Order::Ascending, Order::Descending])?,
        });
    }
    Ok(ClusteringShape { columns })
}

fn row(shape: &ClusteringShape, source: &mut Unstructured<'_>) -> Result<Vec<Value>> {
    let columns = shape.columns.iter();
    columns
        .map(|column| value(column.data_type, source))
        .collect()
}

fn value(data_type: DataType, source: &mut Unstructured<'_>) -> Result<Value> {
    Ok(match data_type {
        DataType::Boolean => Value::Boolean(source.arbitrary()?),
        DataType::Int => Value::Int(source.arbitrary()?),
        DataType::BigInt => {
            // As many small numbers as large ones: the encoding is as long as they are.
            let shift = source.int_in_range(0..=63)?;
            Value::BigInt(source.arbitrary::<i64>()? >> shift)
        }
        DataType::Text => Value::Text(text(source)?.into()),
        DataType::Blob => Value::Blob(Bytes::from(text(source)?.into_bytes())),
    })
}

/// Zeros are escaped: many of them.
fn text(source: &mut Unstructured<'_>) -> Result<String> {
    let mut text = String::new();
    for _ in 0..source.int_in_range(0..=6)? {
        text.push(*source.choose(&['\0', '\0', '\u{1}', 'a', '\u{7f}', 'é'])?);
    }
    Ok(text)
}

fn compare(shape: &ClusteringShape, one: &[Value], other: &[Value]) -> Ordering {
    let columns = shape.columns.iter();
    let mut each = columns
        .zip(one.iter().zip(other))
        .map(|(column, (a, b))| match column.order {
            Order::Ascending => a.cmp(b),
            Order::Descending => b.cmp(a),
        });
    each.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}
