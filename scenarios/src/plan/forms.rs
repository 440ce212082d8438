//! Invariants between operations and tables: rows have all clustering columns, cells their
//! column's type, and each statement is one that CQL has.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::bounds;
use super::cells::{check_change, check_column, check_keys, check_size, check_type, check_value};
use super::column_type::{CollectionType, ColumnType};
use super::document::Plan;
use super::operation::{Edge, Operation, Slice};
use super::scalar::Scalar;
use super::shape::{Column, ScalarType, Shape, TableNumber};
use super::validate::{Flaw, within_of};
use super::value::{Change, Value};

/// What the plan says of its tables: the shape they are created with and the columns ever added.
#[derive(Default)]
pub(super) struct Forms {
    shapes: BTreeMap<TableNumber, Shape>,
    added: BTreeMap<(TableNumber, Column), ColumnType>,
}

impl Forms {
    /// Collects the tables of a plan; a flaw where two statements disagree.
    pub(super) fn of(plan: &Plan) -> Result<Forms, Flaw> {
        let mut forms = Forms::default();
        for (client, session) in plan.clients.iter().enumerate() {
            for (index, operation) in session.iter().enumerate() {
                forms.learn(operation).map_err(|cause| Flaw {
                    field: format!("clients[{client}][{index}]"),
                    cause,
                })?;
            }
        }
        Ok(forms)
    }

    /// Takes in one more statement, unless it contradicts one before.
    pub(super) fn learn(&mut self, operation: &Operation) -> Result<(), String> {
        match operation {
            Operation::CreateTable { table, shape } => match self.shapes.entry(*table) {
                Entry::Vacant(slot) => {
                    slot.insert(shape.clone());
                }
                Entry::Occupied(slot) if slot.get() == shape => {}
                Entry::Occupied(_) => {
                    return Err(format!(
                        "table {table} is created elsewhere with another shape"
                    ));
                }
            },
            Operation::AddColumn {
                table,
                column,
                column_type,
            } => {
                self.added.entry((*table, *column)).or_insert(*column_type);
            }
            _ => {}
        }
        Ok(())
    }

    /// Whether the operation is one that its table may get.
    pub(super) fn check(&self, operation: &Operation) -> Result<(), String> {
        if let Some(table) = operation.table() {
            within_of("table", &table.0, &bounds::TABLE_NUMBER)?;
        }
        if let Some(timestamp) = operation.timestamp() {
            within_of("timestamp", &timestamp, &bounds::TIMESTAMP)?;
        }
        if let Some(seconds) = operation.ttl_seconds() {
            within_of("ttl_seconds", &seconds, &bounds::TTL_SECONDS)?;
        }
        match operation {
            Operation::CreateTable { shape, .. } => check_shape(shape),
            Operation::AddColumn { .. } | Operation::DropColumn { .. } => {
                self.check_column_change(operation)
            }
            Operation::Insert { row, cells, .. } => {
                self.check_cells(operation, cells)?;
                self.check_row(operation, row.as_deref(), false)
            }
            Operation::Update {
                row,
                cells,
                elements,
                ..
            } => {
                self.check_cells(operation, cells)?;
                self.check_changes(operation, cells, elements)?;
                self.check_row(operation, row.as_deref(), true)
            }
            Operation::DeleteCells { row, .. } => {
                self.check_deleted(operation)?;
                self.check_row(operation, row.as_deref(), true)
            }
            Operation::DeleteRow { row, .. } => match row.is_empty() {
                true => {
                    Err("without clustering columns a row is deleted by its partition".to_owned())
                }
                false => self.check_clustering(operation, row, true),
            },
            Operation::DeleteRange { slice, .. } => self.check_slice(operation, slice, false),
            Operation::Read { .. } => self.check_read(operation),
            Operation::Pause { millis } => within_of("millis", millis, &bounds::PAUSE_MILLIS),
            Operation::SetSchemaFlushWindow { millis } => {
                within_of("millis", millis, &bounds::FLUSH_WINDOW_MILLIS)
            }
            Operation::DropTable { .. }
            | Operation::DeletePartition { .. }
            | Operation::Describe
            | Operation::Compact { .. }
            | Operation::Truncate { .. }
            | Operation::MarkRepaired { .. }
            | Operation::Stones { .. }
            | Operation::SystemSchema
            | Operation::Drain
            | Operation::Flush { .. } => Ok(()),
        }
    }

