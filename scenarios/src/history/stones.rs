//! Invariants of the text of deletions: `5/100` is one of write time 5 made in second 100; ranges
//! have `[` where the row of the bound is within and `(` where it is not.

use std::fmt;

use super::answer::{
    CompactionSeen, Element, StoneEdge, StoneOf, StoneSeen, StonesSeen, SystemSchemaSeen,
};
use crate::plan::Scalar;

impl fmt::Display for StoneSeen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.timestamp, self.second)
    }
}

impl fmt::Display for StonesSeen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts: Vec<String> = Vec::new();
        parts.extend(self.partition.map(|stone| format!("partition {stone}")));
        for (of, stone) in &self.statics {
            parts.push(format!("{of} {stone}"));
        }
        for (from, to, stone) in &self.ranges {
            let (opening, closing) = (bracket(from, "(", "["), bracket(to, "]", ")"));
            let (from, to) = (key(&from.values), key(&to.values));
            parts.push(format!("{opening}{from}..{to}{closing} {stone}"));
        }
        for (row, stone) in &self.rows {
            parts.push(format!("({}) {stone}", key(row)));
        }
        for (row, of, stone) in &self.cells {
            parts.push(format!("({}).{of} {stone}", key(row)));
        }
        match parts.is_empty() {
            true => f.write_str("no stones"),
            false => f.write_str(&parts.join(", ")),
        }
    }
}

impl fmt::Display for StoneOf {
    /// `v0`, all of `v0[]`, `v0['a']`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoneOf::Cell(column) => write!(f, "{column}"),
            StoneOf::Elements(column) => write!(f, "{column}[]"),
            StoneOf::Element(column, Element::Key(key)) => write!(f, "{column}[{key}]"),
            StoneOf::Element(column, Element::Field(field)) => write!(f, "{column}.{field}"),
            StoneOf::Element(column, Element::Item(id)) => write!(f, "{column}[{id:032x}]"),
        }
    }
}

fn bracket(edge: &StoneEdge, after: &'static str, before: &'static str) -> &'static str {
    if edge.is_after { after } else { before }
}

fn key(values: &[Scalar]) -> String {
    let values: Vec<String> = values.iter().map(ToString::to_string).collect();
    values.join(",")
}

impl fmt::Display for CompactionSeen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CompactionSeen {
            now_seconds,
            gc_before_seconds,
            purged_count,
            kept_by_grace_count,
            kept_by_memtable_count,
            kept_by_sstable_count,
        } = self;
        write!(
            f,
            "at {now_seconds}, graces before {gc_before_seconds}: {purged_count} purged; kept \
             {kept_by_grace_count} by grace, {kept_by_memtable_count} by a memtable, \
             {kept_by_sstable_count} by an sstable"
        )
    }
}

impl fmt::Display for SystemSchemaSeen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.rows == self.schema {
            true => write!(f, "rows [{}]", self.rows.join("; ")),
            false => write!(
                f,
                "rows [{}] beside schema [{}]",
                self.rows.join("; "),
                self.schema.join("; ")
            ),
        }
    }
}
