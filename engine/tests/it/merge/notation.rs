//! Vocabulary of what is stored and what is seen, as short text.
//!
//! Stored: `PD@10` partition deletion, `RT[1,5)@10` range tombstone, then static cells, then each row as
//! `1: L@10 RD@10 CD(m)@9 v=a@10 m[a]=1@10 m[b]=X@10`: marker, row deletion, complex deletion, cells, `X` for a
//! tombstone. `t5e200` follows what expires, `d5` what was deleted at another second than 100.
//!
//! Seen: the static columns, then each row with its columns that are not null.

use cenotaph_engine::keys::{
    Bound, BoundSide, CollectionType, ColumnType, DataType, Value, field_of_path,
};
use cenotaph_engine::message::ResultSet;
use cenotaph_engine::rows::{CellKey, CellPath, DeletionTime, NO_DELETION_SECONDS, Partition, Row};
use cenotaph_engine::schema::{Column, Table};

use super::statements::NOW;

/// What a partition holds.
pub(crate) fn stored(table: &Table, partition: &Partition) -> String {
    let mut parts = Vec::new();
    parts.extend(
        partition
            .deletion
            .map(|deletion| format!("PD{}", at(deletion))),
    );
    for range in &partition.ranges {
        let (start, end) = (bound(table, &range.start), bound(table, &range.end));
        let open = if start.1 == BoundSide::Before {
            '['
        } else {
            '('
        };
        let close = if end.1 == BoundSide::After { ']' } else { ')' };
        let deletion = at(range.deletion);
        parts.push(format!("RT{open}{},{}{close}{deletion}", start.0, end.0));
    }
    parts.extend(row_parts(table, &partition.static_row));
    for (clustering, row) in partition.rows.iter() {
        let values = table
            .clustering_shape()
            .values(clustering)
            .expect("the table's");
        let values: Vec<String> = values.iter().map(Value::to_string).collect();
        parts.push(format!("{}:", values.join(",")));
        parts.extend(row_parts(table, row));
    }
    parts.join(" ")
}

fn row_parts(table: &Table, row: &Row) -> Vec<String> {
    let mut parts = Vec::new();
    if let Some(marker) = row.liveness {
        let expiry = times(marker.ttl_seconds, marker.local_deletion_seconds);
        parts.push(format!("L@{}{expiry}", marker.timestamp));
    }
    parts.extend(row.deletion.map(|deletion| format!("RD{}", at(deletion))));
    for (id, deletion) in &row.complex {
        let name = table.column(*id).map_or("?", |column| &column.name);
        parts.push(format!("CD({name}){}", at(*deletion)));
    }
    let mut list_place = 0;
    for (key, cell) in &row.cells {
        let Some(column) = table.column(key.column) else {
            parts.push("?".to_owned());
            continue;
        };
        let place = place(column, key, &mut list_place);
        let times = times(cell.ttl_seconds, cell.local_deletion_seconds);
        let value = if cell.is_tombstone() {
            "X".to_owned()
        } else {
            plain(&column.data_type, &cell.value)
        };
        parts.push(format!("{place}={value}@{}{times}", cell.timestamp));
    }
    parts
}

/// `v`, `m[a]`, `u.a`, `l[0]`: list ids by their order only.
fn place(column: &Column, key: &CellKey, list_place: &mut usize) -> String {
    let name = &column.name;
    let Some(path) = key.path.as_ref().map(CellPath::as_bytes) else {
        return name.to_string();
    };
    match column.data_type.multi_cell() {
        Some(CollectionType::Map(key_type, _) | CollectionType::Set(key_type)) => {
            let key = Value::of_path(*key_type, path).expect("a path of its type");
            format!("{name}[{}]", bare(&key))
        }
        Some(CollectionType::List(_)) => {
            *list_place += 1;
            format!("{name}[{}]", *list_place - 1)
        }
        Some(CollectionType::Struct(fields)) => {
            let number = field_of_path(path).expect("a path of a field");
            format!("{name}.{}", fields[number].name)
        }
        None => panic!("a path in {name}"),
    }
}

fn plain(column_type: &ColumnType, bytes: &bytes::Bytes) -> String {
    let value = match column_type {
        ColumnType::Scalar(data_type) => Value::decode(*data_type, bytes),
        ColumnType::Frozen(collection) => collection.decode(bytes),
        ColumnType::MultiCell(CollectionType::Set(_)) => return String::new(),
        ColumnType::MultiCell(_) => Value::decode(DataType::Text, bytes),
    };
    bare(&value.expect("a value of its type"))
}

/// A value without its quotes.
fn bare(value: &Value) -> String {
    value.to_string().replace('\'', "")
}

fn bound(table: &Table, bound: &Bound) -> (String, BoundSide) {
    let shape = table.clustering_shape();
    let (values, side) = shape.bound_values(bound).expect("the table's");
    let values: Vec<String> = values.iter().map(Value::to_string).collect();
    (values.join(","), side)
}

fn at(deletion: DeletionTime) -> String {
    let seconds = times(0, deletion.local_deletion_seconds);
    format!("@{}{seconds}", deletion.timestamp)
}

fn times(ttl: u32, seconds: u32) -> String {
    match (ttl, seconds) {
        (0, NO_DELETION_SECONDS | NOW) => String::new(),
        (0, seconds) => format!("d{seconds}"),
        (ttl, expiry) => format!("t{ttl}e{expiry}"),
    }
}

/// What a reader sees.
pub(crate) fn seen(result: &ResultSet) -> String {
    let mut parts = Vec::new();
    for (name, value) in result.statics.iter().flatten() {
        parts.extend(value.iter().map(|value| format!("{name}={}", bare(value))));
    }
    for row in &result.rows {
        let values: Vec<String> = row.clustering.iter().map(Value::to_string).collect();
        parts.push(format!("{}:", values.join(",")));
        for (name, value) in result.column_names.iter().zip(&row.columns) {
            parts.extend(value.iter().map(|value| format!("{name}={}", bare(value))));
        }
    }
    parts.join(" ")
}
