//! Invariants of a statement's text: one line of CQL with its semicolon, clauses always in one order.

use std::fmt::{self, Write};

use super::statement::{
    Edge, ElementChange, NamedValue, ReadStatement, WriteStatement, WriteTarget,
};
use crate::keys::{Identifier, Order, Text, Value};

impl fmt::Display for WriteStatement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.target {
            WriteTarget::Insert {
                clustering,
                columns,
            } => self.insert(f, clustering, columns),
            WriteTarget::Update {
                clustering,
                columns,
                elements,
            } => {
                write!(f, "UPDATE {}", self.table)?;
                self.using(f)?;
                f.write_str(" SET ")?;
                list(f, &assignments(columns, elements), |f, one| {
                    f.write_str(one)
                })?;
                self.filter(f, clustering)
            }
            WriteTarget::DeleteCells {
                clustering,
                columns,
            } => {
                f.write_str("DELETE ")?;
                list(f, columns, |f, name| write!(f, "{}", Identifier(name)))?;
                self.delete_from(f)?;
                self.filter(f, clustering)
            }
            WriteTarget::DeleteRow { clustering } => {
                f.write_str("DELETE")?;
                self.delete_from(f)?;
                self.filter(f, clustering)
            }
            WriteTarget::DeleteRange { lower, upper } => {
                f.write_str("DELETE")?;
                self.delete_from(f)?;
                equalities(f, " WHERE ", &self.partition_key)?;
                edges(f, lower.as_ref(), upper.as_ref())
            }
            WriteTarget::DeletePartition => {
                f.write_str("DELETE")?;
                self.delete_from(f)?;
                equalities(f, " WHERE ", &self.partition_key)
            }
        }?;
        f.write_char(';')
    }
}

impl WriteStatement {
    fn insert(
        &self,
        f: &mut fmt::Formatter<'_>,
        clustering: &[NamedValue],
        columns: &[(Text, Option<Value>)],
    ) -> fmt::Result {
        let keys = self.partition_key.iter().chain(clustering);
        let keys = keys.map(|(name, value)| (name, Literal(Some(value))));
        let cells = columns
            .iter()
            .map(|(name, value)| (name, Literal(value.as_ref())));
        let all: Vec<_> = keys.chain(cells).collect();
        write!(f, "INSERT INTO {} (", self.table)?;
        list(f, &all, |f, (name, _)| write!(f, "{}", Identifier(name)))?;
        f.write_str(") VALUES (")?;
        list(f, &all, |f, (_, literal)| write!(f, "{literal}"))?;
        f.write_char(')')?;
        self.using(f)
    }

    fn using(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, " USING TIMESTAMP {}", self.timestamp)?;
        self.ttl_seconds
            .map_or(Ok(()), |ttl| write!(f, " AND TTL {ttl}"))
    }

    fn delete_from(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, " FROM {}", self.table)?;
        self.using(f)
    }

    fn filter(&self, f: &mut fmt::Formatter<'_>, clustering: &[NamedValue]) -> fmt::Result {
        equalities(f, " WHERE ", &self.partition_key)?;
        equalities(f, " AND ", clustering)
    }
}

impl fmt::Display for ReadStatement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SELECT ")?;
        match &self.columns {
            None => f.write_char('*')?,
            Some(columns) => list(f, columns, |f, name| write!(f, "{}", Identifier(name)))?,
        }
        write!(f, " FROM {}", self.table)?;
        equalities(f, " WHERE ", &self.partition_key)?;
        edges(f, self.lower.as_ref(), self.upper.as_ref())?;
        if let Some(order_by) = &self.order_by {
            let order = match order_by.order {
                Order::Ascending => "ASC",
                Order::Descending => "DESC",
            };
            write!(f, " ORDER BY {} {order}", Identifier(&order_by.column))?;
        }
        if let Some(limit) = self.limit {
            write!(f, " LIMIT {limit}")?;
        }
        f.write_char(';')
    }
}

/// What `SET` sets: `v = 1`, `m = m + {'a': 1}`, `s = s - {'x'}`, `u.f = 1`.
fn assignments(
    columns: &[(Text, Option<Value>)],
    elements: &[(Text, ElementChange)],
) -> Vec<String> {
    let whole = |(name, value): &(Text, Option<Value>)| {
        format!("{} = {}", Identifier(name), Literal(value.as_ref()))
    };
    let mut all: Vec<String> = columns.iter().map(whole).collect();
    for (name, change) in elements {
        let column = Identifier(name);
        match change {
            ElementChange::Add(Value::Struct(fields)) => {
                all.extend(fields.iter().map(|(field, value)| {
                    let (field, value) = (Identifier(field), Literal(value.as_ref()));
                    format!("{column}.{field} = {value}")
                }));
            }
            ElementChange::Add(value) => all.push(format!("{column} = {column} + {value}")),
            ElementChange::Remove(keys) => {
                let keys = Value::Set(keys.clone());
                all.push(format!("{column} = {column} - {keys}"));
            }
        }
    }
    all
}

/// A value, or null.
struct Literal<'a>(Option<&'a Value>);

impl fmt::Display for Literal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            None => f.write_str("null"),
            Some(value) => write!(f, "{value}"),
        }
    }
}

/// Items with commas between them.
fn list<T>(
    f: &mut fmt::Formatter<'_>,
    items: &[T],
    show: impl Fn(&mut fmt::Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    items.iter().enumerate().try_for_each(|(index, item)| {
        if index > 0 {
            f.write_str(", ")?;
        }
        show(f, item)
    })
}

/// `a = 1 AND b = 2`, after `intro` when there is any.
fn equalities(f: &mut fmt::Formatter<'_>, intro: &str, values: &[NamedValue]) -> fmt::Result {
    let mut before = intro;
    for (name, value) in values {
        write!(f, "{before}{} = {value}", Identifier(name))?;
        before = " AND ";
    }
    Ok(())
}

/// The restrictions of a set of rows: equalities where both edges agree, then comparisons.
fn edges(f: &mut fmt::Formatter<'_>, lower: Option<&Edge>, upper: Option<&Edge>) -> fmt::Result {
    let fixed = fixed_count(lower, upper);
    equalities(f, " AND ", lower.map_or(&[], |edge| &edge.values[..fixed]))?;
    for (edge, [inclusive, exclusive]) in [(lower, [">=", ">"]), (upper, ["<=", "<"])] {
        let Some(edge) = edge else {
            continue;
        };
        let sign = if edge.inclusive { inclusive } else { exclusive };
        match &edge.values[fixed..] {
            [] => {}
            [(name, value)] => write!(f, " AND {} {sign} {value}", Identifier(name))?,
            several => {
                f.write_str(" AND (")?;
                list(f, several, |f, (name, _)| write!(f, "{}", Identifier(name)))?;
                write!(f, ") {sign} (")?;
                list(f, several, |f, (_, value)| write!(f, "{value}"))?;
                f.write_char(')')?;
            }
        }
    }
    Ok(())
}

/// How many columns both edges fix to one value. An exclusive edge that ends there fixes none.
fn fixed_count(lower: Option<&Edge>, upper: Option<&Edge>) -> usize {
    let (Some(lower), Some(upper)) = (lower, upper) else {
        return 0;
    };
    let shared = lower
        .values
        .iter()
        .zip(&upper.values)
        .take_while(|(a, b)| a == b)
        .count();
    let ends_outside = |edge: &Edge| edge.values.len() == shared && !edge.inclusive;
    if ends_outside(lower) || ends_outside(upper) {
        0
    } else {
        shared
    }
}
