//! Steps of reading a column type from its text: what it prints as, and nothing else.

use std::str::FromStr;

use super::column_type::{CollectionType, ColumnType, Field};
use super::error::KeyError;
use super::value::DataType;

impl FromStr for DataType {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<DataType, KeyError> {
        let found = DataType::ALL.into_iter().find(|known| known.name() == text);
        found.ok_or(unknown())
    }
}

impl FromStr for ColumnType {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<ColumnType, KeyError> {
        let parsed = match inner(text, "frozen") {
            Some(collection) => ColumnType::Frozen(parse(collection)?),
            None if text.contains('<') => ColumnType::MultiCell(parse(text)?),
            None => ColumnType::Scalar(text.parse()?),
        };
        // Other spellings of the same are no type's text.
        if parsed.to_string() == text {
            Ok(parsed)
        } else {
            Err(unknown())
        }
    }
}

fn parse(text: &str) -> Result<CollectionType, KeyError> {
    if let Some(pair) = inner(text, "map") {
        let (key, value) = pair.split_once(", ").ok_or(unknown())?;
        return Ok(CollectionType::Map(key.parse()?, value.parse()?));
    }
    if let Some(element) = inner(text, "set") {
        return Ok(CollectionType::Set(element.parse()?));
    }
    if let Some(element) = inner(text, "list") {
        return Ok(CollectionType::List(element.parse()?));
    }
    let fields = inner(text, "struct").ok_or(unknown())?;
    let field = |text: &str| {
        let (name, data_type) = text.split_once(' ').ok_or(unknown())?;
        Ok(Field {
            name: name.trim_matches('"').into(),
            data_type: data_type.parse()?,
        })
    };
    let fields = fields.split(", ").map(field);
    Ok(CollectionType::Struct(fields.collect::<Result<_, _>>()?))
}

/// What stands within `name<..>`.
fn inner<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let within = text.strip_prefix(name)?.strip_prefix('<')?;
    within.strip_suffix('>')
}

const fn unknown() -> KeyError {
    KeyError::Malformed {
        offset: 0,
        cause: "no type",
    }
}
