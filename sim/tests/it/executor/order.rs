//! Invariants of scheduling: keyed by name and wake, so that a task more or less re-deals no other;
//! woken from elsewhere only by this thread.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::mpsc;
use std::task::Waker;
use std::time::Duration;

use cenotaph_sim::sync::yield_now;
use cenotaph_sim::world::{Limits, RunEnd};

use crate::support::{alone, machine, quiet, until, world};

/// The order in which named tasks run that become ready at one instant, three rounds.
fn order_of(names: &'static [&'static str], key: u64) -> Vec<(&'static str, u32)> {
    let order = Rc::new(RefCell::new(Vec::new()));
    let log = Rc::clone(&order);
    alone(key, move |host| {
        let log = Rc::clone(&log);
        async move {
            let mut joins = Vec::new();
            for name in names {
                let (clock, log) = (host.clock(), Rc::clone(&log));
                joins.push(host.spawn(name, async move {
                    for round in 0..3 {
                        clock.sleep(Duration::from_millis(10)).await;
                        log.borrow_mut().push((*name, round));
                    }
                }));
            }
            for join in joins {
                join.await.expect("they end");
            }
        }
    });
    let order = order.borrow();
    order.clone()
}

#[test]
fn different_keys_give_different_orders_and_the_same_key_the_same() {
    let names: &[&str] = &["a", "b", "c", "d", "e"];
    let orders: Vec<_> = (0..20).map(|key| order_of(names, key)).collect();
    assert_eq!(order_of(names, 3), orders[3]);
    let mut distinct = orders.clone();
    distinct.sort_unstable();
    distinct.dedup();
    assert!(
        distinct.len() > 15,
        "{} distinct orders of 20",
        distinct.len()
    );
}

#[test]
fn a_task_more_leaves_the_order_of_the_others_as_it_was() {
    for key in 0..50 {
        let few = order_of(&["a", "b", "c", "d"], key);
        let mut many = order_of(&["a", "b", "x", "c", "d"], key);
        many.retain(|(name, _)| *name != "x");
        assert_eq!(few, many, "key {key}");
    }
}

#[test]
fn tasks_that_keep_one_another_ready_at_one_instant_are_called_a_livelock() {
    let mut world = world(1);
    let spinner = quiet(|_| async {
        loop {
            yield_now().await;
        }
    });
    let address = world.add_machine(machine("n1"), spinner);
    world.boot(address);
    let limits = Limits {
        polls_at_once_max: 1_000,
        ..Limits::default()
    };
    let RunEnd::Livelock { task } = world.run(limits) else {
        panic!("it is a livelock")
    };
    assert_eq!(task, "n1/1 main#0");
}

#[test]
fn tasks_that_wait_for_ever_are_called_a_deadlock_by_name() {
    let (_, end) = alone(1, |host| async move {
        host.spawn("lost", std::future::pending::<()>())
            .await
            .expect("it never ends");
    });
    assert_eq!(
        end.to_string(),
        "deadlock: 2 tasks wait for ever (n1:main×1, n1:lost×1)"
    );
}

#[test]
fn a_run_that_outlives_its_virtual_time_ends_there() {
    let mut world = world(1);
    let sleeper = quiet(|host| async move {
        loop {
            host.clock().sleep(Duration::from_millis(7)).await;
        }
    });
    let address = world.add_machine(machine("n1"), sleeper);
    world.boot(address);
    assert_eq!(world.run(until(100)), RunEnd::OutOfTime);
    assert_eq!(world.now().as_nanos(), 100_000_000);
}

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "the test is about another thread"
)]
fn a_wake_from_another_thread_is_refused_and_told() {
    let (sender, receiver) = mpsc::channel::<Waker>();
    let mut world = world(1);
    let waiter = quiet(move |_| {
        let sender = sender.clone();
        async move {
            std::future::poll_fn(|context| {
                sender
                    .send(context.waker().clone())
                    .expect("the receiver lives");
                std::task::Poll::<()>::Pending
            })
            .await;
        }
    });
    let address = world.add_machine(machine("n1"), waiter);
    world.boot(address);
    world.run(until(1));
    let waker = receiver.recv().expect("a waker");
    std::thread::spawn(move || waker.wake())
        .join()
        .expect("the wake itself is harmless");
    assert_eq!(world.run(until(2)), RunEnd::ForeignWake);
}

#[test]
fn a_foreign_combinator_may_wrap_our_waker() {
    struct Relay(Waker);
    impl std::task::Wake for Relay {
        fn wake(self: std::sync::Arc<Relay>) {
            self.0.wake_by_ref();
        }
    }
    let (_, end) = alone(1, |host| async move {
        let mut sleep = Box::pin(async { host.clock().sleep(Duration::from_millis(3)).await });
        std::future::poll_fn(|context| {
            let relay = std::sync::Arc::new(Relay(context.waker().clone()));
            sleep
                .as_mut()
                .poll(&mut std::task::Context::from_waker(&Waker::from(relay)))
        })
        .await;
        assert_eq!(host.clock().monotonic().as_nanos(), 3_000_000);
    });
    assert_eq!(end.to_string(), "deadlock: 0 tasks wait for ever ()");
}
