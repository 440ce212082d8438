//! Steps of saying what is wrong with a text in the words of plans: the reader's own words are about
//! the types behind it, and nobody who writes a plan knows those.

/// A cause in the words of plans.
pub(super) fn plain(cause: &str) -> String {
    let told = |rest: &str, is_length: bool| {
        let (found, expected) = rest.split_once(", expected ")?;
        let (found, expected) = (found_of(found, is_length), expected_of(expected));
        Some(format!("found {found}, expected {expected}"))
    };
    let plain = |cause: &str| {
        if let Some(rest) = cause.strip_prefix("invalid length ") {
            return told(rest, true);
        }
        let wrong = ["invalid type: ", "invalid value: "];
        if let Some(rest) = wrong.iter().find_map(|start| cause.strip_prefix(start)) {
            return told(rest, false);
        }
        if let Some(rest) = cause.strip_prefix("unknown field ") {
            return Some(unknown("field ", rest));
        }
        if let Some(rest) = cause.strip_prefix("unknown variant ") {
            return Some(unknown("", rest));
        }
        if let Some(name) = cause.strip_prefix("missing field ") {
            return Some(format!("the field {name} is missing"));
        }
        if let Some(place) = cause.strip_prefix("EOF while parsing ") {
            return Some(format!("the text ends within {place}"));
        }
        if let Some(name) = cause.strip_prefix("duplicate field ") {
            return Some(format!("the field {name} stands twice"));
        }
        match cause {
            "expected value" => Some("this is no value that a plan has here".to_owned()),
            "expected ident" => Some("this is no JSON".to_owned()),
            _ => None,
        }
    };
    plain(cause).unwrap_or_else(|| cause.to_owned())
}

/// `` `time`, expected one of `a`, `b` ``
fn unknown(kind: &str, rest: &str) -> String {
    let Some((name, known)) = rest.split_once(", ") else {
        return format!("there is no {kind}{rest}");
    };
    let starts = ["expected one of ", "expected ", "there are "];
    let known = starts
        .iter()
        .find_map(|start| known.strip_prefix(start))
        .unwrap_or(known);
    match known {
        "there are no fields" => format!("there is no {kind}{name}, nor any other"),
        known => format!("there is no {kind}{name}; known: {known}"),
    }
}

/// What stands there: `` integer `5` `` is 5.
fn found_of(found: &str, is_length: bool) -> String {
    if is_length {
        return format!("a list of {found}");
    }
    match found {
        "sequence" => "a list".to_owned(),
        "map" | "struct variant" => "an object".to_owned(),
        "unit variant" => "the name alone".to_owned(),
        "newtype variant" | "tuple variant" => "a name with a value".to_owned(),
        found => {
            let kinds = ["integer ", "floating point ", "boolean ", "string "];
            let value = kinds.iter().find_map(|kind| found.strip_prefix(kind));
            value.unwrap_or(found).replace('`', "")
        }
    }
}

/// What is to stand there: `u16` is an integer from 0 to 65535.
fn expected_of(expected: &str) -> String {
    let integer = |first: i128, last: i128| format!("an integer from {first} to {last}");
    match expected {
        "u8" => integer(0, u8::MAX.into()),
        "u16" => integer(0, u16::MAX.into()),
        "u32" => integer(0, u32::MAX.into()),
        "u64" => integer(0, u64::MAX.into()),
        "i32" => integer(i32::MIN.into(), i32::MAX.into()),
        "i64" => integer(i64::MIN.into(), i64::MAX.into()),
        "a sequence" => "a list".to_owned(),
        "a map" => "an object".to_owned(),
        "unit" => "the name alone".to_owned(),
        "string or map" => "a name, or an object with one name".to_owned(),
        other => match other.split_once(' ') {
            None => other.to_owned(),
            Some(("struct", "variant")) => "an object of the name and its fields".to_owned(),
            // `struct variant Operation::Insert with 6 elements`
            Some(("struct", rest)) => {
                let path = rest.strip_prefix("variant ").unwrap_or(rest);
                format!("an object with the fields of {}", snake(path))
            }
            Some(("enum", name)) => format!("{}, by its name", snake(name)),
            Some(("tuple", rest)) => {
                let count = rest.split_once(" with ").map(|(_, count)| count);
                format!("a list of {}", count.unwrap_or("its parts"))
            }
            Some(_) => other.to_owned(),
        },
    }
}

/// `Operation::DropColumn with 3 elements` is about `drop_column`.
fn snake(path: &str) -> String {
    let name = path.split(' ').next().unwrap_or(path);
    let name = name.rsplit("::").next().unwrap_or(name);
    let mut text = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() && !text.is_empty() {
            text.push('_');
        }
        text.push(c.to_ascii_lowercase());
    }
    text
}
