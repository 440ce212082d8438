//! Steps to a change of a table's columns: one that comes or comes back, now and then as what it was not,
//! or one that goes; never the first one, which stays.

use super::tables::added_type;
use crate::plan::{Column, ColumnType, Draw, Operation, ScalarType, Session, Shape, TableNumber};

/// Of 256 cases those from here on.
const OTHER_TYPE_FROM: usize = 224;

/// A type that a column created with this one is refused.
fn other_type(created: ColumnType) -> ColumnType {
    match created {
        ColumnType::Many(collection) => ColumnType::Frozen(collection),
        ColumnType::Scalar(ScalarType::Text) => ColumnType::Scalar(ScalarType::Blob),
        ColumnType::Scalar(_) | ColumnType::Frozen(_) => ColumnType::Scalar(ScalarType::Text),
    }
}

/// A change of columns; `timestamp` is up to which write time what a column holds goes with it.
pub(super) fn change_column(
    draw: &mut Draw<'_>,
    table: TableNumber,
    shape: &Shape,
    timestamp: i64,
) -> Operation {
    let created_count = shape.regulars.len();
    let is_own = draw.chance(1, 4);
    let any = draw.within(0, 255) as usize;
    let goes = draw.chance(1, 2);
    // The last index is of the one column that the table is not created with.
    let index = match is_own && created_count > 1 {
        true => 1 + any % (created_count - 1),
        false => created_count,
    };
    let column = Column::Regular(u8::try_from(index).expect("at most 3"));
    let column_type = match shape.column_type(column) {
        Some(created) if any >= OTHER_TYPE_FROM => other_type(created),
        Some(created) => created,
        None => added_type(shape),
    };
    match goes {
        true => Operation::DropColumn {
            table,
            column,
            dropped_micros: timestamp,
        },
        false => Operation::AddColumn {
            table,
            column,
            column_type,
        },
    }
}

/// Gives added columns the types of their tables' shapes, where the plan creates no such table: nothing in
/// such a plan would say that another type is the wrong one.
pub(super) fn settle_types(clients: &mut [Session], shapes: &[Shape]) {
    let is_created = |number: TableNumber| {
        let mut all = clients.iter().flatten();
        all.any(|operation| {
            matches!(operation, Operation::CreateTable { table, .. } if *table == number)
        })
    };
    let unknown: Vec<(TableNumber, &Shape)> = (0..)
        .map(TableNumber)
        .zip(shapes)
        .filter(|(number, _)| !is_created(*number))
        .collect();
    for operation in clients.iter_mut().flatten() {
        let Operation::AddColumn {
            table,
            column,
            column_type,
        } = operation
        else {
            continue;
        };
        let mut shapes = unknown.iter();
        let shape = shapes.find(|(number, _)| number == table);
        if let Some(own) = shape.and_then(|(_, shape)| shape.column_type(*column)) {
            *column_type = own;
        }
    }
}
