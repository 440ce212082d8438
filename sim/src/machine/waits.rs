//! Invariants of waits: a wait fires once; a dropped one is cancelled, leaves no waiter behind, and
//! its place in the queue is swept when the cancelled outnumber the living.

use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use super::ground::{Due, Ground};
use super::place::Place;
use crate::executor::TaskId;
use crate::time::Instant;

/// Waits whose memory is fetched at once.
const TOUCHED_MAX: usize = 32;

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
    /// Wakers that are not ours, so that the many waits of our tasks stay small.
    foreign: Vec<Option<Waker>>,
    foreign_free: Vec<u32>,
    cancelled_count: usize,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    generation: u32,
    state: State,
}

#[derive(Clone, Copy, Debug)]
enum State {
    Free,
    /// One of our tasks waits.
    Task(TaskId),
    /// A waker in this foreign place waits.
    Foreign(u32),
}

/// Names one wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait {
    index: u32,
    generation: u32,
}

impl Waits {
    #[inline]
    pub(super) fn arm(&mut self, waiter: Waiter) -> Wait {
        let state = self.state_of(waiter);
        if let Some(index) = self.free.pop() {
            let slot = &mut self.slots[index as usize];
            slot.state = state;
            return Wait {
                index,
                generation: slot.generation,
            };
        }
        let generation = 0;
        self.slots.push(Slot { generation, state });
        let index = u32::try_from(self.slots.len() - 1).expect("fewer than 2^32 waits at once");
        Wait { index, generation }
    }

    #[inline]
    fn state_of(&mut self, waiter: Waiter) -> State {
        match waiter {
            Waiter::Task(task) => State::Task(task),
            Waiter::Foreign(waker) => State::Foreign(self.keep(waker)),
        }
    }

    #[cold]
    fn keep(&mut self, waker: Waker) -> u32 {
        if let Some(place) = self.foreign_free.pop() {
            self.foreign[place as usize] = Some(waker);
            return place;
        }
        self.foreign.push(Some(waker));
        u32::try_from(self.foreign.len() - 1).expect("fewer than 2^32 waits at once")
    }

    /// Takes a foreign waker out again.
    #[cold]
    fn give_up(&mut self, place: u32) -> Waker {
        self.foreign_free.push(place);
        let waker = self.foreign[place as usize].take();
        waker.expect("a foreign place is given up once")
    }

    #[inline]
    fn slot(&mut self, wait: Wait) -> Option<&mut Slot> {
        self.slots
            .get_mut(wait.index as usize)
            .filter(|slot| slot.generation == wait.generation)
    }

    /// Fires a wait, which frees its slot; gives the waiter to wake, or `None` when it was cancelled.
    #[inline]
    pub(super) fn fire(&mut self, wait: Wait) -> Option<Waiter> {
        let Some(state) = self.free(wait) else {
            self.cancelled_count = self.cancelled_count.saturating_sub(1);
            return None;
        };
        match state {
            State::Task(task) => Some(Waiter::Task(task)),
            State::Foreign(place) => Some(Waiter::Foreign(self.give_up(place))),
            State::Free => None,
        }
    }

    /// Frees the slot of a wait; gives what it was, unless it was freed before.
    #[inline]
    fn free(&mut self, wait: Wait) -> Option<State> {
        let slot = self.slot(wait)?;
        slot.generation = slot.generation.wrapping_add(1);
        let state = std::mem::replace(&mut slot.state, State::Free);
        self.free.push(wait.index);
        Some(state)
    }

    /// The task of ours that waits, if it still does.
    fn task_of(&self, wait: Wait) -> Option<TaskId> {
        match self.slots.get(wait.index as usize)?.state {
            State::Task(task) => Some(task),
            State::Free | State::Foreign(_) => None,
        }
    }

    pub(super) fn is_armed(&self, wait: Wait) -> bool {
        self.slots
            .get(wait.index as usize)
            .is_some_and(|slot| slot.generation == wait.generation)
    }

    /// Replaces who waits; gives a waker that is the caller's to drop.
    fn set_waiter(&mut self, wait: Wait, waiter: Waiter) -> Option<Waker> {
        let before = self.slot(wait)?.state;
        let given_up = match before {
            State::Free => return None,
            State::Task(_) => None,
            State::Foreign(place) => Some(self.give_up(place)),
        };
        self.slots[wait.index as usize].state = self.state_of(waiter);
        given_up
    }

