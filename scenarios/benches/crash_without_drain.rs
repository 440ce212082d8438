//! Steps of the bench: make plans of 30 tables and 300 operations, run and judge each, and print what a
//! CPU-second carries. Prints only; nothing is asserted about time.

use std::collections::BTreeSet;
use std::time::Duration;

use cenotaph::plan::{Anchor, Knobs, Operation, Plan, TableNumber};
use cenotaph::pool::cpu_time;
use cenotaph::run::{RunOptions, run};
use mimalloc::MiMalloc;

/// The program's.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

const SCENARIO: &str = "crash-without-drain";
const TABLES_COUNT: usize = 30;
const OPERATIONS_COUNT: usize = 300;
const PLANS_COUNT: usize = 200;
/// The window of the schema's flush that the scenario is about.
const WINDOW_MILLIS: u32 = 60_000;
/// Each plan is run so often, after the first time.
const ROUNDS: usize = 3;

fn main() {
    println!("{PLANS_COUNT} plans of {TABLES_COUNT} tables and {OPERATIONS_COUNT} operations");
    let drawn: Vec<Plan> = (0..).filter_map(plan).take(PLANS_COUNT).collect();
    measure("knobs as the scenario draws them", &drawn);
    let at_rest = drawn.into_iter().map(|mut plan| {
        plan.knobs = Knobs::default();
        plan.knobs.engine.schema_flush_window_millis = WINDOW_MILLIS;
        plan
    });
    let at_rest: Vec<Plan> = at_rest.collect();
    measure("knobs at their defaults", &at_rest);
}

fn measure(title: &str, plans: &[Plan]) {
    let warm = spent(plans);
    let rounds: Vec<Spent> = (0..ROUNDS).map(|_| spent(plans)).collect();
    let best = rounds.iter().min_by_key(|spent| spent.cpu).unwrap_or(&warm);
    let line = |what: &str, figure: u64| println!("  {what:<38} {figure}");
    println!("{title}");
    line("runs a core-second", best.rate(PLANS_COUNT as u64));
    line(
        "operations, the final reads included",
        best.operations_count,
    );
    line("operations a core-second", best.rate(best.operations_count));
    line("events", best.events_count);
    line("events a core-second", best.rate(best.events_count));
}

/// The plan of a seed, cut to the shape; none when the seed has another.
fn plan(seed: u64) -> Option<Plan> {
    let mut plan = Plan::from_seed(SCENARIO, seed).expect("the scenario is there");
    let tables: BTreeSet<TableNumber> = plan
        .clients
        .iter()
        .flatten()
        .filter_map(|operation| match operation {
            Operation::CreateTable { table, .. } => Some(*table),
            _ => None,
        })
        .collect();
    let count = |plan: &Plan| plan.clients.iter().map(Vec::len).sum::<usize>();
    if tables.len() != TABLES_COUNT || count(&plan) < OPERATIONS_COUNT {
        return None;
    }
    while count(&plan) > OPERATIONS_COUNT {
        let longest = plan
            .clients
            .iter_mut()
            .skip(1)
            .max_by_key(|client| client.len());
        longest?.pop();
    }
    let clients = plan.clients.clone();
    plan.faults.retain(|fault| match &fault.at {
        Anchor::Operation(at) => (at.index as usize) < clients[usize::from(at.client)].len(),
        Anchor::Time { .. } | Anchor::Io { .. } | Anchor::Request { .. } => true,
    });
    Some(plan)
}

/// What it took to run and judge all plans once.
struct Spent {
    cpu: Duration,
    operations_count: u64,
    events_count: u64,
}

impl Spent {
    fn rate(&self, count: u64) -> u64 {
        let micros = self.cpu.as_micros().max(1);
        u64::try_from(u128::from(count) * 1_000_000 / micros).unwrap_or(u64::MAX)
    }
}

fn spent(plans: &[Plan]) -> Spent {
    let (mut operations_count, mut events_count) = (0, 0);
    let begin = cpu_time();
    for plan in plans {
        let outcome = run(plan, &RunOptions::default());
        assert!(
            outcome.verdict.violations.is_empty(),
            "the judges accept it"
        );
        operations_count += outcome.statistics.operations_count;
        events_count += outcome.statistics.events_count;
    }
    Spent {
        cpu: cpu_time() - begin,
        operations_count,
        events_count,
    }
}
