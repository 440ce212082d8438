//! Steps of the program: redb on the simulated disk, with power cuts in openings, in commits and between
//! them, on every profile; what came of it as a table.
//!
//! redb is judged by what its commits promise: after a cut it opens, and holds all that a durable commit
//! put there, every transaction whole. A run ends with its first failure. `unborn` counts files that do
//! not open because the cut fell into their making, when nothing had been promised yet.

mod drive;
mod model;
mod run;

use cenotaph_sim::disk::{DiskOptions, Profile, Tear};

use crate::model::Wrong;
use crate::run::{Failure, Outcome, run};

/// Runs of each row.
const RUNS_COUNT: u64 = 400;

/// Every this many, a run is made twice, to see that it is the same.
const TWICE_EVERY: u64 = 20;

fn main() {
    println!(
        "{:<22}{:<15}{:>5}{:>8}{:>6}{:>8}{:>8}{:>9}{:>6}{:>6}{:>9}{:>8}{:>9}{:>8}",
        "profile",
        "tear",
        "runs",
        "commits",
        "cuts",
        "opening",
        "commit",
        "between",
        "lost",
        "torn",
        "corrupt",
        "unborn",
        "refused",
        "panics"
    );
    let mut notes = Vec::new();
    for profile in Profile::honest() {
        notes.extend(row(profile, Tear::Sector512));
    }
    for tear in Tear::ALL
        .into_iter()
        .filter(|tear| *tear != Tear::Sector512)
    {
        notes.extend(row(Profile::PosixAdversarial, tear));
    }
    notes.extend(row(Profile::LyingDrive, Tear::Sector512));
    println!();
    for note in notes {
        println!("{note}");
    }
}

/// Runs the seeds of a row and prints it; gives back a line for each kind of failure in it.
fn row(profile: Profile, tear: Tear) -> Vec<String> {
    let options = DiskOptions {
        profile,
        tear,
        capacity_bytes: 64 << 20,
    };
    let mut outcomes: Vec<Outcome> = Vec::new();
    for seed in 0..RUNS_COUNT {
        let outcome = run(options, seed);
        if seed.is_multiple_of(TWICE_EVERY) {
            assert_eq!(
                outcome,
                run(options, seed),
                "seed {seed} is another run the second time"
            );
        }
        outcomes.push(outcome);
    }
    let sum = |count: fn(&Outcome) -> u64| outcomes.iter().map(count).sum::<u64>();
    let of_kind = |kind: &str| {
        outcomes
            .iter()
            .filter(|outcome| kind_of(outcome) == Some(kind))
            .count()
    };
    let (opening, commit, between) = (
        sum(|outcome| outcome.cuts_in_opening),
        sum(|outcome| outcome.cuts_in_commits),
        sum(|outcome| outcome.cuts_between_commits),
    );
    println!(
        "{:<22}{:<15}{:>5}{:>8}{:>6}{opening:>8}{commit:>8}{between:>9}{:>6}{:>6}{:>9}{:>8}{:>9}{:>8}",
        format!("{profile:?}"),
        format!("{tear:?}"),
        outcomes.len(),
        sum(|outcome| outcome.commits_count),
        opening + commit + between,
        of_kind("lost"),
        of_kind("torn"),
        of_kind("corrupt"),
        of_kind("unborn"),
        of_kind("refused"),
        of_kind("panics"),
    );
    let mut told = Vec::new();
    let mut notes = Vec::new();
    for (seed, outcome) in outcomes.iter().enumerate() {
        if let (Some(kind), Some(failure)) = (kind_of(outcome), &outcome.failure)
            && !told.contains(&kind)
        {
            told.push(kind);
            notes.push(format!(
                "{profile:?}, {tear:?}, {kind}, seed {seed}: {failure:?}"
            ));
        }
    }
    notes
}

/// The column of a failure.
fn kind_of(outcome: &Outcome) -> Option<&'static str> {
    Some(match outcome.failure.as_ref()? {
        Failure::Content(Wrong::Lost) => "lost",
        Failure::Content(Wrong::Torn) => "torn",
        Failure::Corrupt(_) => "corrupt",
        Failure::Refused(_) if !outcome.had_promised => "unborn",
        Failure::Refused(_) => "refused",
        Failure::Panicked(_) => "panics",
    })
}