    /// Cancels a wait, unless it fired; gives a waker that is the caller's to drop.
    #[inline]
    fn cancel(&mut self, wait: Wait) -> Option<Waker> {
        let state = self.free(wait)?;
        self.cancelled_count += 1;
        match state {
            State::Foreign(place) => Some(self.give_up(place)),
            State::Free | State::Task(_) => None,
        }
    }

    /// Whether most of a queue of this size is cancelled; forgets the count when so.
    #[inline]
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
            Waiter::Foreign(waker) => {
                waker.wake();
                // In the order of wakes, though others may follow before the next poll.
                self.executor.collect_wakes();
            }
        }
    }

    /// Has what the next waits need fetched at once, when there is much of it and it is time for more.
    #[inline]
    pub(super) fn touch_waits(&self) {
        if self.executor.is_large() {
            self.touch_next_waits();
        }
    }

    fn touch_next_waits(&self) {
        let queue = self.queue.borrow();
        let next = queue.next_events();
        if !next.len().is_multiple_of(TOUCHED_MAX) {
            return;
        }
        let waits = self.waits.borrow();
        let tasks = next.iter().take(TOUCHED_MAX).filter_map(|due| match due {
            Due::Wait(wait) => waits.task_of(*wait),
            _ => None,
        });
        self.executor.touch(tasks);
    }

    /// Arms a wait that is due at `due`.
    #[inline]
    pub(super) fn arm(&self, due: Instant, waiter: Waiter) -> Wait {
        let mut waits = self.waits.borrow_mut();
        let wait = waits.arm(waiter);
        let mut queue = self.queue.borrow_mut();
        queue.push(due, Due::Wait(wait));
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
    stage: Stage,
    /// What the stage says of it.
    nanos: u64,
}

#[derive(Debug)]
enum Stage {
    /// Not polled yet; lasts so long from then on.
    Lasts,
    /// Not polled yet; ends when the incarnation's monotonic clock shows this.
    Until,
    /// Ends at this instant of the world, rounded up.
    Waits(Wait),
    Ended,
}

impl Sleep {
    /// A sleep that lasts so long from its first poll on.
    pub fn lasting(place: Rc<Place>, duration: Duration) -> Sleep {
        Sleep {
            place,
            stage: Stage::Lasts,
            nanos: u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX),
        }
    }

    /// A sleep that ends when the monotonic clock shows `instant`.
    pub fn until(place: Rc<Place>, instant: Instant) -> Sleep {
        Sleep {
            place,
            stage: Stage::Until,
            nanos: instant.as_nanos(),
        }
    }

    /// The instant of the world at which it ends.
    #[inline]
    fn deadline(&self, ground: &Ground) -> Instant {
        match self.stage {
            Stage::Lasts => ground.now().after(Duration::from_nanos(self.nanos)),
            Stage::Until => ground.world_instant(&self.place, Instant::from_nanos(self.nanos)),
            Stage::Waits(_) | Stage::Ended => Instant::from_nanos(self.nanos),
        }
    }
}

impl Future for Sleep {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let Some(ground) = self.place.ground() else {
            return Poll::Pending;
        };
        let deadline = self.deadline(&ground);
        // What is due is done before any task is polled: a wait that is due has fired.
        if deadline <= ground.now() {
            self.stage = Stage::Ended;
            self.nanos = deadline.as_nanos();
            return Poll::Ready(());
        }
        let waiter = ground.waiter(context);
        if let Stage::Waits(wait) = self.stage {
            let before = ground.waits.borrow_mut().set_waiter(wait, waiter);
            // Dropped when nothing is borrowed: it may be the last to hold other sleeps.
            drop(before);
            return Poll::Pending;
        }
        let due = ground.quantise(deadline);
        self.stage = Stage::Waits(ground.arm(due, waiter));
        self.nanos = due.as_nanos();
        Poll::Pending
    }
}

impl Drop for Sleep {
    fn drop(&mut self) {
        if let Stage::Waits(wait) = self.stage
            && let Some(ground) = self.place.ground_of_any_life()
        {
            let before = ground.waits.borrow_mut().cancel(wait);
            drop(before);
        }
    }
}
