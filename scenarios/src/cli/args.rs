//! Vocabulary of the command line: subcommands and their arguments.

use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};

use crate::explore::{Shard, StateName};
use crate::plan::knobs_page;

/// More threads than any machine has cores for.
const JOBS_MAX: usize = 1_024;

/// Finds the crash that loses an acknowledged write, and hands back the few operations that do it.
#[derive(Debug, Parser)]
#[command(name = "cenotaph", version, max_term_width = 100)]
#[command(
    after_help = "Exit codes: 0 all held; 1 a violation; 2 the call was wrong.\n\
    Example: cenotaph explore --for 60s"
)]
pub(super) struct Cli {
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Lists the scenarios, one a line.
    #[command(after_help = "Example: cenotaph list")]
    List(ListArgs),
    /// Runs one seed of a scenario and judges it.
    #[command(
        after_help = "Examples:\n  cenotaph run crash-without-drain --seed 17 --trace\n  \
        cenotaph run crash-without-drain --set commitlog_mode=periodic --bug P02"
    )]
    Run(RunArgs),
    /// Runs many seeds, each twice and judged both times; shrinks and keeps what fails.
    #[command(after_help = "Examples:\n  cenotaph explore --for 60s\n  \
        cenotaph explore crash-without-drain --seeds 0..10000 --shard 1/4 --keep failures")]
    Explore(ExploreArgs),
    /// Runs a plan file again.
    #[command(after_help = "Example: cenotaph replay failures/PLAN.json --trace")]
    Replay(ReplayArgs),
    /// Makes a failing plan as small as it gets while it fails in the same way.
    #[command(after_help = "Example: cenotaph shrink failures/PLAN.json -o min.json")]
    Shrink(ShrinkArgs),
    /// Shows the first event in which the runs of two plans differ; exits with 1 when one does.
    #[command(after_help = "Example: cenotaph diff failures/PLAN.json min.json")]
    Diff(DiffArgs),
    /// Cuts the power at every moment of a run, and recovers from every state that the disk may be left in.
    #[command(
        after_help = "The run has no faults but the cut. Each state is booted and read twice, with a second \
        cut between, and judged\nwith all that was acknowledged before. A state that fails is told by its name.\n\n\
        Examples:\n  cenotaph crash-states crash-without-drain --seed 17 --bound 0\n  \
        cenotaph crash-states crash-without-drain --set disk_profile=posix-adversarial --bug P05"
    )]
    CrashStates(CrashStatesArgs),
    /// Plants bugs that real databases had, or this one, and tells which are found, by what, after how long.
    #[command(
        after_help = "Each bug is hunted through the seeds of the scenarios that are to find it. All of \
        them take about half\na minute on two cores, in a release build. The smallest plan that shows a \
        bug is written to the folder\nof --keep, and the command that replays it is told.\n\n\
        Examples:\n  cenotaph planted --list\n  cenotaph planted P02 P05 --budget 60s"
    )]
    Planted(PlantedArgs),
    /// Explains the format of plans: fields, operations, faults, anchors, bounds, knobs.
    #[command(after_help = "Example: cenotaph plan")]
    Plan,
}

#[derive(Debug, Args)]
pub(super) struct ListArgs {
    /// Prints one JSON object a line.
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Args)]
pub(super) struct RunArgs {
    /// Name of the scenario; `cenotaph list` has them.
    pub(super) scenario: String,
    /// The seed.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        allow_negative_numbers = true
    )]
    pub(super) seed: u64,
    /// Turns a knob of the plan; may be given several times. `--help` lists them.
    #[arg(long = "set", value_name = "KNOB=VALUE", long_help = set_help())]
    pub(super) set: Vec<String>,
    /// Plants a bug.
    #[arg(long, value_name = "BUG")]
    pub(super) bug: Option<String>,
    /// Writes the plan to a file, to be edited and replayed, whether its run holds or not.
    #[arg(short, long, value_name = "PLAN.json")]
    pub(super) output: Option<PathBuf>,
    #[command(flatten)]
    pub(super) watch: WatchArgs,
    /// Records the events of a range of numbers, for comparing with another process.
    #[arg(long, value_name = "A..B", value_parser = parse_range, hide = true)]
    pub(super) window: Option<Range<u64>>,
}

#[derive(Debug, Args)]
pub(super) struct WatchArgs {
    /// Prints the run event by event first, in virtual time.
    #[arg(long)]
    pub(super) trace: bool,
    /// Prints one JSON object a line.
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Args)]
pub(super) struct ExploreArgs {
    /// Names of scenarios; all when none is given.
    pub(super) scenarios: Vec<String>,
    /// Seeds from A up to and without B.
    #[arg(long, value_name = "A..B", value_parser = parse_range, conflicts_with = "duration")]
    #[arg(default_value = "0..1000", allow_hyphen_values = true)]
    pub(super) seeds: Range<u64>,
    /// Fresh seeds for so long: 500ms, 60s, 10m, 2h; a number alone is seconds.
    #[arg(long = "for", id = "duration", value_name = "TIME", value_parser = parse_duration)]
    #[arg(allow_hyphen_values = true)]
    pub(super) duration: Option<Duration>,
    /// Threads; as many as there are cores by default.
    #[arg(long, value_name = "N", value_parser = parse_jobs, allow_negative_numbers = true)]
    pub(super) jobs: Option<NonZeroUsize>,
    /// Takes only part K of N of the seeds.
    #[arg(
        long,
        value_name = "K/N",
        default_value = "1/1",
        allow_hyphen_values = true
    )]
    pub(super) shard: Shard,
    /// Runs each seed once: half the work, and no proof that a run repeats.
    #[arg(long)]
    pub(super) once: bool,
    /// Where plans that fail are kept.
    #[arg(long, value_name = "DIR", default_value = "failures")]
    pub(super) keep: PathBuf,
    /// Plants a bug.
    #[arg(long, value_name = "BUG")]
    pub(super) bug: Option<String>,
    /// Prints one JSON object a line.
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Args)]
pub(super) struct ReplayArgs {
    /// The plan.
    #[arg(value_name = "PLAN.json")]
    pub(super) plan: PathBuf,
    #[command(flatten)]
    pub(super) watch: WatchArgs,
}

