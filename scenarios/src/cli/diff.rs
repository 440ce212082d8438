//! Steps of `diff`: run two plans, find the first event in which they differ, show both contexts.

use super::args::DiffArgs;
use super::console::Console;
use super::entry::{Context, HELD, VIOLATED};
use super::error::CliError;
use super::replay::read;
use crate::explore::between;
use crate::report;

pub(super) fn diff(
    args: &DiffArgs,
    context: &Context<'_>,
    console: &mut Console<'_>,
) -> Result<u8, CliError> {
    let left = read(context, &args.left)?;
    let right = read(context, &args.right)?;
    let names = [
        args.left.display().to_string(),
        args.right.display().to_string(),
    ];
    let (outcomes, difference) = between(context.harness.run, [&left, &right]);
    let names = [names[0].as_str(), names[1].as_str()];
    let text = report::comparison(names, [&outcomes[0], &outcomes[1]], difference.as_ref());
    console.print(&text)?;
    let is_same = outcomes[0].fingerprint == outcomes[1].fingerprint;
    Ok(if is_same { HELD } else { VIOLATED })
}
