//! Steps of the table: for each case, let every peer take the same statements, then ask all the same questions; check
//! that they agree; print what it cost, and how many times that of the map from which deleted rows are gone.
//!
//! Costs are CPU time of this thread. Prints only; nothing is asserted about time.
//!
//! `tombstone_read [all] [few]`: the three forms that the targets are about, or all forms and patterns; on every peer,
//! or only on those that take seconds.

mod peers;
mod table;
mod workload;

use std::process::ExitCode;

use peers::{Engine, Fjall, Floor, Memtable, Naive, Peer, Redb, Staged};
use peers_measure::thread_nanos;
use workload::{Case, Form, Pattern, ROWS};

/// How many reads a round has; costs are told for so many.
const READS: usize = 1_000;
/// The middle one of so many rounds counts.
const ROUNDS: usize = 7;
/// A peer that took so long gets no further read.
const READ_NANOS_MAX: u64 = 3_000_000_000;

/// What one peer's share of a case cost.
struct Cost {
    name: &'static str,
    build_nanos: u64,
    /// Of 1,000 reads, forward and reversed.
    read_nanos: [u64; 2],
    bytes: Option<(u64, u64)>,
    /// What it answered, forward and reversed, as far as it was asked.
    answers: [Vec<Option<u64>>; 2],
}

fn take<P: Peer>(case: Case) -> Cost {
    let mut peer = P::new();
    let began = thread_nanos();
    let mut timestamp = 0;
    for row in 0..ROWS {
        timestamp += 1;
        peer.insert(row % case.partitions, row, timestamp);
    }
    for deletion in case.deletions() {
        timestamp += 1;
        peer.delete(deletion, timestamp);
    }
    peer.finish();
    let build_nanos = thread_nanos() - began;
    let (forward, reverse) = (read(&peer, case, false), read(&peer, case, true));
    Cost {
        name: P::NAME,
        build_nanos,
        read_nanos: [forward.0, reverse.0],
        bytes: peer.bytes(),
        answers: [forward.1, reverse.1],
    }
}

/// What 1,000 reads cost, and what was answered.
fn read<P: Peer>(peer: &P, case: Case, reversed: bool) -> (u64, Vec<Option<u64>>) {
    let reads = case.reads(READS);
    let (mut rounds, mut answers, mut spent) = (Vec::new(), Vec::new(), 0);
    while rounds.len() < ROUNDS && spent < READ_NANOS_MAX {
        answers.clear();
        let began = thread_nanos();
        for &(partition, at) in &reads {
            answers.push(peer.next(partition, at, reversed));
            if answers.len().is_multiple_of(8) && thread_nanos() - began > READ_NANOS_MAX {
                break;
            }
        }
        let took = thread_nanos() - began;
        spent += took;
        rounds.push(took * READS as u64 / answers.len() as u64);
    }
    rounds.sort_unstable();
    (rounds[rounds.len() / 2], answers)
}

fn agree(costs: &[Cost]) -> Result<(), String> {
    let expected = &costs[0];
    for cost in &costs[1..] {
        for (answers, all) in cost.answers.iter().zip(&expected.answers) {
            if all[..answers.len()] != answers[..] {
                return Err(format!("{} and {} disagree", expected.name, cost.name));
            }
        }
    }
    Ok(())
}

fn print(case: Case, costs: &[Cost]) {
    println!(
        "\n{} partitions, deleted {} by {}",
        case.partitions, case.pattern, case.form
    );
    println!(
        "{:34} {:>12} {:>7} {:>12} {:>7} {:>9} {:>6} {:>18}",
        "", "1,000 reads", "", "reversed", "", "build", "", "B a deleted row"
    );
    let floor = &costs[0];
    for cost in costs {
        let times = |mine: u64, floors: u64| tenths(mine * 100 / floors.max(1), 100);
        let bytes = cost.bytes.map(|(used, held)| {
            let deleted = ROWS * workload::DELETED_PER_MILLE / 1_000;
            format!("{} ({} held)", used / deleted, held / deleted)
        });
        println!(
            "{:34} {:>9} ms {:>6}x {:>9} ms {:>6}x {:>7} s {:>5}x {:>18}",
            cost.name,
            tenths(cost.read_nanos[0] / 1_000, 1_000),
            times(cost.read_nanos[0], floor.read_nanos[0]),
            tenths(cost.read_nanos[1] / 1_000, 1_000),
            times(cost.read_nanos[1], floor.read_nanos[1]),
            tenths(cost.build_nanos / 10_000_000, 100),
            times(cost.build_nanos, floor.build_nanos),
            bytes.unwrap_or_default(),
        );
    }
}

/// A fixed-point number with its fraction.
fn tenths(number: u64, unit: u64) -> String {
    let digits = unit.ilog10() as usize;
    format!("{}.{:0digits$}", number / unit, number % unit)
}

fn run(case: Case, few: bool) -> Result<(), String> {
    let mut costs = vec![
        take::<Floor>(case),
        take::<Memtable>(case),
        take::<Engine>(case),
    ];
    if !few {
        costs.extend([
            take::<Staged>(case),
            take::<Naive>(case),
            take::<Redb>(case),
            take::<Fjall>(case),
        ]);
    }
    print(case, &costs);
    agree(&costs)
}

/// Takes the first row of a queue and deletes it, as often as it has rows.
fn queue() -> u64 {
    let mut queue = Memtable::new();
    let rows = 10_000;
    for row in 0..rows {
        queue.insert(0, row, 1);
    }
    let began = thread_nanos();
    let mut after = 0;
    for _ in 1..rows {
        let first = queue.first(0).unwrap_or(after);
        queue.pop(0, first);
        after = first;
    }
    (thread_nanos() - began) / (rows - 1)
}

#[expect(
    clippy::disallowed_methods,
    reason = "a command line reads its arguments"
)]
fn main() -> ExitCode {
    let (mut all, mut few) = (false, false);
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "all" => all = true,
            "few" => few = true,
            other => {
                eprintln!("{other}: neither all nor few");
                return ExitCode::from(2);
            }
        }
    }
    let mut cases = Vec::new();
    for form in Form::ALL.iter().take(if all { 5 } else { 3 }) {
        let patterns = [Pattern::FromStart, Pattern::Random, Pattern::Spread];
        for pattern in &patterns[..if all { 3 } else { 1 }] {
            cases.extend([999, 3].map(|partitions| Case {
                partitions,
                form: *form,
                pattern: *pattern,
            }));
        }
    }
    for case in cases {
        if let Err(error) = run(case, few) {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    }
    println!("\na queue's pop: {} ns", queue());
    ExitCode::SUCCESS
}
