use cenotaph::plan::Plan;
use cenotaph::run::{run, RunOptions};
use tracing_subscriber::layer::SubscriberExt as _;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let from: u64 = args[1].parse().unwrap();
    let to: u64 = args[2].parse().unwrap();
    let trace = args.len() > 3 && args[3] == "trace";
    let bug = args.iter().find_map(|a| a.strip_prefix("bug=")).map(str::to_owned);
    let t = std::time::Instant::now();
    let (mut bad, mut ops, mut events, mut crashes) = (0, 0u64, 0u64, 0u64);
    let mut ids = std::collections::BTreeMap::new();
    let mut marks = cenotaph_sim::trace::Marks::default();
    for seed in from..to {
        let mut plan = Plan::from_seed("crash-without-drain", seed).unwrap();
        plan.bug = bug.clone();
        let outcome = if trace {
            let tl = cenotaph_sim::trace::Timeline::new();
            let sub = tracing_subscriber::registry().with(tl.layer(tracing::Level::DEBUG));
            let o = tracing::subscriber::with_default(sub, || run(&plan, &RunOptions { observed: true, window: None }));
            println!("{}", tl.render());
            o
        } else { run(&plan, &RunOptions::default()) };
        ops += outcome.statistics.operations_count; events += outcome.statistics.events_count; crashes += outcome.statistics.crashes_count;
        marks.merge(&outcome.marks);
        if trace || to - from < 5 { println!("seed {seed} {} {:?}", outcome.fingerprint, outcome.statistics); }
        if !outcome.verdict.holds() {
            bad += 1;
            let v = &outcome.verdict.violations[0];
            let e = ids.entry(v.identity.to_string()).or_insert((0, seed, v.detail.clone()));
            e.0 += 1;
        }
    }
    for (id, (n, seed, detail)) in &ids { println!("{n:>5} {id} e.g. seed {seed}: {detail}"); }
    if args.iter().any(|a| a == "marks") { for (m, c) in marks.iter() { println!("  {m} {c}"); } }
    println!("{} seeds {bad} bad; {} ops {} events {} crashes in {:?}", to - from, ops, events, crashes, t.elapsed());
}
