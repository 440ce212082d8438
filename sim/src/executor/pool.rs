//! Steps of a poll: take the ready task of lowest priority, poll it under a guard, collect the
//! wakes that came of it.

use std::cell::{Cell, RefCell};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use super::panics::{guarded, install_hook};
use super::policy::{Pick, Policy, Wake};
use super::stall::{StallOptions, Stalls};
use super::task::{Group, Live, Slot, TaskFuture, TaskId};
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

/// Counters of scheduling.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Polls in all.
    pub polls_count: u64,
    /// Sum over the polls of how many tasks were ready; over `polls_count` it is the mean choice.
    pub ready_sum: u64,
    /// Tasks spawned in all.
    pub spawned_count: u64,
    /// Wakes that were late.
    pub stalled_count: u64,
}

/// The tasks of one run.
pub struct Executor {
    slots: RefCell<Vec<Slot>>,
    free: RefCell<Vec<u32>>,
    ready: RefCell<BinaryHeap<Reverse<(u64, u64, TaskId)>>>,
    policy: RefCell<Box<dyn Policy>>,
    stalls: RefCell<Stalls>,
    now_nanos: Cell<u64>,
    current: Cell<Option<(TaskId, *const ())>>,
    home: Arc<Home>,
    step: Cell<u64>,
    live_count: Cell<usize>,
    statistics: Cell<Statistics>,
}

/// A ready task on its way to a poll.
struct Taken {
    task: TaskId,
    future: TaskFuture,
    waker: Waker,
    name_hash: u64,
    group: Group,
    wake_number: u64,
}

impl std::fmt::Debug for Executor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Executor")
            .field("live_count", &self.live_count.get())
            .finish()
    }
}

impl Executor {
    /// A pool without tasks.
    #[must_use]
    pub fn new(policy: Box<dyn Policy>, stalls: StreamKey, options: StallOptions) -> Executor {
        install_hook();
        Executor {
            slots: RefCell::default(),
            free: RefCell::default(),
            ready: RefCell::default(),
            policy: RefCell::new(policy),
            stalls: RefCell::new(Stalls::new(stalls, options)),
            now_nanos: Cell::new(0),
            current: Cell::new(None),
            home: Home::new(),
            step: Cell::new(0),
            live_count: Cell::new(0),
            statistics: Cell::default(),
        }
    }

    /// Replaces the policy; wakes that are queued keep their priority.
    pub fn set_policy(&self, policy: Box<dyn Policy>) {
        *self.policy.borrow_mut() = policy;
    }

    /// Adds a task, ready to run. `name_hash` must be unique in the run.
    pub fn spawn(&self, name_hash: u64, group: Group, future: TaskFuture) -> TaskId {
        let mut slots = self.slots.borrow_mut();
        let index = self.free.borrow_mut().pop().unwrap_or_else(|| {
            slots.push(Slot {
                generation: 0,
                live: None,
            });
            u32::try_from(slots.len() - 1).expect("fewer than 2^32 tasks are alive at once")
        });
        let slot = &mut slots[index as usize];
        assert!(slot.live.is_none(), "a free slot holds no task");
        let task = TaskId {
            index,
            generation: slot.generation,
        };
        let waker = Arc::new(TaskWaker {
            home: Arc::clone(&self.home),
            task,
        });
        let mut statistics = self.statistics.get();
        let spawned = statistics.spawned_count;
        slot.live = Some(Live::new(future, waker, name_hash, group, spawned));
        drop(slots);
        self.live_count.set(self.live_count.get() + 1);
        statistics.spawned_count += 1;
        self.statistics.set(statistics);
        self.wake(task);
        task
    }

    /// Makes a task ready, unless it is already or has ended.
    #[inline]
    pub fn wake(&self, task: TaskId) {
        let mut slots = self.slots.borrow_mut();
        let Some(slot) = slots.get_mut(task.index as usize) else {
            return;
        };
        if slot.generation != task.generation {
            return;
        }
        let Some(live) = &mut slot.live else { return };
        if live.queued {
            return;
        }
        live.queued = true;
        live.wakes_count += 1;
        let step = self.step.get();
        self.step.set(step + 1);
        let wake = Wake {
            task: live.name_hash,
            spawned: live.spawned,
            number: live.wakes_count,
            step,
        };
        if self.stalls.borrow().may_strike()
            && self
                .stalls
                .borrow_mut()
                .take(wake, task, self.now_nanos.get())
        {
            let mut statistics = self.statistics.get();
            statistics.stalled_count += 1;
            self.statistics.set(statistics);
            return;
        }
        self.make_ready(wake, task);
    }

    #[inline]
    fn make_ready(&self, wake: Wake, task: TaskId) {
        let priority = self.policy.borrow_mut().priority(wake);
        self.ready
            .borrow_mut()
            .push(Reverse((priority, wake.step, task)));
    }

    /// Says what time it is: tasks whose stall has ended become ready.
    #[inline]
    pub fn set_now(&self, now_nanos: u64) {
        self.now_nanos.set(now_nanos);
        self.end_stalls_due(now_nanos);
    }

    fn end_stalls_due(&self, now_nanos: u64) {
        loop {
            let ended = self.stalls.borrow_mut().pop_due(now_nanos);
            let Some((step, task)) = ended else { return };
            let wake = self.slots.borrow()[task.index as usize].wake_of(task, step);
            if let Some(wake) = wake {
                self.make_ready(wake, task);
            }
        }
    }

