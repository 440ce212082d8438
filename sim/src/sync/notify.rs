//! Invariants of `Notify`: a notification between `notified()` and the first poll is not missed; one
//! that was handed to a waiter which is dropped goes to the next.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

/// Wakes tasks that wait for something to change.
#[derive(Debug, Default)]
pub struct Notify {
    state: RefCell<State>,
}

#[derive(Debug, Default)]
struct State {
    rounds_count: u64,
    permit: bool,
    next_id: u64,
    waiters: VecDeque<(u64, Waker)>,
    granted: Vec<u64>,
}

impl Notify {
    /// A notification that nobody waits for yet.
    #[must_use]
    pub fn new() -> Notify {
        Notify::default()
    }

    /// Wakes every [`Notified`] that exists now, polled or not; later ones wait for the next.
    pub fn notify_all(&self) {
        let woken = {
            let mut state = self.state.borrow_mut();
            state.rounds_count += 1;
            std::mem::take(&mut state.waiters)
        };
        for (_, waker) in woken {
            waker.wake();
        }
    }

    /// Wakes the longest waiting task, or lets the next one through when none waits.
    pub fn notify_one(&self) {
        let woken = {
            let mut state = self.state.borrow_mut();
            match state.waiters.pop_front() {
                Some((id, waker)) => {
                    state.granted.push(id);
                    Some(waker)
                }
                None => {
                    state.permit = true;
                    None
                }
            }
        };
        if let Some(waker) = woken {
            waker.wake();
        }
    }

    /// Waits for a notification that is given after this call.
    ///
    /// Take it before checking the condition it is about, then nothing is missed.
    pub fn notified(&self) -> Notified<'_> {
        let mut state = self.state.borrow_mut();
        let id = state.next_id;
        state.next_id += 1;
        Notified {
            notify: self,
            id,
            round: state.rounds_count,
            done: false,
        }
    }
}

/// The wait that [`Notify::notified`] began.
#[derive(Debug)]
#[must_use = "a wait does nothing unless awaited"]
pub struct Notified<'a> {
    notify: &'a Notify,
    id: u64,
    round: u64,
    done: bool,
}

impl Future for Notified<'_> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let ready = {
            let mut state = self.notify.state.borrow_mut();
            let state = &mut *state;
            if let Some(index) = state.granted.iter().position(|id| *id == self.id) {
                state.granted.swap_remove(index);
                true
            } else if state.rounds_count > self.round || std::mem::take(&mut state.permit) {
                true
            } else {
                match state.waiters.iter_mut().find(|(id, _)| *id == self.id) {
                    Some((_, waker)) => waker.clone_from(context.waker()),
                    None => state.waiters.push_back((self.id, context.waker().clone())),
                }
                false
            }
        };
        if ready {
            self.done = true;
            return Poll::Ready(());
        }
        Poll::Pending
    }
}

impl Drop for Notified<'_> {
    fn drop(&mut self) {
        if self.done {
            return;
        }
        let handed_over = {
            let mut state = self.notify.state.borrow_mut();
            state.waiters.retain(|(id, _)| *id != self.id);
            let index = state.granted.iter().position(|id| *id == self.id);
            if let Some(index) = index {
                state.granted.swap_remove(index);
            }
            index.is_some()
        };
        if handed_over {
            self.notify.notify_one();
        }
    }
}
