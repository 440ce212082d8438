//! Invariants of waits: a wait fires once; a dropped one is cancelled, leaves no waiter behind, and
//! its place in the queue is swept when the cancelled outnumber the living.

use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use super::ground::{Due, Ground};
use super::place::Place;
use crate::executor::TaskId;
use crate::time::Instant;

/// Who waits: one of our tasks by number, which costs nothing, or a foreign waker.
#[derive(Clone, Debug)]
pub(super) enum Waiter {
    Task(TaskId),
    Foreign(Waker),
}

/// Waits with a due time.
#[derive(Debug, Default)]
pub(super) struct Waits {
    slots: Vec<Slot>,
    free: Vec<u32>,
    cancelled_count: usize,
}

#[derive(Debug)]
struct Slot {
    generation: u32,
    state: State,
}

#[derive(Debug)]
enum State {
    Free,
    Armed(Option<Waiter>),
    Fired,
}

/// Names one wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait {
    index: u32,
    generation: u32,
}

impl Waits {
    pub(super) fn arm(&mut self, waiter: Option<Waiter>) -> Wait {
        let index = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Slot {
                generation: 0,
                state: State::Free,
            });
            u32::try_from(self.slots.len() - 1).expect("fewer than 2^32 waits at once")
        });
        let slot = &mut self.slots[index as usize];
        slot.state = State::Armed(waiter);
        Wait {
            index,
            generation: slot.generation,
        }
    }

    fn slot(&mut self, wait: Wait) -> Option<&mut Slot> {
        self.slots
            .get_mut(wait.index as usize)
            .filter(|slot| slot.generation == wait.generation)
    }

    /// Fires a wait; gives the waiter to wake, or `None` when it was cancelled.
    pub(super) fn fire(&mut self, wait: Wait) -> Option<Option<Waiter>> {
        let Some(slot) = self.slot(wait) else {
            self.cancelled_count = self.cancelled_count.saturating_sub(1);
            return None;
        };
        match std::mem::replace(&mut slot.state, State::Fired) {
            State::Armed(waiter) => Some(waiter),
            State::Free | State::Fired => None,
        }
    }

    pub(super) fn is_armed(&self, wait: Wait) -> bool {
        self.slots
            .get(wait.index as usize)
            .is_some_and(|slot| slot.generation == wait.generation)
    }

    fn has_fired(&mut self, wait: Wait) -> bool {
        self.slot(wait)
            .is_none_or(|slot| matches!(slot.state, State::Fired))
    }

    fn set_waiter(&mut self, wait: Wait, waiter: Waiter) {
        if let Some(slot) = self.slot(wait)
            && let State::Armed(place) = &mut slot.state
        {
            *place = Some(waiter);
        }
    }

    /// Ends a wait, fired or not.
    fn release(&mut self, wait: Wait) {
        let Some(slot) = self.slot(wait) else { return };
        let fired = matches!(slot.state, State::Fired);
        slot.generation = slot.generation.wrapping_add(1);
        slot.state = State::Free;
        self.free.push(wait.index);
        if !fired {
            self.cancelled_count += 1;
        }
    }

    /// Whether most of a queue of this size is cancelled; forgets the count when so.
    pub(super) fn wants_sweep(&mut self, queue_size: usize) -> bool {
        let wanted = self.cancelled_count > 512 && self.cancelled_count * 2 > queue_size;
        if wanted {
            self.cancelled_count = 0;
        }
        wanted
    }
}

impl Ground {
    /// Who waits in this context.
    #[inline]
    pub(super) fn waiter(&self, context: &Context<'_>) -> Waiter {
        match self.executor.own_task(context) {
            Some(task) => Waiter::Task(task),
            None => Waiter::Foreign(context.waker().clone()),
        }
    }

    #[inline]
    pub(super) fn wake(&self, waiter: Waiter) {
        match waiter {
            Waiter::Task(task) => self.executor.wake(task),
            Waiter::Foreign(waker) => waker.wake(),
        }
    }

    /// Arms a wait that is due at `due`.
    pub(super) fn arm(&self, due: Instant, waiter: Option<Waiter>) -> Wait {
        let wait = self.waits.borrow_mut().arm(waiter);
        let mut queue = self.queue.borrow_mut();
        queue.push(due, Due::Wait(wait));
        let mut waits = self.waits.borrow_mut();
        if waits.wants_sweep(queue.len()) {
            queue.retain(|due| match due {
                Due::Wait(wait) => waits.is_armed(*wait),
                _ => true,
            });
        }
        wait
    }
}

/// The future of a clock's sleep. It never ends in an incarnation that has ended.
#[derive(Debug)]
#[must_use = "a sleep does nothing unless awaited"]
pub struct Sleep {
    place: Rc<Place>,
    deadline: Instant,
    wait: Option<Wait>,
}

impl Sleep {
    /// A sleep that ends at `deadline`, an instant of the world.
    pub fn until(place: Rc<Place>, deadline: Instant) -> Sleep {
        Sleep {
            place,
            deadline,
            wait: None,
        }
    }
}

impl Future for Sleep {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let Some(ground) = self.place.ground() else {
            return Poll::Pending;
        };
        let Some(wait) = self.wait else {
            if self.deadline <= ground.now() {
                return Poll::Ready(());
            }
            let waiter = ground.waiter(context);
            let due = ground.quantise(self.deadline);
            self.wait = Some(ground.arm(due, Some(waiter)));
            return Poll::Pending;
        };
        let mut waits = ground.waits.borrow_mut();
        if waits.has_fired(wait) {
            waits.release(wait);
            self.wait = None;
            return Poll::Ready(());
        }
        waits.set_waiter(wait, ground.waiter(context));
        Poll::Pending
    }
}

impl Drop for Sleep {
    fn drop(&mut self) {
        if let Some(wait) = self.wait
            && let Some(ground) = self.place.ground_of_any_life()
        {
            ground.waits.borrow_mut().release(wait);
        }
    }
}
