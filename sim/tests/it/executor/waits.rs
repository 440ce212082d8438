//! Invariants of foreign wakers: a sleep or a receipt may change between its task's waker and another, and
//! what waits for nothing any more is given back.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use crate::support::alone;

/// A waker around a task's own, that counts its wakes.
struct Relay {
    inner: Waker,
    wakes: AtomicUsize,
}

impl Relay {
    fn around(context: &Context<'_>) -> Arc<Relay> {
        Arc::new(Relay {
            inner: context.waker().clone(),
            wakes: AtomicUsize::new(0),
        })
    }
}

impl Wake for Relay {
    fn wake(self: Arc<Relay>) {
        self.wakes.fetch_add(1, Ordering::Relaxed);
        self.inner.wake_by_ref();
    }
}

/// Polls `future` once under a relay.
async fn poll_foreign<F: Future>(
    mut future: std::pin::Pin<&mut F>,
) -> (Arc<Relay>, Poll<F::Output>) {
    poll_fn(|context| {
        let relay = Relay::around(context);
        let waker = Waker::from(Arc::clone(&relay));
        let polled = future.as_mut().poll(&mut Context::from_waker(&waker));
        Poll::Ready((relay, polled))
    })
    .await
}

#[test]
fn the_last_waker_that_polled_a_sleep_is_woken_and_no_other_is_kept() {
    let (_, end) = alone(1, |host| async move {
        for rounds in 1..20 {
            let clock = host.clock();
            let mut sleep = pin!(clock.sleep(Duration::from_millis(3)));
            let mut relays = Vec::new();
            for _ in 0..rounds {
                relays.push(poll_foreign(sleep.as_mut()).await.0);
            }
            for earlier in &relays[..rounds - 1] {
                assert_eq!(Arc::strong_count(earlier), 1, "given back");
            }
            let last = &relays[rounds - 1];
            assert_eq!(Arc::strong_count(last), 2, "kept by the wait");
            let before = host.clock().monotonic();
            std::future::poll_fn(|_| match last.wakes.load(Ordering::Relaxed) {
                0 => Poll::Pending,
                _ => Poll::Ready(()),
            })
            .await;
            assert_eq!(
                host.clock().monotonic().since(before),
                Duration::from_millis(3)
            );
            assert!(poll_foreign(sleep.as_mut()).await.1.is_ready());
            assert_eq!(Arc::strong_count(last), 1, "given back");
        }
    });
    assert_eq!(end.to_string(), "deadlock: 0 tasks wait for ever ()");
}

#[test]
fn a_sleep_that_is_dropped_gives_its_foreign_waker_back() {
    let (_, end) = alone(1, |host| async move {
        let clock = host.clock();
        let relay = {
            let mut sleep = pin!(clock.sleep(Duration::from_millis(3)));
            poll_foreign(sleep.as_mut()).await.0
        };
        assert_eq!(Arc::strong_count(&relay), 1);
        clock.sleep(Duration::from_millis(9)).await;
        assert_eq!(relay.wakes.load(Ordering::Relaxed), 0);
    });
    assert_eq!(end.to_string(), "deadlock: 0 tasks wait for ever ()");
}

#[test]
fn a_receipt_passes_from_a_foreign_waker_to_the_tasks_own() {
    let (_, end) = alone(1, |host| async move {
        let network = host.network();
        let relay = {
            let mut receipt = pin!(network.recv());
            poll_foreign(receipt.as_mut()).await.0
        };
        network
            .send(network.address(), bytes::Bytes::from_static(b"to itself"))
            .expect("small");
        let packet = network.recv().await;
        assert_eq!(&packet.bytes[..], b"to itself");
        assert_eq!(relay.wakes.load(Ordering::Relaxed), 0);
        assert_eq!(Arc::strong_count(&relay), 1, "given back");
    });
    assert_eq!(end.to_string(), "deadlock: 0 tasks wait for ever ()");
}
