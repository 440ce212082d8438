//! Invariants of `sync`: nothing is missed, nothing is handed out twice.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use cenotaph_sim::sync::{Notify, Semaphore, oneshot, yield_now};

use crate::support::alone;

#[test]
fn a_notification_between_the_call_and_the_first_poll_is_not_missed() {
    let (_, end) = alone(1, |_| async {
        let notify = Notify::new();
        let notified = notify.notified();
        notify.notify_all();
        notified.await;
    });
    assert!(end.to_string().starts_with("deadlock: 0 tasks"), "{end}");
}

#[test]
fn a_notification_handed_to_a_dropped_waiter_goes_to_the_next() {
    let woken = Rc::new(Cell::new(false));
    let flag = Rc::clone(&woken);
    alone(1, move |host| {
        let flag = Rc::clone(&flag);
        async move {
            let notify = Rc::new(Notify::new());
            let mut first = Box::pin(async { notify.notified().await });
            let waker = std::task::Waker::noop();
            let mut context = std::task::Context::from_waker(waker);
            assert!(first.as_mut().poll(&mut context).is_pending());
            let second = Rc::clone(&notify);
            let join = host.spawn("second", async move {
                second.notified().await;
                flag.set(true);
            });
            host.clock().sleep(Duration::from_millis(1)).await;
            notify.notify_one();
            drop(first);
            join.await.expect("the second waiter is let through");
        }
    });
    assert!(woken.get());
}

#[test]
fn a_semaphore_lets_through_as_many_as_it_has_permits_and_in_order() {
    let most = Rc::new(Cell::new(0));
    let order = Rc::new(RefCell::new(Vec::new()));
    let (peak, log) = (Rc::clone(&most), Rc::clone(&order));
    alone(9, move |host| {
        let (peak, log) = (Rc::clone(&peak), Rc::clone(&log));
        async move {
            let gate = Rc::new(Semaphore::new(2));
            let inside = Rc::new(Cell::new(0));
            let mut joins = Vec::new();
            for number in 0..20 {
                let (gate, inside, peak) = (Rc::clone(&gate), Rc::clone(&inside), Rc::clone(&peak));
                let (clock, log) = (host.clock(), Rc::clone(&log));
                joins.push(host.spawn("visitor", async move {
                    clock.sleep(Duration::from_millis(number)).await;
                    let _permit = gate.acquire().await;
                    log.borrow_mut().push(number);
                    inside.set(inside.get() + 1);
                    peak.set(peak.get().max(inside.get()));
                    clock.sleep(Duration::from_millis(15)).await;
                    inside.set(inside.get() - 1);
                }));
            }
            for join in joins {
                join.await.expect("every visitor gets in");
            }
            assert_eq!(gate.available(), 2);
        }
    });
    assert_eq!(most.get(), 2);
    assert_eq!(*order.borrow(), (0..20).collect::<Vec<_>>());
}

#[test]
fn a_dropped_sender_answers_closed_and_a_dropped_receiver_gives_the_value_back() {
    alone(1, |_| async {
        let (sender, receiver) = oneshot::channel::<u8>();
        drop(sender);
        assert_eq!(receiver.await, Err(oneshot::Closed));
        let (sender, receiver) = oneshot::channel();
        drop(receiver);
        assert_eq!(sender.send(7), Err(7));
        yield_now().await;
    });
}