    fn check_column_change(&self, operation: &Operation) -> Result<(), String> {
        match operation {
            Operation::AddColumn {
                table,
                column,
                column_type,
            } => {
                check_column(*column)?;
                check_type(*column_type)?;
                if let Column::Static(_) = column {
                    return Err("only regular columns are added".to_owned());
                }
                // With another type than it was created with, the database refuses it for ever.
                let is_created = self
                    .shape(operation)
                    .is_some_and(|shape| shape.column_type(*column).is_some());
                match self.added.get(&(*table, *column)) {
                    Some(known) if !is_created && known != column_type => Err(format!(
                        "column {column} of {table} is added elsewhere as {known}"
                    )),
                    _ => Ok(()),
                }
            }
            Operation::DropColumn {
                column,
                dropped_micros,
                ..
            } => {
                check_column(*column)?;
                within_of("dropped_micros", dropped_micros, &bounds::TIMESTAMP)?;
                match column {
                    // One column stays in every table, whatever its clients do at a time.
                    Column::Static(_) | Column::Regular(0) => {
                        Err(format!("{column} is never dropped"))
                    }
                    Column::Regular(_) => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }

    fn check_read(&self, operation: &Operation) -> Result<(), String> {
        let Operation::Read {
            slice,
            order,
            limit,
            ..
        } = operation
        else {
            return Ok(());
        };
        if let Some(limit) = limit {
            within_of("limit", limit, &bounds::LIMIT)?;
        }
        let clustered = self
            .shape(operation)
            .is_none_or(|shape| !shape.clustering.is_empty());
        if order.is_some() && !clustered {
            return Err("without clustering columns there is no order".to_owned());
        }
        self.check_slice(operation, slice, true)
    }

    fn shape(&self, operation: &Operation) -> Option<&Shape> {
        self.shapes.get(&operation.table()?)
    }

    /// The type of a column; none when the table never has it, as far as the plan says.
    fn column_type(&self, operation: &Operation, column: Column) -> Option<ColumnType> {
        let created = self
            .shape(operation)
            .and_then(|shape| shape.column_type(column));
        created.or_else(|| self.added.get(&(operation.table()?, column)).copied())
    }

    fn check_cells(
        &self,
        operation: &Operation,
        cells: &BTreeMap<Column, Value>,
    ) -> Result<(), String> {
        for (column, value) in cells {
            check_column(*column)?;
            check_value(*column, value)?;
            if let Some(column_type) = self.column_type(operation, *column)
                && !value.fits(column_type)
            {
                return Err(format!("{column} is of type {column_type}, {value} is not"));
            }
        }
        Ok(())
    }

    fn check_changes(
        &self,
        operation: &Operation,
        cells: &BTreeMap<Column, Value>,
        elements: &BTreeMap<Column, Change>,
    ) -> Result<(), String> {
        for (column, change) in elements {
            check_column(*column)?;
            check_change(*column, change)?;
            if cells.contains_key(column) {
                return Err(format!(
                    "{column} is set whole, and some of its elements too"
                ));
            }
            if let Some(column_type) = self.column_type(operation, *column)
                && !change.fits(column_type)
            {
                return Err(format!(
                    "{column} is of type {column_type}, and is not changed so"
                ));
            }
        }
        Ok(())
    }

    fn check_deleted(&self, operation: &Operation) -> Result<(), String> {
        let Operation::DeleteCells {
            columns, elements, ..
        } = operation
        else {
            return Ok(());
        };
        columns
            .iter()
            .try_for_each(|column| check_column(*column))?;
        for (column, keys) in elements {
            check_column(*column)?;
            check_keys(*column, keys)?;
            if columns.contains(column) {
                return Err(format!(
                    "{column} is deleted whole, and some of its entries too"
                ));
            }
            let column_type = self.column_type(operation, *column);
            match column_type.map(|column_type| (column_type, column_type.many())) {
                None => {}
                Some((_, Some(CollectionType::Map(key_type, _))))
                    if keys.iter().all(|key| key.fits(key_type)) => {}
                Some((column_type, _)) => {
                    return Err(format!(
                        "{column} is of type {column_type}, and has no such entries"
                    ));
                }
            }
        }
        Ok(())
    }

    /// `cells_required`: the statement is none without a cell of the row itself.
    fn check_row(
        &self,
        operation: &Operation,
        row: Option<&[Scalar]>,
        cells_required: bool,
    ) -> Result<(), String> {
        let columns = operation.columns();
        let is_regular = |column: &&Column| matches!(column, Column::Regular(_));
        let Some(row) = row else {
            if self
                .shape(operation)
                .is_some_and(|shape| shape.clustering.is_empty())
            {
                return Err("without clustering columns the row is `[]`".to_owned());
            }
            if columns.is_empty() {
                return Err("neither a row nor a column is named".to_owned());
            }
            return match columns.iter().find(is_regular) {
                Some(column) => Err(format!("{column} belongs to a row, and none is named")),
                None => Ok(()),
            };
        };
        if cells_required && !columns.iter().any(|column| is_regular(&column)) {
            return Err("a row is named, but no column of it".to_owned());
        }
        self.check_clustering(operation, row, true)
    }

    /// `whole`: all clustering columns are wanted, not just the first ones.
    fn check_clustering(
        &self,
        operation: &Operation,
        values: &[Scalar],
        whole: bool,
    ) -> Result<(), String> {
        values.iter().try_for_each(check_size)?;
        within_of(
            "clustering values",
            &values.len(),
            &bounds::CLUSTERING_COUNT,
        )?;
        let Some(shape) = self.shape(operation) else {
            return Ok(());
        };
        let count = shape.clustering.len();
        if values.len() > count || (whole && values.len() < count) {
            return Err(format!(
                "{} clustering values, the table has {count} columns",
                values.len()
            ));
        }
        for (index, (value, column)) in values.iter().zip(&shape.clustering).enumerate() {
            if !value.fits(column.0) {
                return Err(format!("ck{index} is of type {}, {value} is not", column.0));
            }
        }
        Ok(())
    }

    /// `any`: the slice may also be everything, or one row; a deletion of those has its own form.
    fn check_slice(&self, operation: &Operation, slice: &Slice, any: bool) -> Result<(), String> {
        self.check_clustering(operation, &slice.prefix, false)?;
        if slice.is_whole() && !any {
            return Err("a slice without bounds is the partition".to_owned());
        }
        let bounded = !(slice.from.is_open() && slice.to.is_open());
        if slice.prefix.len() == *bounds::CLUSTERING_COUNT.end() && (bounded || !any) {
            return Err("there is no column left for bounds".to_owned());
        }
        let Some(shape) = self.shape(operation) else {
            return Ok(());
        };
        let Some(column) = shape.clustering.get(slice.prefix.len()) else {
            return match bounded || !any {
                true => Err("there is no column left for bounds".to_owned()),
                false => Ok(()),
            };
        };
        for edge in [&slice.from, &slice.to] {
            let (Edge::Inclusive(value) | Edge::Exclusive(value)) = edge else {
                continue;
            };
            check_size(value)?;
            if !value.fits(column.0) {
                return Err(format!(
                    "ck{} is of type {}, {value} is not",
                    slice.prefix.len(),
                    column.0
                ));
            }
        }
        Ok(())
    }
}

fn check_shape(shape: &Shape) -> Result<(), String> {
    within_of(
        "clustering columns",
        &shape.clustering.len(),
        &bounds::CLUSTERING_COUNT,
    )?;
    within_of(
        "static columns",
        &shape.statics.len(),
        &bounds::STATICS_COUNT,
    )?;
    within_of(
        "regular columns",
        &shape.regulars.len(),
        &bounds::REGULARS_COUNT,
    )?;
    if let Some(seconds) = &shape.gc_grace_seconds {
        within_of("gc_grace_seconds", seconds, &bounds::GC_GRACE_SECONDS)?;
    }
    if shape.clustering.is_empty() && !shape.statics.is_empty() {
        return Err("static columns need clustering columns".to_owned());
    }
    if shape
        .clustering
        .iter()
        .any(|column| column.0 == ScalarType::Blob)
    {
        return Err("a clustering column is int, bigint or text".to_owned());
    }
    shape
        .columns()
        .try_for_each(|(_, column_type)| check_type(column_type))
}
