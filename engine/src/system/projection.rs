//! Invariants of projections: a schema has one, and so have the rows that are stored of it; they are equal when
//! the rows say exactly what the schema says.

use std::collections::BTreeMap;

use super::error::SystemError;
use super::object::{self, RowKey, keyspace_row, table_rows};
use super::stamp::Stamp;
use super::table::SystemTable;
use crate::error;
use crate::keys::{DataType, DecoratedKey, Text, Value};
use crate::rows::{ColumnId, Partition, TableId};
use crate::schema::{Column, DroppedColumn, Epoch, PurgeOptions, Schema, Table, TableName};

/// The live rows of the schema's own tables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Projection {
    rows: BTreeMap<RowKey, Vec<Option<Value>>>,
}

impl Projection {
    /// The rows that a schema has.
    #[must_use]
    pub fn of_schema(schema: &Schema) -> Projection {
        Projection::of_tables(schema.tables().map(AsRef::as_ref))
    }

    /// The rows that a schema with these tables has.
    #[must_use]
    pub fn of_tables<'a>(tables: impl Iterator<Item = &'a Table>) -> Projection {
        let mut projection = Projection::default();
        for table in tables {
            projection.rows.extend(table_rows(table));
            projection.rows.extend([keyspace_row(&table.name.keyspace)]);
        }
        projection
    }

    /// Adds what a partition shows, all its versions merged, at a start that finds the schema at `epoch`.
    ///
    /// # Errors
    /// A class of `Corruption` when it is no partition of the table, or one from a later epoch: nothing that is
    /// written at this one would win over it.
    pub fn add(
        &mut self,
        table: SystemTable,
        key: &DecoratedKey,
        partition: &Partition,
        epoch: Epoch,
    ) -> error::Result<()> {
        let defined = table.defined();
        let keyspace = text(Value::decode(DataType::Text, &key.key.0)?);
        let last = partition.timestamps().map(|written| written.max);
        if last > Some(Stamp::mended(epoch).rows()) {
            let (table, epoch) = (table.definition().name.to_string(), epoch.0);
            return Err(SystemError::Ahead {
                table,
                keyspace,
                epoch,
            }
            .into());
        }
        for (clustering, row) in partition.rows.iter() {
            // Nothing here expires, so any second will do.
            if !row.is_visible(0) {
                continue;
            }
            let value = |(id, data_type): &(ColumnId, DataType)| {
                let cell = row.cell(*id).filter(|cell| cell.is_live(0));
                cell.map(|cell| Value::decode(*data_type, &cell.value))
                    .transpose()
            };
            let values = defined
                .regulars
                .iter()
                .map(value)
                .collect::<Result<_, _>>()?;
            let names = defined.shape.values(clustering)?;
            let key = RowKey {
                table,
                keyspace: keyspace.clone(),
                names: names.into_iter().map(text).collect(),
            };
            self.rows.insert(key, values);
        }
        Ok(())
    }

    /// The rows, in order.
    pub fn rows(&self) -> impl Iterator<Item = (&RowKey, &Vec<Option<Value>>)> {
        self.rows.iter()
    }

    /// How many rows there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The tables that the rows tell of, ascending by name: rows hold all that a schema knows of them.
    ///
    /// # Errors
    /// [`SystemError::Row`] when a row says what no schema can say.
    pub fn tables(&self) -> Result<Vec<Table>, SystemError> {
        let is_table = |(key, _): &(&RowKey, _)| key.table == SystemTable::Tables;
        let tables = self.rows.iter().filter(is_table);
        tables
            .map(|(key, values)| self.table(key, values))
            .collect()
    }

    fn table(&self, key: &RowKey, values: &[Option<Value>]) -> Result<Table, SystemError> {
        let (keyspace, [name]) = (&key.keyspace, &key.names[..]) else {
            return Err(flaw(key, "not one name"));
        };
        let row = Fields { key, values };
        let of_table = |table: SystemTable| {
            let first = RowKey {
                table,
                keyspace: keyspace.clone(),
                names: vec![name.clone()],
            };
            let rows = self.rows.range(first.clone()..);
            rows.take_while(move |(key, _)| {
                (key.table, &key.keyspace, key.names.first())
                    == (table, &first.keyspace, first.names.first())
            })
        };
        let columns = of_table(SystemTable::Columns).map(|(key, values)| {
            let row = Fields { key, values };
            row.column(row.text(2)?, row.text(1)?, row.text(4)?)
        });
        let dropped = of_table(SystemTable::DroppedColumns).map(|(key, values)| {
            let row = Fields { key, values };
            Ok(DroppedColumn {
                column: row.column(row.text(2)?, "none", row.text(3)?)?,
                dropped_micros: row.number(1)?,
            })
        });
        let mut columns = columns.collect::<Result<Vec<Column>, _>>()?;
        columns.sort_by_key(|column| column.id);
        let mut dropped = dropped.collect::<Result<Vec<DroppedColumn>, _>>()?;
        dropped.sort_by_key(|dropped| dropped.column.id);
        Ok(Table {
            id: TableId(row.count(0)?),
            name: TableName::new(keyspace, name),
            altered: Epoch(row.count(1)?),
            columns,
            dropped,
            next_column: ColumnId(row.count(3)?),
            gc_grace_seconds: row.count(2)?,
            purge: PurgeOptions {
                only_purge_repaired_tombstones: row.flag(4)?,
                provide_overlapping_tombstones: row
                    .text(5)?
                    .parse()
                    .map_err(|_| flaw(key, "no option of tombstones"))?,
            },
        })
    }
}

