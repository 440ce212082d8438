//! Steps of a poll: take the ready task of lowest priority, poll it under a guard, collect the
//! wakes that came of it.

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::task::{Context, Poll};

use super::body::Body;
use super::panics::{guarded, install_hook};
use super::policy::Policy;
use super::roster::{Picked, Roster, Statistics};
use super::stall::{StallOptions, Stalls};
use super::task::{Group, Parked, TaskId};
use super::waker::{Home, TaskWaker};
use crate::entropy::StreamKey;

/// How a poll ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The task waits for something.
    Pending,
    /// The task is done.
    Done,
    /// The task panicked, with this message.
    Panicked(String),
}

/// What was polled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Polled {
    /// Hash of the task's name.
    pub name_hash: u64,
    /// Its machine and incarnation.
    pub group: Group,
    /// Which of its wakes led to this poll.
    pub wake_number: u64,
    /// How it ended.
    pub outcome: Outcome,
}

/// The tasks of one run.
pub struct Executor {
    roster: RefCell<Roster>,
    /// By slot; borrowed while one of them is polled or a group is dropped, and by nothing else.
    bodies: RefCell<Vec<Option<Parked>>>,
    /// Bodies of tasks that were spawned by the one that is being polled.
    newborn: RefCell<Vec<(TaskId, Parked)>>,
    current: Cell<Option<(TaskId, *const ())>>,
    home: Arc<Home>,
}

impl std::fmt::Debug for Executor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Executor")
            .field("live_count", &self.live_count())
            .finish()
    }
}

impl Executor {
    /// A pool without tasks.
    #[must_use]
    pub fn new(policy: Box<dyn Policy>, stalls: StreamKey, options: StallOptions) -> Executor {
        install_hook();
        Executor {
            roster: RefCell::new(Roster::new(policy, Stalls::new(stalls, options))),
            bodies: RefCell::default(),
            newborn: RefCell::default(),
            current: Cell::new(None),
            home: Home::new(),
        }
    }

    /// Replaces the policy; wakes that are queued keep their priority.
    pub fn set_policy(&self, policy: Box<dyn Policy>) {
        self.roster.borrow_mut().policy = policy;
    }

    /// Adds a task, ready to run. `name_hash` must be unique in the run.
    pub fn spawn<F>(&self, name_hash: u64, group: Group, future: F) -> TaskId
    where
        F: Future<Output = ()> + 'static,
    {
        let body = Body::boxed(future);
        let mut roster = self.roster.borrow_mut();
        let task = roster.add(name_hash, group);
        roster.wake(task);
        drop(roster);
        let parked = (body, TaskWaker::of(&self.home, task));
        self.newborn.borrow_mut().push((task, parked));
        task
    }

    /// Puts the bodies of new tasks into their slots.
    #[cold]
    fn place_newborn(&self, bodies: &mut Vec<Option<Parked>>) {
        for (task, parked) in self.newborn.borrow_mut().drain(..) {
            let index = task.index as usize;
            if bodies.len() <= index {
                bodies.resize_with(index + 1, || None);
            }
            let before = bodies[index].replace(parked);
            assert!(before.is_none(), "a slot holds one task");
        }
    }

    /// Makes a task ready, unless it is already or has ended.
    #[inline]
    pub fn wake(&self, task: TaskId) {
        self.roster.borrow_mut().wake(task);
    }

    /// Whether it pays to [`Executor::touch`] tasks before they are woken.
    #[inline]
    pub fn is_large(&self) -> bool {
        self.roster.borrow().is_large()
    }

    /// Has the memory of these tasks fetched at once; woken one by one, each would wait for its own.
    pub fn touch(&self, tasks: impl Iterator<Item = TaskId>) {
        self.roster.borrow().touch(tasks);
    }

    /// Says what time it is: tasks whose stall has ended become ready.
    #[inline]
    pub fn set_now(&self, now_nanos: u64) {
        let mut roster = self.roster.borrow_mut();
        roster.now_nanos = now_nanos;
        roster.end_stalls_due(now_nanos);
    }

