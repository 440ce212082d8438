//! Steps of the table: build madsim's binary, run every workload on every peer in turns, print the
//! medians and how many times each Cenotaph carries. Prints only; nothing is asserted about time.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use cenotaph_peers::peer::{cenotaph, heap, tokio_task, turmoil};
use peers_measure::{Cost, Workload, median};

/// Each peer runs each workload so often.
const ROUNDS: usize = 5;
const COLUMNS: [&str; 5] = ["Cenotaph", "madsim", "tokio task", "turmoil", "bare heap"];

/// The costs of one workload, a column each.
#[derive(Clone, Default)]
struct Row {
    costs: [Vec<Cost>; COLUMNS.len()],
    ready_tenths: u64,
}

/// Runs a program of this workspace's folder and gives what it printed.
fn output(command: &mut Command) -> Result<String, String> {
    let named = format!("{command:?}");
    let output = command
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("{named}: {error}"))?;
    if !output.status.success() {
        return Err(format!("{named}: {}", output.status));
    }
    String::from_utf8(output.stdout).map_err(|error| format!("{named}: {error}"))
}

fn build_madsim() -> Result<(), String> {
    let mut cargo = Command::new(option_env!("CARGO").unwrap_or("cargo"));
    cargo
        .args([
            "build",
            "--release",
            "--locked",
            "--package",
            "peers-madsim",
        ])
        .args(["--target-dir", "target/madsim"])
        .env("RUSTFLAGS", "--cfg madsim");
    output(&mut cargo).map(drop)
}

/// What madsim's binary measured, by workload.
fn run_madsim() -> Result<BTreeMap<String, Cost>, String> {
    let binary = Path::new("target/madsim/release/peers-madsim");
    let text = output(&mut Command::new(binary))?;
    let line = |line: &str| {
        let (figure, name) = line.split_once('\t')?;
        let per_second = figure.parse().ok()?;
        Some((name.to_owned(), Cost { per_second }))
    };
    let lines: Option<_> = text.lines().map(line).collect();
    lines.ok_or_else(|| format!("madsim's binary printed something else: {text}"))
}

fn round(rows: &mut [Row]) -> Result<(), String> {
    let madsim = run_madsim()?;
    for (workload, row) in Workload::ALL.into_iter().zip(rows) {
        let name = workload.to_string();
        let other = madsim.get(&name);
        let run = cenotaph::run(workload, workload.count(8_000_000));
        row.ready_tenths = run.ready_tenths;
        let costs = [
            run.cost,
            *other.ok_or_else(|| format!("madsim's binary did not run {name}"))?,
            tokio_task::run(workload, workload.count(2_000_000)),
            turmoil::run(workload, workload.count(200_000)),
            heap::run(workload, workload.count(20_000_000)),
        ];
        for (all, cost) in row.costs.iter_mut().zip(costs) {
            all.push(cost);
        }
    }
    Ok(())
}

/// A figure in millions, with two digits.
fn millions(figure: u64) -> String {
    format!("{}.{:02}", figure / 1_000_000, figure / 10_000 % 100)
}

/// How many times `of` goes into `figure`, with one digit.
fn times(figure: u64, of: u64) -> String {
    let tenths = figure * 10 / of.max(1);
    format!("{}.{}", tenths / 10, tenths % 10)
}

fn print_table(rows: &[Row]) {
    println!("millions of messages or timers a CPU-second, medians of {ROUNDS} rounds\n");
    print!("{:<16}", "");
    for column in COLUMNS {
        print!("{column:>12}");
    }
    println!("{:>10}{:>10}{:>10}", "x madsim", "x tokio", "ready");
    for (workload, row) in Workload::ALL.into_iter().zip(rows) {
        let medians = row.costs.each_ref().map(|costs| median(costs).per_second);
        print!("{:<16}", workload.to_string());
        for figure in medians {
            print!("{:>12}", millions(figure));
        }
        let [cenotaph, madsim, tokio, ..] = medians;
        println!(
            "{:>10}{:>10}{:>10}",
            times(cenotaph, madsim),
            times(cenotaph, tokio),
            times(row.ready_tenths, 10)
        );
    }
    println!("\nready: tasks that a pick of Cenotaph's scheduler had to choose from, on average");
}

fn table() -> Result<(), String> {
    build_madsim()?;
    let mut rows = vec![Row::default(); Workload::ALL.len()];
    for number in 1..=ROUNDS {
        eprintln!("round {number} of {ROUNDS}");
        round(&mut rows)?;
    }
    print_table(&rows);
    Ok(())
}

fn main() -> ExitCode {
    match table() {
        Ok(()) => ExitCode::SUCCESS,
        Err(cause) => {
            eprintln!("error: {cause}");
            ExitCode::FAILURE
        }
    }
}
