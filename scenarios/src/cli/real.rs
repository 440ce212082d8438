//! Steps of the real program: its own scenarios, generator and runs, on the process's streams.

use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::process::ExitCode;

use super::console::Console;
use super::entry::{Context, call};
use crate::explore::{Entry, Harness};
use crate::plan::Plan;
use crate::run;
use crate::workload;

/// The whole program, on the process's own streams. `commit` is what it was built of.
pub fn main(args: impl Iterator<Item = OsString>, commit: &str) -> ExitCode {
    let entries = entries();
    let context = Context {
        harness: harness(&entries),
        commit,
        executable: std::env::current_exe().ok(),
    };
    let (mut out, mut err) = (io::stdout().lock(), io::stderr());
    let is_terminal = err.is_terminal();
    ExitCode::from(call(
        args,
        &context,
        &mut Console::new(&mut out, &mut err, is_terminal),
    ))
}

fn entries() -> Vec<Entry> {
    let scenarios = workload::list().iter();
    scenarios
        .map(|scenario| Entry {
            name: scenario.name,
            summary: scenario.summary,
            marks: scenario.marks,
            faults: scenario.faults,
            operations: scenario.operations,
            bugs: scenario.bugs,
        })
        .collect()
}

fn harness(entries: &[Entry]) -> Harness<'_> {
    Harness {
        scenarios: entries,
        plan: &plan,
        run: &run::run,
    }
}

fn plan(scenario: &str, seed: u64) -> Plan {
    Plan::from_seed(scenario, seed).expect("only scenarios of the list are asked for")
}
