//! Steps of helping with a name: list the known ones, and name the nearest when it is near.

use super::error::CliError;

/// The error for a name that nothing has.
pub(super) fn unknown<'a>(
    kind: &str,
    name: &str,
    known: impl Iterator<Item = &'a str>,
) -> CliError {
    let known: Vec<&str> = known.collect();
    let nearest = nearest(name, &known).map(|near| format!("; did you mean `{near}`?"));
    CliError::Name(format!(
        "there is no {kind} `{name}`{}\n  known: {}",
        nearest.unwrap_or_default(),
        known.join(", ")
    ))
}

/// The known name with the fewest edits, if they are few for its length.
fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let name = name.to_lowercase();
    let ranked = known
        .iter()
        .map(|near| (distance(&name, &near.to_lowercase()), *near));
    ranked
        .min()
        .filter(|(edits, near)| *edits <= near.len().div_ceil(3))
        .map(|(_, near)| near)
}

/// Insertions, deletions and replacements that turn one word into the other.
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (done, c) in from.chars().enumerate() {
        let mut before = row[0];
        row[0] = done + 1;
        for (at, other) in to.iter().enumerate() {
            let replaced = before + usize::from(c != *other);
            before = row[at + 1];
            row[at + 1] = replaced.min(before + 1).min(row[at] + 1);
        }
    }
    row[to.len()]
}
