//! Invariants between operations and tables: rows have all clustering columns, cells their
//! column's type, and each statement is one that CQL has.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::bounds;
use super::document::Plan;
use super::operation::{Edge, Operation, Slice};
use super::scalar::Scalar;
use super::shape::{Column, ScalarType, Shape, TableNumber};
use super::validate::{Flaw, within_of};

/// What the plan says of its tables: the shape they are created with and the columns ever added.
#[derive(Default)]
pub(super) struct Forms {
    shapes: BTreeMap<TableNumber, Shape>,
    added: BTreeMap<(TableNumber, Column), ScalarType>,
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
                scalar_type,
            } => {
                let known = *self.added.entry((*table, *column)).or_insert(*scalar_type);
                if known != *scalar_type {
                    return Err(format!(
                        "column {column} of {table} is added elsewhere as {known}"
                    ));
                }
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
                self.check_row(operation, row.as_deref(), cells.keys(), false)
            }
            Operation::Update { row, cells, .. } => {
                self.check_cells(operation, cells)?;
                self.check_row(operation, row.as_deref(), cells.keys(), true)
            }
            Operation::DeleteCells { row, columns, .. } => {
                columns
                    .iter()
                    .try_for_each(|column| check_column(*column))?;
                self.check_row(operation, row.as_deref(), columns.iter(), true)
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
                scalar_type,
            } => {
                check_column(*column)?;
                check_cell_type(*scalar_type)?;
                let created = self
                    .shape(operation)
                    .and_then(|shape| shape.column_type(*column));
                match (column, created) {
                    (Column::Static(_), _) => Err("only regular columns are added".to_owned()),
                    // While it is there the database refuses it; when it was dropped it comes back.
                    (_, Some(known)) if known != *scalar_type => Err(format!(
                        "{table} is created with a column {column} of type {known}"
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
    fn cell_type(&self, operation: &Operation, column: Column) -> Option<ScalarType> {
        let created = self
            .shape(operation)
            .and_then(|shape| shape.column_type(column));
        created.or_else(|| self.added.get(&(operation.table()?, column)).copied())
    }

    fn check_cells(
        &self,
        operation: &Operation,
        cells: &BTreeMap<Column, Scalar>,
    ) -> Result<(), String> {
        for (column, value) in cells {
            check_column(*column)?;
            check_size(value)?;
            if let Some(scalar_type) = self.cell_type(operation, *column)
                && !value.fits(scalar_type)
            {
                return Err(format!("{column} is of type {scalar_type}, {value} is not"));
            }
        }
        Ok(())
    }

    /// `cells_required`: the statement is none without a cell of the row itself.
    fn check_row<'a>(
        &self,
        operation: &Operation,
        row: Option<&[Scalar]>,
        mut columns: impl Iterator<Item = &'a Column> + Clone,
        cells_required: bool,
    ) -> Result<(), String> {
        let is_regular = |column: &Column| matches!(column, Column::Regular(_));
        let Some(row) = row else {
            if self
                .shape(operation)
                .is_some_and(|shape| shape.clustering.is_empty())
            {
                return Err("without clustering columns the row is `[]`".to_owned());
            }
            if columns.clone().next().is_none() {
                return Err("neither a row nor a column is named".to_owned());
            }
            return match columns.find(|column| is_regular(column)) {
                Some(column) => Err(format!("{column} belongs to a row, and none is named")),
                None => Ok(()),
            };
        };
        if cells_required && !columns.any(is_regular) {
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
        .try_for_each(|(_, scalar_type)| check_cell_type(scalar_type))
}

fn check_cell_type(scalar_type: ScalarType) -> Result<(), String> {
    match scalar_type {
        ScalarType::BigInt | ScalarType::Text | ScalarType::Blob => Ok(()),
        // 32 bits are too few to give every write a value of its own.
        ScalarType::Int => Err("a cell is bigint, text or blob".to_owned()),
    }
}

fn check_column(column: Column) -> Result<(), String> {
    match column {
        Column::Static(index) => within_of("s", &(usize::from(index) + 1), &bounds::STATICS_COUNT)
            .map_err(|_| format!("there is no column {column}")),
        Column::Regular(index) => within_of("number of a column", &index, &bounds::REGULAR_INDEX),
    }
}

fn check_size(value: &Scalar) -> Result<(), String> {
    let size = match value {
        Scalar::Integer(_) => return Ok(()),
        Scalar::Text(text) => text.len(),
        Scalar::Blob(bytes) => bytes.len(),
    };
    match size <= bounds::VALUE_SIZE_MAX {
        true => Ok(()),
        false => Err(format!(
            "a value of {size} bytes, the largest has {}",
            bounds::VALUE_SIZE_MAX
        )),
    }
}
