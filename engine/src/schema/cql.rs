//! Vocabulary of schemas as CQL: each change and each table prints as the statement that says it.

use std::fmt::{self, Write};

use super::change::{Change, ColumnDefinition};
use super::column::ColumnKind;
use super::name::TableName;
use super::purge::PurgeOptions;
use super::table::Table;
use crate::keys::{ColumnType, Identifier, Order};

impl fmt::Display for TableName {
    /// `keyspace.table`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}.{}",
            Identifier(&self.keyspace),
            Identifier(&self.table)
        )
    }
}

/// `int static`, `text`, `bigint clustering`, ..
pub(super) fn describe(data_type: &ColumnType, kind: ColumnKind) -> String {
    let kind = match kind {
        ColumnKind::PartitionKey => " partition key",
        ColumnKind::Clustering(_) => " clustering",
        ColumnKind::Static => " static",
        ColumnKind::Regular => "",
    };
    format!("{data_type}{kind}")
}

impl fmt::Display for Change {
    /// The statement, with its semicolon.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Change::CreateTable {
                name,
                columns,
                gc_grace_seconds,
                purge,
            } => create_table(f, name, columns, (*gc_grace_seconds, *purge)),
            Change::AddColumn { table, column } => {
                write!(f, "ALTER TABLE {table} ADD ")?;
                column_definition(f, column)?;
                f.write_char(';')
            }
            Change::DropColumn {
                table,
                column,
                dropped_micros,
            } => {
                let column = Identifier(column);
                write!(
                    f,
                    "ALTER TABLE {table} DROP {column} USING TIMESTAMP {dropped_micros};"
                )
            }
            Change::DropTable { table } => write!(f, "DROP TABLE {table};"),
        }
    }
}

impl fmt::Display for Table {
    /// The statement that would create it as it is; what was dropped does not show.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let definition = |column: &super::column::Column| ColumnDefinition {
            name: column.name.clone(),
            data_type: column.data_type.clone(),
            kind: column.kind,
        };
        let columns: Vec<_> = self.columns.iter().map(definition).collect();
        let kept = (self.gc_grace_seconds, self.purge);
        create_table(f, &self.name, &columns, kept)
    }
}

fn create_table(
    f: &mut fmt::Formatter<'_>,
    name: &TableName,
    columns: &[ColumnDefinition],
    (gc_grace_seconds, purge): (u32, PurgeOptions),
) -> fmt::Result {
    writeln!(f, "CREATE TABLE {name} (")?;
    for column in columns {
        f.write_str("    ")?;
        column_definition(f, column)?;
        f.write_str(",\n")?;
    }
    let partition: Vec<_> = columns
        .iter()
        .filter(|column| column.kind == ColumnKind::PartitionKey)
        .map(|column| Identifier(&column.name).to_string())
        .collect();
    let clustering: Vec<_> = columns
        .iter()
        .filter_map(|column| match column.kind {
            ColumnKind::Clustering(order) => Some((Identifier(&column.name).to_string(), order)),
            ColumnKind::PartitionKey | ColumnKind::Static | ColumnKind::Regular => None,
        })
        .collect();
    write!(f, "    PRIMARY KEY (({})", partition.join(", "))?;
    clustering
        .iter()
        .try_for_each(|(name, _)| write!(f, ", {name}"))?;
    f.write_str(")\n) WITH ")?;
    if clustering
        .iter()
        .any(|(_, order)| *order == Order::Descending)
    {
        let ordered: Vec<_> = clustering
            .iter()
            .map(|(name, order)| match order {
                Order::Ascending => format!("{name} ASC"),
                Order::Descending => format!("{name} DESC"),
            })
            .collect();
        write!(f, "CLUSTERING ORDER BY ({}) AND ", ordered.join(", "))?;
    }
    write!(f, "gc_grace_seconds = {gc_grace_seconds}{purge};")
}

fn column_definition(f: &mut fmt::Formatter<'_>, column: &ColumnDefinition) -> fmt::Result {
    write!(f, "{} {}", Identifier(&column.name), column.data_type)?;
    if column.kind == ColumnKind::Static {
        f.write_str(" static")?;
    }
    Ok(())
}
