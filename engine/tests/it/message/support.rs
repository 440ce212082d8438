//! Vocabulary of statements under test, all on the table of `read::support`.

use cenotaph_engine::keys::{Text, Value};
use cenotaph_engine::message::{
    Edge, ListIds, NamedValue, ReadStatement, WriteStatement, WriteTarget,
};

use crate::read::support::table_name;

/// The ids of the first incarnation.
pub(crate) fn ids() -> ListIds {
    ListIds::new(1)
}

pub(crate) fn int(name: &str, value: i32) -> NamedValue {
    (name.into(), Value::Int(value))
}

pub(crate) fn text(value: &str) -> Option<Value> {
    Some(Value::Text(value.into()))
}

/// Columns of a SET or VALUES.
pub(crate) fn set(columns: &[(&str, Option<&str>)]) -> Vec<(Text, Option<Value>)> {
    columns
        .iter()
        .map(|(name, value)| ((*name).into(), value.and_then(text)))
        .collect()
}

pub(crate) fn edge(values: &[NamedValue], inclusive: bool) -> Option<Edge> {
    Some(Edge {
        values: values.to_vec(),
        inclusive,
    })
}

/// A write of partition 1 at 1000, without TTL.
pub(crate) fn write(target: WriteTarget) -> WriteStatement {
    WriteStatement {
        table: table_name(),
        partition_key: vec![int("pk", 1)],
        timestamp: 1_000,
        ttl_seconds: None,
        target,
    }
}

pub(crate) fn insert(columns: &[(&str, Option<&str>)]) -> WriteStatement {
    write(WriteTarget::Insert {
        clustering: vec![int("ck", 2)],
        columns: set(columns),
    })
}

/// A read of all of partition 1.
pub(crate) fn select() -> ReadStatement {
    ReadStatement {
        table: table_name(),
        partition_key: vec![int("pk", 1)],
        columns: None,
        lower: None,
        upper: None,
        order_by: None,
        limit: None,
    }
}
