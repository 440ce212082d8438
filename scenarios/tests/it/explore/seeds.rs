//! Invariants of shards: together they are the whole, and none shares a seed with another.

use cenotaph::explore::{Seeds, Shard, Step, SweepOptions, sweep};

use super::sweeps::options;
use crate::synthetic::{harness, run};

#[test]
fn shards_share_all_seeds_among_them() {
    for count in 1..6 {
        for seed in 0..40 {
            let owners = (1..=count).filter(|index| {
                Shard {
                    index: *index,
                    count,
                }
                .has(seed)
            });
            assert_eq!(owners.count(), 1, "seed {seed} of {count} shards");
        }
    }
}

#[test]
fn a_shard_runs_its_seeds_and_knows_how_many_they_are() {
    let mut seeds_count = 0;
    for index in 1..=3 {
        let shard = Shard { index, count: 3 };
        let options = SweepOptions {
            shard,
            twice: false,
            ..options(Seeds::range(7, 27), 1)
        };
        let mut told = None;
        let sweep = sweep(&harness(&run), None, &options, &mut |step| {
            if let Step::Seeds { count, .. } = step {
                told = count;
            }
        });
        assert_eq!(told, Some(sweep.tally.seeds_count));
        seeds_count += sweep.tally.seeds_count;
    }
    assert_eq!(seeds_count, 40, "20 seeds of two scenarios");
}

#[test]
fn a_shard_is_read_as_it_is_printed() {
    let shard = Shard { index: 2, count: 7 };
    assert_eq!(shard.to_string().parse(), Ok(shard));
    for wrong in ["", "1", "0/3", "4/3", "1/0", "-1/2", "a/b", "1/2/3"] {
        let error = wrong.parse::<Shard>().unwrap_err();
        assert!(error.contains(wrong) && error.contains("K/N"), "{error}");
    }
}

#[test]
fn one_of_very_many_shards_is_found_without_walking_through_the_others() {
    let shard = Shard {
        index: 4_000_000_000,
        count: u32::MAX,
    };
    let seeds = Seeds::range(7, 1 << 34);
    let options = SweepOptions {
        shard,
        twice: false,
        ..options(seeds, 1)
    };
    let sweep = sweep(&harness(&run), None, &options, &mut |_| {});
    assert_eq!(Some(sweep.tally.seeds_count), seeds.items_count(shard, 2));
    assert_eq!(sweep.tally.seeds_count, 8, "four seeds of two scenarios");
}

#[test]
fn time_that_is_over_ends_a_sweep_within_a_chunk_with_each_seed_run_twice() {
    let seeds = Seeds {
        start: 1,
        end: None,
        wall_max: None,
        cpu_max: None,
    };
    let forever = std::time::Duration::MAX;
    let long = Seeds {
        end: Some(20),
        wall_max: Some(forever),
        ..seeds
    };
    let slow = |plan: &cenotaph::plan::Plan, options: &_| {
        let started = cenotaph::pool::Stopwatch::start();
        while started.elapsed().as_millis() < 10 {}
        run(plan, options)
    };
    let short = Seeds {
        wall_max: Some(std::time::Duration::from_millis(60)),
        ..seeds
    };
    let cut = sweep(&harness(&slow), None, &options(short, 1), &mut |_| {});
    assert!((1..40).contains(&cut.tally.seeds_count), "{:?}", cut.tally);
    assert_eq!(cut.tally.runs_count, 2 * cut.tally.seeds_count);
    let whole = sweep(&harness(&run), None, &options(long, 2), &mut |_| {});
    assert_eq!(whole.tally.seeds_count, 38);
}
