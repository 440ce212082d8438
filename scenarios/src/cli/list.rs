//! Steps of `list`: one line a scenario.

use serde_json::json;

use super::args::ListArgs;
use super::console::Console;
use super::entry::{Context, HELD};
use super::error::CliError;

pub(super) fn list(
    args: &ListArgs,
    context: &Context<'_>,
    console: &mut Console<'_>,
) -> Result<u8, CliError> {
    let scenarios = context.harness.scenarios;
    let width = scenarios
        .iter()
        .map(|entry| entry.name.len())
        .max()
        .unwrap_or(0);
    for entry in scenarios {
        match args.json {
            true => console.object(
                &json!({ "type": "scenario", "name": entry.name, "summary": entry.summary }),
            )?,
            false => console.print(&format!("{:<width$}  {}\n", entry.name, entry.summary))?,
        }
    }
    Ok(HELD)
}
