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