    /// When the next stall ends.
    #[inline]
    pub fn next_stall_end(&self) -> Option<u64> {
        self.stalls.borrow().next_due()
    }

    /// From now on no task is stalled.
    pub fn end_stalls(&self) {
        self.stalls.borrow_mut().end();
        self.end_stalls_due(u64::MAX);
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
        !self.ready.borrow().is_empty()
    }

    /// Makes those tasks ready whose wakers were used.
    pub fn collect_wakes(&self) {
        self.home.drain(|task| self.wake(task));
    }

    /// Polls the ready task of lowest priority; `before` is told its name, wake number and group.
    pub fn poll_next(&self, before: impl FnOnce(u64, u64, Group)) -> Option<Polled> {
        let Taken {
            task,
            mut future,
            waker,
            name_hash,
            group,
            wake_number,
        } = self.take_ready()?;
        before(name_hash, wake_number, group);
        self.current.set(Some((task, waker.data())));
        let polled = guarded(|| future.as_mut().poll(&mut Context::from_waker(&waker)));
        self.current.set(None);
        let outcome = match polled {
            Ok(Poll::Pending) => Outcome::Pending,
            Ok(Poll::Ready(())) => Outcome::Done,
            Err(message) => Outcome::Panicked(message),
        };
        let outcome = self.put_back(task, future, waker, outcome);
        self.collect_wakes();
        Some(Polled {
            name_hash,
            group,
            wake_number,
            outcome,
        })
    }

    fn take_ready(&self) -> Option<Taken> {
        loop {
            let ready_count = self.ready.borrow().len() as u64;
            let Reverse((priority, step, task)) = self.ready.borrow_mut().pop()?;
            let mut slots = self.slots.borrow_mut();
            let slot = &mut slots[task.index as usize];
            if slot.generation != task.generation {
                continue;
            }
            let Some(live) = &mut slot.live else { continue };
            let mut statistics = self.statistics.get();
            let pick = Pick {
                task: live.name_hash,
                priority,
                number: statistics.polls_count,
            };
            if let Some(priority) = self.policy.borrow_mut().pick(pick) {
                let again = Reverse((priority, step, task));
                self.ready.borrow_mut().push(again);
                continue;
            }
            live.queued = false;
            let Some((future, waker)) = live.parked.take() else {
                continue;
            };
            statistics.polls_count += 1;
            statistics.ready_sum += ready_count;
            self.statistics.set(statistics);
            let (name_hash, group) = (live.name_hash, live.group);
            let wake_number = live.wakes_count;
            return Some(Taken {
                task,
                future,
                waker,
                name_hash,
                group,
                wake_number,
            });
        }
    }

    /// Puts a polled future back, or drops it when it ended or its group did.
    fn put_back(
        &self,
        task: TaskId,
        future: TaskFuture,
        waker: Waker,
        outcome: Outcome,
    ) -> Outcome {
        {
            let mut slots = self.slots.borrow_mut();
            let live = slots[task.index as usize].live.as_mut();
            let live = live.expect("a task that is being polled keeps its slot");
            if !live.doomed && outcome == Outcome::Pending {
                live.parked = Some((future, waker));
                return outcome;
            }
        }
        self.release(task);
        match (guarded(|| drop(future)), outcome) {
            (Err(message), Outcome::Pending | Outcome::Done) => Outcome::Panicked(message),
            (_, outcome) => outcome,
        }
    }

    fn release(&self, task: TaskId) {
        let live = {
            let mut slots = self.slots.borrow_mut();
            let slot = &mut slots[task.index as usize];
            slot.generation = slot.generation.wrapping_add(1);
            slot.live.take()
        };
        assert!(live.is_some(), "a slot is released once");
        self.free.borrow_mut().push(task.index);
        self.live_count.set(self.live_count.get() - 1);
    }

    /// Drops every task of a group, one by one, in the order of their slots. A task that is being
    /// polled is dropped when its poll ends. Returns the messages of panics in destructors.
    pub fn drop_group(&self, group: Group) -> Vec<String> {
        let members: Vec<TaskId> = {
            let slots = self.slots.borrow();
            let of_group = |(index, slot): (usize, &Slot)| {
                let live = slot.live.as_ref()?;
                let index = u32::try_from(index).expect("fewer than 2^32 slots");
                (live.group == group).then_some(TaskId {
                    index,
                    generation: slot.generation,
                })
            };
            slots.iter().enumerate().filter_map(of_group).collect()
        };
        let mut panics = Vec::new();
        for task in members {
            let future = {
                let mut slots = self.slots.borrow_mut();
                let slot = &mut slots[task.index as usize];
                let Some(live) = slot.live.as_mut() else {
                    continue;
                };
                live.doomed = true;
                live.parked.take()
            };
            if let Some((future, _)) = future {
                self.release(task);
                if let Err(message) = guarded(|| drop(future)) {
                    panics.push(message);
                }
            }
        }
        panics
    }

    /// Tasks that have not ended.
    pub fn live_count(&self) -> usize {
        self.live_count.get()
    }

    /// Counters of scheduling so far.
    pub fn statistics(&self) -> Statistics {
        self.statistics.get()
    }

    /// Whether some task was woken from a foreign thread.
    pub fn refused_a_wake(&self) -> bool {
        self.home.refused_a_wake()
    }
}
