//! Vocabulary of values as CQL literals: `true`, `-7`, `'it''s'`, `0x00ff`, `{'a': 1}`, `{1, 2}`, `[1, 1]`,
//! `{street: 'x', number: null}`.

use std::fmt::{self, Write};

use super::identifier::Identifier;
use super::value::Value;

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Boolean(flag) => write!(f, "{flag}"),
            Value::Int(number) => write!(f, "{number}"),
            Value::BigInt(number) => write!(f, "{number}"),
            Value::Text(text) => write!(f, "'{}'", text.replace('\'', "''")),
            Value::Blob(bytes) => {
                f.write_str("0x")?;
                bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
            }
            Value::Map(entries) => list(f, ['{', '}'], entries, |f, (key, value)| {
                write!(f, "{key}: {value}")
            }),
            Value::Set(elements) => list(f, ['{', '}'], elements, |f, value| write!(f, "{value}")),
            Value::List(elements) => list(f, ['[', ']'], elements, |f, value| write!(f, "{value}")),
            Value::Struct(fields) => list(f, ['{', '}'], fields, |f, (name, value)| match value {
                Some(value) => write!(f, "{}: {value}", Identifier(name)),
                None => write!(f, "{}: null", Identifier(name)),
            }),
        }
    }
}

fn list<T>(
    f: &mut fmt::Formatter<'_>,
    [open, close]: [char; 2],
    items: &[T],
    show: impl Fn(&mut fmt::Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    f.write_char(open)?;
    for (index, item) in items.iter().enumerate() {
        f.write_str(if index > 0 { ", " } else { "" })?;
        show(f, item)?;
    }
    f.write_char(close)
}
