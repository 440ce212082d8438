//! Vocabulary of writes: statements on partition 1 and row 1 of the table under test.

use bytes::Bytes;
use cenotaph_engine::keys::{Text, Value};
use cenotaph_engine::message::{Edge, ElementChange, NamedValue, WriteStatement, WriteTarget};
use cenotaph_engine::schema::TableName;

/// The wall second of a write that does not say.
pub(crate) const NOW: u32 = 100;

/// A statement, and the wall second at which it is executed.
#[derive(Clone, Debug)]
pub(crate) struct Write {
    pub(crate) statement: WriteStatement,
    pub(crate) now: u32,
}

impl Write {
    fn new(timestamp: i64, target: WriteTarget) -> Write {
        Write {
            statement: WriteStatement {
                table: TableName::new("k", "t"),
                partition_key: int("pk", 1),
                timestamp,
                ttl_seconds: None,
                target,
            },
            now: NOW,
        }
    }

    /// With a TTL of so many seconds, which ends at the wall second `expiry`.
    pub(crate) fn ttl(mut self, seconds: u32, expiry: u32) -> Write {
        self.statement.ttl_seconds = Some(seconds);
        self.now = expiry - seconds;
        self
    }

    /// Executed at another wall second: a deletion's local deletion time.
    pub(crate) fn d(mut self, now: u32) -> Write {
        self.now = now;
        self
    }

    /// Of another row.
    pub(crate) fn row(mut self, key: i32) -> Write {
        match &mut self.statement.target {
            WriteTarget::Insert { clustering, .. }
            | WriteTarget::Update { clustering, .. }
            | WriteTarget::DeleteCells { clustering, .. }
            | WriteTarget::DeleteRow { clustering } => *clustering = int("ck", key),
            WriteTarget::DeleteRange { .. } | WriteTarget::DeletePartition => {
                panic!("no row's write")
            }
        }
        self
    }

    /// Of static columns only.
    pub(crate) fn of_partition(mut self) -> Write {
        match &mut self.statement.target {
            WriteTarget::Insert { clustering, .. }
            | WriteTarget::Update { clustering, .. }
            | WriteTarget::DeleteCells { clustering, .. } => clustering.clear(),
            _ => panic!("no write of columns"),
        }
        self
    }
}

fn int(name: &str, value: i32) -> Vec<NamedValue> {
    vec![(name.into(), Value::Int(value))]
}

pub(crate) fn text(value: &str) -> Value {
    Value::Text(value.into())
}

pub(crate) fn map(entries: &[(&str, &str)]) -> Value {
    let entry = |(key, value): &(&str, &str)| (text(key), text(value));
    Value::Map(entries.iter().map(entry).collect())
}

pub(crate) fn set(elements: &[&str]) -> Value {
    Value::Set(elements.iter().map(|element| text(element)).collect())
}

pub(crate) fn list(elements: &[&str]) -> Value {
    Value::List(elements.iter().map(|element| text(element)).collect())
}

pub(crate) fn fields(fields: &[(&str, Option<&str>)]) -> Value {
    let field = |(name, value): &(&str, Option<&str>)| ((*name).into(), value.map(text));
    Value::Struct(fields.iter().map(field).collect())
}

fn named(columns: &[(&str, Option<Value>)]) -> Vec<(Text, Option<Value>)> {
    let named = |(name, value): &(&str, Option<Value>)| ((*name).into(), value.clone());
    columns.iter().map(named).collect()
}

/// `INSERT` of a row.
pub(crate) fn insert(timestamp: i64, columns: &[(&str, Option<Value>)]) -> Write {
    let target = WriteTarget::Insert {
        clustering: int("ck", 1),
        columns: named(columns),
    };
    Write::new(timestamp, target)
}

/// `INSERT` of a row with a value of `v`.
pub(crate) fn insert_v(timestamp: i64, value: &str) -> Write {
    insert(timestamp, &[("v", Some(text(value)))])
}

/// `UPDATE` of one column.
pub(crate) fn update(timestamp: i64, column: &str, value: impl Into<Option<Value>>) -> Write {
    let target = WriteTarget::Update {
        clustering: int("ck", 1),
        columns: named(&[(column, value.into())]),
        elements: vec![],
    };
    Write::new(timestamp, target)
}

/// `UPDATE .. SET v = '..'`
pub(crate) fn v(timestamp: i64, value: &str) -> Write {
    update(timestamp, "v", text(value))
}

/// `UPDATE .. SET s = '..'`, the static column.
pub(crate) fn s(timestamp: i64, value: &str) -> Write {
    update(timestamp, "s", text(value)).of_partition()
}

/// `UPDATE .. SET b = 0x..`
pub(crate) fn b(timestamp: i64, bytes: &'static [u8]) -> Write {
    update(timestamp, "b", Value::Blob(Bytes::from_static(bytes)))
}

fn change(timestamp: i64, column: &str, change: ElementChange) -> Write {
    let target = WriteTarget::Update {
        clustering: int("ck", 1),
        columns: vec![],
        elements: vec![(column.into(), change)],
    };
    Write::new(timestamp, target)
}

/// `UPDATE .. SET m = m + ..`, and the like.
pub(crate) fn add(timestamp: i64, column: &str, value: Value) -> Write {
    change(timestamp, column, ElementChange::Add(value))
}

/// `UPDATE .. SET m = m - {..}`
pub(crate) fn remove(timestamp: i64, column: &str, keys: &[&str]) -> Write {
    let keys = keys.iter().map(|key| text(key)).collect();
    change(timestamp, column, ElementChange::Remove(keys))
}

/// `DELETE column`
pub(crate) fn delete(timestamp: i64, column: &str) -> Write {
    let target = WriteTarget::DeleteCells {
        clustering: int("ck", 1),
        columns: vec![column.into()],
    };
    Write::new(timestamp, target)
}

/// `DELETE` of the row.
pub(crate) fn delete_row(timestamp: i64) -> Write {
    let clustering = int("ck", 1);
    Write::new(timestamp, WriteTarget::DeleteRow { clustering })
}

/// `DELETE` of the partition.
pub(crate) fn delete_partition(timestamp: i64) -> Write {
    Write::new(timestamp, WriteTarget::DeletePartition)
}

/// `DELETE` of a range of rows, as `[2,4)`: square brackets include; an empty side is open.
pub(crate) fn delete_range(timestamp: i64, range: &str) -> Write {
    let inner = &range[1..range.len() - 1];
    let (from, to) = inner.split_once(',').expect("two sides");
    let edge = |value: &str, inclusive| {
        (!value.is_empty()).then(|| Edge {
            values: int("ck", value.parse().expect("a number")),
            inclusive,
        })
    };
    let target = WriteTarget::DeleteRange {
        lower: edge(from, range.starts_with('[')),
        upper: edge(to, range.ends_with(']')),
    };
    Write::new(timestamp, target)
}
