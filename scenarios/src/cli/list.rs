//! Steps of `list`: one line a scenario, and one of the planted bugs that are hunted in it.

use cenotaph_engine::planted::Plant;
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
        let bugs: Vec<&str> = entry.bugs.iter().map(|bug| Plant::name(*bug)).collect();
        if args.json {
            console.object(&json!({
                "type": "scenario",
                "name": entry.name,
                "summary": entry.summary,
                "bugs": bugs,
            }))?;
            continue;
        }
        console.print(&format!("{:<width$}  {}\n", entry.name, entry.summary))?;
        if !bugs.is_empty() {
            let bugs = bugs.join(" ");
            console.print(&format!("{:<width$}  hunted here: {bugs}\n", ""))?;
        }
    }
    if !args.json {
        console.print(
            "\nPlanted bugs may show in other scenarios, too; `cenotaph planted` hunts them where they are \
             named.\n`cenotaph planted --list` says what they are.\n",
        )?;
    }
    Ok(HELD)
}
