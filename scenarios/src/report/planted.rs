//! Steps of telling hunts: a table, one planted bug a line.

use std::fmt::Write as _;

use super::numbers::seconds;
use crate::explore::Hunt;
use crate::shrink::Size;

/// The table of planted bugs.
#[must_use]
pub fn planted(hunts: &[Hunt]) -> String {
    let head = [
        "bug",
        "found by",
        "scenario",
        "at seed",
        "plans run",
        "core time",
        "shrunk to",
    ];
    let mut rows = vec![head.map(str::to_owned)];
    rows.extend(hunts.iter().map(row));
    let widths: Vec<usize> = (0..head.len())
        .map(|column| {
            rows.iter()
                .map(|row| row[column].chars().count())
                .max()
                .unwrap_or(0)
        })
        .collect();
    let mut text = String::new();
    for row in &rows {
        let cells = row
            .iter()
            .zip(&widths)
            .map(|(cell, width)| format!("{cell:<width$}"));
        let _ = writeln!(text, "{}", cells.collect::<Vec<_>>().join("  ").trim_end());
    }
    let found = hunts.iter().filter(|hunt| hunt.found.is_some()).count();
    let _ = writeln!(text, "{found} of {} found", hunts.len());
    text
}

fn row(hunt: &Hunt) -> [String; 7] {
    let none = || "-".to_owned();
    let (identity, scenario, seed, size) = match &hunt.found {
        None => ("NOT FOUND".to_owned(), none(), none(), none()),
        Some(found) => {
            let plan = found
                .shrunk
                .as_ref()
                .map_or(&found.plan, |shrunk| &shrunk.plan);
            let size = Size::of(plan).to_string();
            (
                found.identity.to_string(),
                found.scenario.to_owned(),
                found.seed.to_string(),
                size,
            )
        }
    };
    let seeds = hunt.seeds_count.to_string();
    [
        hunt.bug.clone(),
        identity,
        scenario,
        seed,
        seeds,
        seconds(hunt.cpu),
        size,
    ]
}