/// A row that is read as the object it tells of.
struct Fields<'a> {
    key: &'a RowKey,
    values: &'a [Option<Value>],
}

impl<'a> Fields<'a> {
    fn value(&self, index: usize) -> Result<&'a Value, SystemError> {
        let value = self.values.get(index).and_then(Option::as_ref);
        value.ok_or_else(|| flaw(self.key, "a null"))
    }

    fn text(&self, index: usize) -> Result<&'a str, SystemError> {
        match self.value(index)? {
            Value::Text(text) => Ok(text),
            _ => Err(flaw(self.key, "no text")),
        }
    }

    fn flag(&self, index: usize) -> Result<bool, SystemError> {
        match self.value(index)? {
            Value::Boolean(flag) => Ok(*flag),
            _ => Err(flaw(self.key, "no boolean")),
        }
    }

    fn number(&self, index: usize) -> Result<i64, SystemError> {
        match self.value(index)? {
            Value::Int(number) => Ok(i64::from(*number)),
            Value::BigInt(number) => Ok(*number),
            _ => Err(flaw(self.key, "no number")),
        }
    }

    fn count<N: TryFrom<i64>>(&self, index: usize) -> Result<N, SystemError> {
        let number = self.number(index)?;
        N::try_from(number).map_err(|_| flaw(self.key, "a number out of bounds"))
    }

    fn column(&self, kind: &str, order: &str, data_type: &str) -> Result<Column, SystemError> {
        let name = self.key.names.get(1);
        Ok(Column {
            id: ColumnId(self.count(0)?),
            name: name
                .ok_or_else(|| flaw(self.key, "no column name"))?
                .clone(),
            data_type: data_type.parse().map_err(|_| flaw(self.key, "no type"))?,
            kind: object::kind(kind, order).ok_or_else(|| flaw(self.key, "no kind of column"))?,
        })
    }
}

fn flaw(key: &RowKey, cause: &'static str) -> SystemError {
    let row = key.to_string();
    SystemError::Row { row, cause }
}

/// Of a column that is a text.
fn text(value: Value) -> Text {
    match value {
        Value::Text(text) => text,
        other => unreachable!("{other} was decoded as a text"),
    }
}
