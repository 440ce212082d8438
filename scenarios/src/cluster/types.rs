//! Vocabulary of the types of a plan's columns, as the plan has them and as the engine does.

use std::collections::BTreeMap;
use std::fmt::{Display, Write as _};

use cenotaph_engine::keys::{
    CollectionType as KeyCollection, ColumnType as KeyColumnType, DataType, Field as KeyField, Text,
};

use crate::plan::{
    ClusteringColumn, CollectionType, Column, ColumnType, Field, Operation, Plan, ScalarType,
    Shape, TableNumber,
};

/// Types of the columns of a plan's tables.
#[derive(Clone, Debug, Default)]
pub(super) struct Shapes {
    shapes: BTreeMap<TableNumber, Shape>,
    added: BTreeMap<(TableNumber, Column), ColumnType>,
}

impl Shapes {
    pub(super) fn of(plan: &Plan) -> Shapes {
        let mut shapes = Shapes::default();
        for operation in plan.clients.iter().flatten() {
            match operation {
                Operation::CreateTable { table, shape } => {
                    shapes.shapes.insert(*table, shape.clone());
                }
                Operation::AddColumn {
                    table,
                    column,
                    column_type,
                } => {
                    shapes.added.insert((*table, *column), *column_type);
                }
                _ => {}
            }
        }
        shapes
    }

    /// The clustering columns of a table; none of one that no client creates.
    pub(super) fn clustering_of(&self, table: TableNumber) -> &[ClusteringColumn] {
        let shape = self.shapes.get(&table);
        shape.map_or(&[], |shape| &shape.clustering)
    }

    /// The type of a column, when the table ever has it.
    pub(super) fn column_type(&self, table: TableNumber, column: Column) -> Option<ColumnType> {
        let created = self
            .shapes
            .get(&table)
            .and_then(|shape| shape.column_type(column));
        created.or_else(|| self.added.get(&(table, column)).copied())
    }
}

/// A name as the engine has it.
pub(super) fn text(name: impl Display) -> Text {
    let mut text = Text::default();
    write!(text, "{name}").expect("a string takes all text");
    text
}

pub(super) fn data_type(scalar_type: ScalarType) -> DataType {
    match scalar_type {
        ScalarType::Int => DataType::Int,
        ScalarType::BigInt => DataType::BigInt,
        ScalarType::Text => DataType::Text,
        ScalarType::Blob => DataType::Blob,
    }
}

/// The engine's type of a column of this type.
pub(super) fn data_type_of(column_type: ColumnType) -> KeyColumnType {
    match column_type {
        ColumnType::Scalar(scalar_type) => KeyColumnType::Scalar(data_type(scalar_type)),
        ColumnType::Many(collection) => KeyColumnType::MultiCell(collection_of(collection)),
        ColumnType::Frozen(collection) => KeyColumnType::Frozen(collection_of(collection)),
    }
}

fn collection_of(collection: CollectionType) -> KeyCollection {
    match collection {
        CollectionType::Map(key, value) => KeyCollection::Map(data_type(key), data_type(value)),
        CollectionType::Set(element) => KeyCollection::Set(data_type(element)),
        CollectionType::List(element) => KeyCollection::List(data_type(element)),
        CollectionType::Struct(first, second) => {
            let field = |(number, scalar_type)| KeyField {
                name: text(Field(number)),
                data_type: data_type(scalar_type),
            };
            KeyCollection::Struct((0..).zip([first, second]).map(field).collect())
        }
    }
}
