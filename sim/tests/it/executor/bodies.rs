//! Invariants of bodies: tasks that are spawned or ended in a poll find their places, and destructors may do
//! what they like.

use std::cell::Cell;
use std::rc::Rc;

use cenotaph_sim::executor::{Executor, Fifo, Group, Outcome};
use cenotaph_sim::sync::yield_now;

use super::support::{GROUP, poll, pool};

/// Counts its drops, and spawns a task at each.
struct Spawner {
    pool: Rc<Executor>,
    drops: Rc<Cell<u64>>,
}

const OTHER: Group = Group {
    machine: 1,
    incarnation: 1,
};

impl Drop for Spawner {
    fn drop(&mut self) {
        self.drops.set(self.drops.get() + 1);
        let name = 1_000 + self.drops.get();
        self.pool.spawn(name, OTHER, std::future::ready(()));
    }
}

#[test]
fn a_task_may_spawn_many_while_it_is_polled() {
    let pool = Rc::new(pool(Box::new(Fifo)));
    let spawning = Rc::clone(&pool);
    let ended = Rc::new(Cell::new(0_u64));
    let counter = Rc::clone(&ended);
    pool.spawn(0, GROUP, async move {
        for name in 1..=100 {
            let counter = Rc::clone(&counter);
            spawning.spawn(name, GROUP, async move {
                yield_now().await;
                counter.set(counter.get() + name);
            });
        }
    });
    assert_eq!(poll(&pool), Some(0));
    for round in 0..2 {
        for name in 1..=100 {
            assert_eq!(poll(&pool), Some(name), "round {round}");
        }
    }
    assert_eq!(poll(&pool), None);
    assert_eq!(ended.get(), 5_050);
    assert_eq!(pool.live_count(), 0);
}

#[test]
fn destructors_of_a_dropped_group_may_spawn_into_its_places() {
    let pool = Rc::new(pool(Box::new(Fifo)));
    let drops = Rc::new(Cell::new(0));
    for name in 0..10 {
        let spawner = Spawner {
            pool: Rc::clone(&pool),
            drops: Rc::clone(&drops),
        };
        pool.spawn(name, GROUP, async move {
            let _kept = spawner;
            std::future::pending::<()>().await;
        });
    }
    // Some were polled, the others never.
    for name in 0..4 {
        assert_eq!(poll(&pool), Some(name));
    }
    assert_eq!(pool.drop_group(GROUP), Vec::<String>::new());
    assert_eq!(drops.get(), 10);
    assert_eq!(pool.live_count(), 10);
    let polled: Vec<u64> = std::iter::from_fn(|| poll(&pool)).collect();
    assert_eq!(polled, (1_001..=1_010).collect::<Vec<_>>());
    assert_eq!(pool.live_count(), 0);
}

#[test]
fn a_panic_in_a_poll_or_a_destructor_is_its_outcome() {
    struct Panics;
    impl Drop for Panics {
        fn drop(&mut self) {
            panic!("in a destructor");
        }
    }
    let pool = pool(Box::new(Fifo));
    pool.spawn(0, GROUP, async { panic!("in a poll") });
    let panics = Panics;
    pool.spawn(1, GROUP, async move {
        let _dropped_late = &panics;
    });
    let outcome = || match pool.poll_next(|_, _, _| ())?.outcome {
        Outcome::Panicked(message) => message.split(" (").next().map(str::to_owned),
        outcome => panic!("{outcome:?}"),
    };
    assert_eq!(outcome().as_deref(), Some("in a poll"));
    assert_eq!(outcome().as_deref(), Some("in a destructor"));
    assert_eq!(pool.live_count(), 0);
}
