//! Vocabulary of names as CQL writes them.

use std::fmt;

/// Words that name something only in quotes.
const RESERVED: [&str; 44] = [
    "add",
    "allow",
    "alter",
    "and",
    "apply",
    "asc",
    "authorize",
    "batch",
    "begin",
    "by",
    "columnfamily",
    "create",
    "default",
    "delete",
    "desc",
    "describe",
    "drop",
    "entries",
    "execute",
    "from",
    "full",
    "grant",
    "if",
    "in",
    "index",
    "infinity",
    "insert",
    "into",
    "is",
    "limit",
    "modify",
    "nan",
    "not",
    "null",
    "of",
    "on",
    "or",
    "order",
    "primary",
    "rename",
    "select",
    "set",
    "to",
    "token",
];
const RESERVED_MORE: [&str; 11] = [
    "keyspace", "revoke", "schema", "table", "truncate", "unlogged", "update", "use", "using",
    "where", "with",
];

/// A name as CQL writes it.
#[derive(Clone, Copy, Debug)]
pub struct Identifier<'a>(pub &'a str);

impl fmt::Display for Identifier<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if RESERVED.contains(&self.0) || RESERVED_MORE.contains(&self.0) {
            return write!(f, "\"{}\"", self.0);
        }
        f.write_str(self.0)
    }
}
