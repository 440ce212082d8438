//! Invariants of written values: each names its writer, operation, column and element, so none is
//! written twice in a plan.

use crate::plan::{Column, OperationRef, Scalar, ScalarType};

/// A number reads, in decimal: client + 1, then seven digits of operation index, then two of column and
/// element.
const COLUMNS_MAX: i64 = 100;
/// Columns of a table, of each of which several elements may be written.
const ELEMENTS_STEP: i64 = 20;
/// Numbers of one client.
const OPERATIONS_MAX: i64 = 10_000_000;

/// The value that an operation writes into a column, or into an element of it, with `padding` more bytes
/// where it can have them.
pub(super) fn value(
    operation: OperationRef,
    (column, element): (Column, Option<u8>),
    scalar_type: ScalarType,
    padding: usize,
) -> Scalar {
    let (letter, number) = match column {
        Column::Static(index) => (char::from(b's' + index), i64::from(index)),
        Column::Regular(index) => (char::from(b'a' + index), 1 + i64::from(index)),
    };
    let number = number + element.map_or(0, |element| (1 + i64::from(element)) * ELEMENTS_STEP);
    let digit = element.map_or(String::new(), |element| element.to_string());
    let text = || format!("{operation}{letter}{digit}{}", "x".repeat(padding));
    match scalar_type {
        ScalarType::Int => unreachable!("no cell is an int"),
        ScalarType::BigInt => {
            assert!(i64::from(operation.index) < OPERATIONS_MAX && number < COLUMNS_MAX);
            let client = i64::from(operation.client) + 1;
            Scalar::Integer(
                (client * OPERATIONS_MAX + i64::from(operation.index)) * COLUMNS_MAX + number,
            )
        }
        ScalarType::Text => Scalar::Text(text()),
        ScalarType::Blob => Scalar::Blob(text().into_bytes()),
    }
}
