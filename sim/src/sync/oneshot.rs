//! Invariants of a oneshot: one value, once; dropping the sender answers `Closed`.

use std::cell::RefCell;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

#[derive(Debug)]
struct Shared<T> {
    value: Option<T>,
    sender_alive: bool,
    receiver_alive: bool,
    waker: Option<Waker>,
}

/// The sending half.
#[derive(Debug)]
pub struct Sender<T>(Rc<RefCell<Shared<T>>>);

/// The receiving half: `await` gives the value, or [`Closed`] when the sender was dropped.
#[derive(Debug)]
#[must_use = "a receiver does nothing unless awaited"]
pub struct Receiver<T>(Rc<RefCell<Shared<T>>>);

/// The sender was dropped without sending.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the sender was dropped without an answer")]
pub struct Closed;

/// A sender and its receiver.
pub fn channel<T>() -> (Sender<T>, Receiver<T>) {
    let shared = Rc::new(RefCell::new(Shared {
        value: None,
        sender_alive: true,
        receiver_alive: true,
        waker: None,
    }));
    (Sender(Rc::clone(&shared)), Receiver(shared))
}

impl<T> Sender<T> {
    /// Sends the value.
    ///
    /// # Errors
    /// Gives the value back when the receiver was dropped.
    pub fn send(self, value: T) -> Result<(), T> {
        let mut shared = self.0.borrow_mut();
        if !shared.receiver_alive {
            return Err(value);
        }
        shared.value = Some(value);
        // The drop of `self` wakes the receiver.
        Ok(())
    }
}

impl<T> Drop for Sender<T> {
    fn drop(&mut self) {
        let waker = {
            let mut shared = self.0.borrow_mut();
            shared.sender_alive = false;
            shared.waker.take()
        };
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

impl<T> Future for Receiver<T> {
    type Output = Result<T, Closed>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let mut shared = self.0.borrow_mut();
        if let Some(value) = shared.value.take() {
            return Poll::Ready(Ok(value));
        }
        if !shared.sender_alive {
            return Poll::Ready(Err(Closed));
        }
        match &mut shared.waker {
            Some(waker) => waker.clone_from(context.waker()),
            empty @ None => *empty = Some(context.waker().clone()),
        }
        Poll::Pending
    }
}

impl<T> Drop for Receiver<T> {
    fn drop(&mut self) {
        let mut shared = self.0.borrow_mut();
        shared.receiver_alive = false;
        shared.waker = None;
    }
}
