//! Invariants of schedules: each keeps its promise, none equals another, all go together with stalls.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use cenotaph_sim::entropy::{Ratio, RunKey};
use cenotaph_sim::executor::{Executor, Schedule, TaskId};
use cenotaph_sim::sync::yield_now;
use cenotaph_sim::world::{World, WorldOptions};

use super::support::{GROUP, SCHEDULES, poll, pool, waiting};
use crate::support::{machine, quiet, until};

/// The order in which six tasks run that become ready at the same instants, eight rounds.
fn order_of(names: &'static [&'static str], options: WorldOptions) -> Vec<(&'static str, u32)> {
    let order = Rc::new(RefCell::new(Vec::new()));
    let log = Rc::clone(&order);
    let mut world = World::new(options);
    let main = quiet(move |host| {
        let log = Rc::clone(&log);
        async move {
            let joins = names.iter().map(|name| {
                let (clock, log) = (host.clock(), Rc::clone(&log));
                host.spawn(name, async move {
                    for round in 0..8 {
                        clock.sleep(Duration::from_millis(10)).await;
                        log.borrow_mut().push((*name, round));
                    }
                })
            });
            for join in joins.collect::<Vec<_>>() {
                join.await.expect("they end");
            }
        }
    });
    let address = world.add_machine(machine("n1"), main);
    world.boot(address);
    let end = world.run(until(1_000));
    assert_eq!(
        end.to_string(),
        "deadlock: 0 tasks wait for ever ()",
        "all end"
    );
    let order = order.borrow();
    order.clone()
}

const NAMES: &[&str] = &["a", "b", "c", "d", "e", "f"];

fn under(schedule: Schedule, key: u64) -> WorldOptions {
    WorldOptions {
        schedule,
        ..WorldOptions::new(RunKey(key))
    }
}

#[test]
fn each_schedule_repeats_itself_and_no_two_are_alike() {
    let orders = SCHEDULES.map(|schedule| order_of(NAMES, under(schedule, 5)));
    assert_eq!(orders[0].len(), 48);
    for (index, schedule) in SCHEDULES.into_iter().enumerate() {
        assert_eq!(orders[index], order_of(NAMES, under(schedule, 5)));
    }
    // Tasks that are ready all the time and at once run round and round under the two fair ones.
    let fair = &orders[3];
    for (index, order) in orders[..3].iter().enumerate() {
        assert_ne!(order, fair, "{:?}", SCHEDULES[index]);
        for other in &orders[..index] {
            assert_ne!(order, other, "{:?}", SCHEDULES[index]);
        }
    }
}

#[test]
fn under_every_schedule_stalls_delay_and_lose_nobody() {
    for schedule in SCHEDULES {
        let options = || WorldOptions {
            stall: Ratio::new(1, 3).expect("a ratio"),
            stall_nanos_max: 3_000_000,
            ..under(schedule, 9)
        };
        let order = order_of(NAMES, options());
        assert_eq!(order.len(), 48, "{schedule:?}");
        assert_ne!(order, order_of(NAMES, under(schedule, 9)), "{schedule:?}");
        assert_eq!(order, order_of(NAMES, options()), "{schedule:?}");
    }
}

#[test]
fn under_strict_priorities_a_task_more_leaves_the_order_of_the_others_as_it_was() {
    let schedule = Schedule::Pct {
        changes_count: 0,
        polls_estimate: 1,
    };
    for key in 0..50 {
        let few = order_of(&["a", "b", "c", "d"], under(schedule, key));
        let mut many = order_of(&["a", "b", "x", "c", "d"], under(schedule, key));
        many.retain(|(name, _)| *name != "x");
        assert_eq!(few, many, "key {key}");
    }
}

/// Polls `polls_count` times while `tasks_count` tasks are always ready, and counts how long the polled
/// ones had waited: 0 for the one that was woken last.
fn ages(schedule: Schedule, tasks_count: u64, polls_count: u64) -> Vec<u64> {
    let pool = pool(schedule.policy(RunKey(3)));
    let tasks: BTreeMap<u64, TaskId> = (0..tasks_count)
        .map(|name| (name, waiting(&pool, name)))
        .collect();
    let mut newest_last: Vec<u64> = (0..tasks_count).collect();
    let mut counts = vec![0; tasks.len()];
    for _ in 0..polls_count {
        let name = poll(&pool).expect("all are ready");
        let place = newest_last.iter().position(|other| *other == name);
        let place = place.expect("each is ready");
        counts[tasks.len() - 1 - place] += 1;
        newest_last.remove(place);
        newest_last.push(name);
        pool.wake(tasks[&name]);
    }
    counts
}

#[test]
fn a_walk_takes_old_and_new_wakes_with_the_same_chance() {
    let counts = ages(Schedule::Walk, 5, 50_000);
    for count in &counts {
        assert!(count.abs_diff(10_000) < 400, "{counts:?}");
    }
    // One priority a wake is another thing: who has waited long has a bad one.
    let keyed = ages(Schedule::Random, 5, 50_000);
    assert!(keyed[0] > 2 * keyed[4], "{keyed:?}");
}

#[test]
fn a_round_polls_each_ready_task_before_any_again() {
    let counts = ages(Schedule::RoundRobin, 7, 7_000);
    assert_eq!(counts, [0, 0, 0, 0, 0, 0, 7_000], "always the oldest");
    let pool = pool(Schedule::RoundRobin.policy(RunKey(3)));
    let tasks: Vec<TaskId> = (0..6).map(|name| waiting(&pool, name)).collect();
    let round = |names: &[usize]| {
        for name in names {
            pool.wake(tasks[*name]);
        }
        std::iter::from_fn(|| poll(&pool)).collect::<Vec<_>>()
    };
    assert_eq!(round(&[]), [0, 1, 2, 3, 4, 5]);
    // Woken in another order, they run in the order of the circle, from where it stands.
    assert_eq!(round(&[3, 1]), [1, 3]);
    assert_eq!(round(&[2, 5, 4]), [4, 5, 2]);
}

/// One task checks a thing and uses it after its next turn; the other takes the thing away, after some
/// turns. Whether it was gone when it was used.
fn is_used_after_it_was_taken(schedule: Schedule, key: u64) -> bool {
    let pool: Executor = pool(schedule.policy(RunKey(key)));
    let there = Rc::new(Cell::new(true));
    let failed = Rc::new(Cell::new(false));
    let (seen, note) = (Rc::clone(&there), Rc::clone(&failed));
    let user = async move {
        if seen.get() {
            yield_now().await;
            note.set(!seen.get());
        }
    };
    let taker = async move {
        for _ in 0..3 {
            yield_now().await;
        }
        there.set(false);
    };
    pool.spawn(0xa, GROUP, user);
    pool.spawn(0xb, GROUP, taker);
    while poll(&pool).is_some() {}
    failed.get()
}

#[test]
fn pct_finds_an_error_of_depth_two_as_often_as_it_promises() {
    let found = |schedule, keys: u64| {
        let keys = 0..keys;
        keys.filter(|key| is_used_after_it_was_taken(schedule, *key))
            .count()
    };
    assert_eq!(found(Schedule::Fifo, 1), 0, "the fair order never does");
    assert_eq!(found(Schedule::RoundRobin, 1), 0);
    let pct = |changes_count| Schedule::Pct {
        changes_count,
        // The user's two polls and the taker's four.
        polls_estimate: 6,
    };
    assert_eq!(found(pct(0), 2_000), 0, "it takes a change");
    // One in (two tasks × six polls).
    let count = found(pct(1), 6_000);
    assert!((430..=570).contains(&count), "{count} of 6,000");
}
