//! Steps of the example: cut the power of a small write-ahead log in one seeded world after another;
//! make the first run that loses a record small, and tell it; then show that the mended log holds.

mod harness;
mod log;

use cenotaph_sim::world::smallest;

use crate::harness::{Verdict, draw, run, story};
use crate::log::Names;

/// Worlds that are tried.
const SEEDS: std::ops::Range<u64> = 0..1_000;

fn main() {
    print!("{}", hunt(Names::SyncedAtOpen));
    print!("{}", hunt(Names::SyncedAlways));
}

/// Runs a world a seed; tells what the first one that loses a record comes down to.
fn hunt(names: Names) -> String {
    for seed in SEEDS {
        let steps = draw(seed);
        let found = run(seed, &steps, names);
        assert_eq!(
            found,
            run(seed, &steps, names),
            "a run is a function of its seed"
        );
        if found.verdict == Verdict::Held {
            continue;
        }
        let fails = |part: &[_]| run(seed, part, names).verdict.is_like(&found.verdict);
        let least = smallest(&steps, fails);
        let mut text = format!("names {names:?}: seed {seed}, {found}\n");
        text += &format!(
            "  {} of its {} steps are enough:\n",
            least.len(),
            steps.len()
        );
        for step in &least {
            text += &format!("    {step}\n");
        }
        text += &format!("  seed {seed}, {}\n", run(seed, &least, names));
        return text + &story(seed, &least, names);
    }
    format!("names {names:?}: seeds {SEEDS:?} hold\n")
}

#[cfg(test)]
const README: &str = include_str!("../../README.md");

#[test]
fn the_forgotten_sync_is_found_and_made_small() {
    let told = hunt(Names::SyncedAtOpen);
    assert!(
        README.contains(&told),
        "the README tells another story than:\n{told}"
    );
}

#[test]
fn the_mended_log_holds() {
    let told = hunt(Names::SyncedAlways);
    assert_eq!(told, "names SyncedAlways: seeds 0..1000 hold\n");
    assert!(README.contains(&told), "the README does not say so");
}