#[derive(Debug, Args)]
pub(super) struct ShrinkArgs {
    /// The plan.
    #[arg(value_name = "PLAN.json")]
    pub(super) plan: PathBuf,
    /// Where the smaller plan goes.
    #[arg(short, long, value_name = "MIN.json")]
    pub(super) output: PathBuf,
    /// Runs to spend, at most.
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..), allow_negative_numbers = true)]
    pub(super) runs: u32,
    /// Threads; as many as there are cores by default.
    #[arg(long, value_name = "N", value_parser = parse_jobs, allow_negative_numbers = true)]
    pub(super) jobs: Option<NonZeroUsize>,
    /// Prints one JSON object a line.
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Args)]
pub(super) struct DiffArgs {
    /// One plan.
    #[arg(value_name = "PLAN_A.json")]
    pub(super) left: PathBuf,
    /// The other plan.
    #[arg(value_name = "PLAN_B.json")]
    pub(super) right: PathBuf,
}

#[derive(Debug, Args)]
pub(super) struct CrashStatesArgs {
    /// Name of the scenario; `cenotaph list` has them.
    pub(super) scenario: String,
    /// The seed.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        allow_negative_numbers = true
    )]
    pub(super) seed: u64,
    /// How many registers of the disk may be lost of the newest state, or kept beyond the synced one.
    #[arg(
        long,
        value_name = "K",
        default_value_t = 1,
        allow_negative_numbers = true
    )]
    pub(super) bound: u32,
    /// States to recover from, at most, spread over the run.
    #[arg(long, value_name = "N", default_value_t = 5_000)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..), allow_negative_numbers = true)]
    pub(super) states: u64,
    /// Turns a knob of the plan; may be given several times. `--help` lists them.
    #[arg(long = "set", value_name = "KNOB=VALUE", long_help = set_help())]
    pub(super) set: Vec<String>,
    /// Plants a bug.
    #[arg(long, value_name = "BUG")]
    pub(super) bug: Option<String>,
    /// Threads; as many as there are cores by default.
    #[arg(long, value_name = "N", value_parser = parse_jobs, allow_negative_numbers = true)]
    pub(super) jobs: Option<NonZeroUsize>,
    /// Recovers from this state alone.
    #[arg(long, value_name = "MOMENT:IMAGE")]
    pub(super) state: Option<StateName>,
    /// Prints that recovery event by event first, in virtual time.
    #[arg(long, requires = "state")]
    pub(super) trace: bool,
    /// Prints one JSON object a line.
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Args)]
pub(super) struct PlantedArgs {
    /// Names of planted bugs; all when none is given.
    pub(super) bugs: Vec<String>,
    /// Only says what they are, where they were first found, and which scenarios are to find them.
    #[arg(long)]
    pub(super) list: bool,
    /// Core time to spend on finding each, at most: 60s, 10m; a number alone is seconds.
    #[arg(long, value_name = "TIME", value_parser = parse_duration, default_value = "60s")]
    #[arg(allow_hyphen_values = true)]
    pub(super) budget: Duration,
    /// Threads; as many as there are cores by default.
    #[arg(long, value_name = "N", value_parser = parse_jobs, allow_negative_numbers = true)]
    pub(super) jobs: Option<NonZeroUsize>,
    /// Where the plans that show the bugs are kept.
    #[arg(long, value_name = "DIR", default_value = "failures")]
    pub(super) keep: PathBuf,
    /// Prints one JSON object a line.
    #[arg(long)]
    pub(super) json: bool,
}

fn set_help() -> String {
    format!(
        "Turns a knob of the plan; may be given several times. Knobs and their values:\n{}",
        knobs_page().trim_end()
    )
}

fn parse_range(text: &str) -> Result<Range<u64>, String> {
    let parse = || {
        let (start, end) = text.split_once("..")?;
        let range: Range<u64> = start.parse().ok()?..end.parse().ok()?;
        (!range.is_empty()).then_some(range)
    };
    parse().ok_or_else(|| format!("`{text}` is not a range: expected `A..B` with A < B"))
}

fn parse_jobs(text: &str) -> Result<NonZeroUsize, String> {
    let jobs = text.parse().ok();
    jobs.filter(|jobs: &NonZeroUsize| jobs.get() <= JOBS_MAX)
        .ok_or_else(|| format!("`{text}` is not a number of threads within 1..={JOBS_MAX}"))
}

fn parse_duration(text: &str) -> Result<Duration, String> {
    let parse = || {
        let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let number: u64 = digits.parse().ok()?;
        let seconds = match &text[digits.len()..] {
            "ms" => return Some(Duration::from_millis(number)),
            "" | "s" => 1,
            "m" => 60,
            "h" => 3_600,
            _ => return None,
        };
        number.checked_mul(seconds).map(Duration::from_secs)
    };
    let time = parse()
        .ok_or_else(|| format!("`{text}` is not a time: expected `500ms`, `60s`, `10m` or `2h`"))?;
    match time.is_zero() {
        true => Err(format!("`{text}` is no time at all: nothing would be run")),
        false => Ok(time),
    }
}