    /// When the next stall ends.
    #[inline]
    pub fn next_stall_end(&self) -> Option<u64> {
        self.roster.borrow().stalls.next_due()
    }

    /// From now on no task is stalled.
    pub fn end_stalls(&self) {
        let mut roster = self.roster.borrow_mut();
        roster.stalls.end();
        roster.end_stalls_due(u64::MAX);
    }

    /// From now on no task of this group is polled; those that become ready wait for the thaw.
    pub fn freeze(&self, group: Group) {
        self.roster.borrow_mut().frozen.freeze(group);
    }

    /// Ends one freeze of a group; its tasks that became ready are ready again when it was the last.
    pub fn thaw(&self, group: Group) {
        self.roster.borrow_mut().thaw(Some(group));
    }

    /// Ends every freeze.
    pub fn thaw_all(&self) {
        self.roster.borrow_mut().thaw(None);
    }

    /// The task that is being polled, when `context` is its own.
    #[inline]
    pub fn own_task(&self, context: &Context<'_>) -> Option<TaskId> {
        // Every waker of ours points to its own allocation, alive while its task is polled, so the
        // same pointer means the same task.
        let (task, waker) = self.current.get()?;
        std::ptr::eq(context.waker().data(), waker).then_some(task)
    }

    /// Whether some task is ready.
    pub fn has_ready(&self) -> bool {
        self.collect_wakes();
        self.roster.borrow().has_ready()
    }

    /// Makes those tasks ready whose wakers were used.
    #[inline]
    pub fn collect_wakes(&self) {
        self.home.drain(|task| self.wake(task));
    }

    /// Polls the ready task of lowest priority; `before` is told its name, wake number and group.
    #[inline]
    pub fn poll_next(&self, before: impl FnOnce(u64, u64, Group)) -> Option<Polled> {
        let Picked {
            task,
            name_hash,
            group,
            wake_number,
        } = self.roster.borrow_mut().take_ready()?;
        before(name_hash, wake_number, group);
        let mut bodies = self.bodies.borrow_mut();
        if !self.newborn.borrow().is_empty() {
            self.place_newborn(&mut bodies);
        }
        self.roster.borrow().touch_next(&bodies);
        let parked = bodies[task.index as usize].as_mut();
        let (body, waker) = parked.expect("a ready task has a body");
        self.current.set(Some((task, waker.data())));
        let polled = guarded(|| body.as_mut().poll(&mut Context::from_waker(waker)));
        self.current.set(None);
        let outcome = match polled {
            Ok(Poll::Pending) => Outcome::Pending,
            Ok(Poll::Ready(())) => {
                drop(bodies);
                self.bury(task)
            }
            Err(message) => {
                drop(bodies);
                self.bury(task);
                Outcome::Panicked(message)
            }
        };
        self.collect_wakes();
        Some(Polled {
            name_hash,
            group,
            wake_number,
            outcome,
        })
    }

    /// Frees the slot of a task that has ended and drops its body, whose destructors may panic.
    fn bury(&self, task: TaskId) -> Outcome {
        let body = self.bodies.borrow_mut()[task.index as usize].take();
        self.roster.borrow_mut().release(task);
        guarded(|| drop(body)).map_or_else(Outcome::Panicked, |()| Outcome::Done)
    }

    /// Drops every task of a group, one by one, in the order of their slots, between two polls. Returns
    /// the messages of panics in destructors.
    pub fn drop_group(&self, group: Group) -> Vec<String> {
        self.place_newborn(&mut self.bodies.borrow_mut());
        self.roster.borrow_mut().frozen.forget(group);
        let members = self.roster.borrow().members(group);
        let mut panics = Vec::new();
        for task in members {
            if let Outcome::Panicked(message) = self.bury(task) {
                panics.push(message);
            }
        }
        panics
    }

    /// Tasks that have not ended.
    pub fn live_count(&self) -> usize {
        self.roster.borrow().live_count
    }

    /// Counters of scheduling so far.
    pub fn statistics(&self) -> Statistics {
        self.roster.borrow().statistics
    }

    /// Whether some task was woken from a foreign thread.
    pub fn refused_a_wake(&self) -> bool {
        self.home.refused_a_wake()
    }
}
