//! Invariants of the pool: the lowest priority first, equal ones in the order of their wakes, against a naive
//! list; under every schedule, whoever is polled was ready, and nobody is forgotten.

use std::collections::BTreeMap;

use cenotaph_sim::entropy::RunKey;
use cenotaph_sim::executor::{Executor, Policy, TaskId, Wake};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::support::{SCHEDULES, poll, pool, waiting};

/// Priorities from a short list, so that many are equal.
struct Listed(Vec<u64>);

impl Policy for Listed {
    fn priority(&mut self, wake: Wake) -> u64 {
        listed(&self.0, wake.step)
    }
}

fn listed(list: &[u64], step: u64) -> u64 {
    list[usize::try_from(step).expect("few steps") % list.len()]
}

/// Wakes the tasks of these numbers, then polls so often.
type Round = (Vec<u8>, u8);

fn rounds() -> impl Strategy<Value = Vec<Round>> {
    let wakes = proptest::collection::vec(0_u8..40, 0..60);
    proptest::collection::vec((wakes, 0_u8..50), 1..20)
}

/// The tasks that are ready, by name, each with its priority and step.
#[derive(Default)]
struct Model {
    ready: BTreeMap<u64, (u64, u64)>,
    steps_count: u64,
}

impl Model {
    fn wake(&mut self, name: u64, priority: impl Fn(u64) -> u64) {
        if !self.ready.contains_key(&name) {
            let step = self.steps_count;
            self.ready.insert(name, (priority(step), step));
            self.steps_count += 1;
        }
    }

    fn take_first(&mut self) -> Option<u64> {
        let first = self.ready.iter().min_by_key(|(_, order)| **order);
        let name = first.map(|(name, _)| *name)?;
        self.ready.remove(&name);
        Some(name)
    }
}

fn tasks(pool: &Executor) -> Vec<TaskId> {
    (0..40).map(|name| waiting(pool, name)).collect()
}

fn woken(round: &Round) -> impl Iterator<Item = (usize, u64)> + '_ {
    let numbers = round.0.iter();
    numbers.map(|number| (usize::from(*number), u64::from(*number)))
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 200,
        rng_seed: RngSeed::Fixed(0x706f_6f6c),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn the_pool_polls_in_the_order_of_a_naive_list(rounds in rounds(), list in proptest::collection::vec(0_u64..6, 1..30)) {
        let pool = pool(Box::new(Listed(list.clone())));
        let tasks = tasks(&pool);
        let mut model = Model::default();
        for name in 0..40 {
            model.wake(name, |step| listed(&list, step));
        }
        for round in &rounds {
            for (number, name) in woken(round) {
                pool.wake(tasks[number]);
                model.wake(name, |step| listed(&list, step));
            }
            for _ in 0..round.1 {
                prop_assert_eq!(poll(&pool), model.take_first());
            }
        }
    }

    #[test]
    fn every_schedule_polls_each_ready_task_once_and_no_other(rounds in rounds(), key: u64) {
        for schedule in SCHEDULES {
            let pool = pool(schedule.policy(RunKey(key)));
            let tasks = tasks(&pool);
            let mut model = Model::default();
            for name in 0..40 {
                model.wake(name, |_| 0);
            }
            for round in &rounds {
                for (number, name) in woken(round) {
                    pool.wake(tasks[number]);
                    model.wake(name, |_| 0);
                }
                for _ in 0..round.1 {
                    let ready = model.ready.len();
                    let polled = poll(&pool);
                    prop_assert_eq!(polled.is_some(), ready > 0);
                    if let Some(name) = polled {
                        prop_assert!(model.ready.remove(&name).is_some(), "{schedule:?}: {name}");
                    }
                }
            }
            while let Some(name) = poll(&pool) {
                prop_assert!(model.ready.remove(&name).is_some(), "{schedule:?}: {name}");
            }
            prop_assert!(model.ready.is_empty(), "{schedule:?}");
        }
    }
}
