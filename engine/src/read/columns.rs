//! Invariants of columns in a read: cells of a dropped column do not show, whichever source had them.
//!
//! A cell or a complex deletion is hidden when its write time is not above the time its column was dropped, even if the
//! column is there again, and when its column is not there now.

use crate::error;
use crate::keys::Value;
use crate::rows::{ColumnId, Partition, Row};
use crate::schema::{Column, Table};

/// Takes hidden cells away, and rows that consisted of them.
pub(super) fn hide_dropped(partition: &mut Partition, table: &Table) {
    hide(&mut partition.static_row, table);
    partition.rows.retain(|_, row| {
        hide(row, table);
        !row.is_empty()
    });
}

fn hide(row: &mut Row, table: &Table) {
    let shows = |id, timestamp| table.column(id).is_some() && !table.is_dropped(id, timestamp);
    row.complex
        .retain(|(id, deletion)| shows(*id, deletion.timestamp));
    row.cells
        .retain(|(key, cell)| shows(key.column, cell.timestamp));
}

/// The live values of these columns in a row.
pub(super) fn values(
    columns: &[&Column],
    row: &Row,
    now_seconds: u32,
) -> error::Result<Vec<(ColumnId, Option<Value>)>> {
    let value = |column: &&Column| {
        let cell = row.cell(column.id).filter(|cell| cell.is_live(now_seconds));
        let value = cell
            .map(|cell| Value::decode(column.data_type, &cell.value))
            .transpose()?;
        Ok((column.id, value))
    };
    columns.iter().map(value).collect()
}
