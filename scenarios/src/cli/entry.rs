//! Steps of a call: parse the arguments, give the command its console, turn what went wrong into a
//! message and an exit code.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Parser;

use super::args::{Cli, Command};
use super::console::Console;
use super::error::CliError;
use super::{crash_states, diff, explore, list, planted, replay, run, shrink};
use crate::explore::Harness;
use crate::plan::page;

/// All held.
pub const HELD: u8 = 0;
/// A violation, or a run that was not the same when repeated.
pub const VIOLATED: u8 = 1;
/// The call was wrong.
pub const WRONG: u8 = 2;

/// What commands work with.
#[derive(Clone, Debug)]
pub struct Context<'a> {
    /// Scenarios, and what makes and runs their plans.
    pub harness: Harness<'a>,
    /// Commit that the program was built of.
    pub commit: &'a str,
    /// This program's own file, to run seeds in other processes; none when it is not to.
    pub executable: Option<PathBuf>,
}

/// One call: arguments (the program's name first) in, text out, and an exit code.
pub fn call(
    args: impl Iterator<Item = OsString>,
    context: &Context<'_>,
    console: &mut Console<'_>,
) -> u8 {
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() => {
            console.tell(&error.render().to_string());
            return WRONG;
        }
        Err(help) => {
            return ended(
                console.print(&help.render().to_string()).map(|()| HELD),
                console,
            );
        }
    };
    let code = match &cli.command {
        Command::List(args) => list::list(args, context, console),
        Command::Run(args) => run::run(args, context, console),
        Command::Explore(args) => explore::explore(args, context, console),
        Command::Replay(args) => replay::replay(args, context, console),
        Command::Shrink(args) => shrink::shrink(args, context, console),
        Command::Diff(args) => diff::diff(args, context, console),
        Command::CrashStates(args) => crash_states::crash_states(args, context, console),
        Command::Planted(args) => planted::planted(args, context, console),
        Command::Plan => console.print(&page()).map(|()| HELD),
    };
    ended(code, console)
}

fn ended(code: Result<u8, CliError>, console: &mut Console<'_>) -> u8 {
    match code {
        Ok(code) => code,
        Err(error) => {
            console.tell(&format!("error: {error}\n"));
            WRONG
        }
    }
}
