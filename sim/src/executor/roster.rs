//! Invariants of the pool's state: a slot's task is in the ready set or among the late exactly while it
//! is woken; borrowed for moments only, never across a poll.

use std::hint::black_box;

use super::frozen::Frozen;
use super::policy::{Pick, Policy};
use super::ready::{Entry, Ready};
use super::stall::Stalls;
use super::task::{Group, Parked, Slot, State, TaskId};

/// The memory of so many tasks is mostly at hand anyway.
const SLOTS_CACHED: usize = 4096;

/// Tasks whose memory is fetched at once.
pub(super) const TOUCHED_MAX: usize = 16;

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

/// All that is known of tasks but the poll that is going on.
pub(super) struct Roster {
    pub(super) slots: Vec<Slot>,
    free: Vec<u32>,
    ready: Ready,
    pub(super) policy: Box<dyn Policy>,
    pub(super) stalls: Stalls,
    pub(super) frozen: Frozen,
    pub(super) now_nanos: u64,
    steps_count: u64,
    pub(super) live_count: usize,
    pub(super) statistics: Statistics,
}

/// A ready task that is to be polled.
pub(super) struct Picked {
    pub(super) task: TaskId,
    pub(super) name_hash: u64,
    pub(super) group: Group,
    pub(super) wake_number: u64,
}

impl Roster {
    pub(super) fn new(policy: Box<dyn Policy>, stalls: Stalls) -> Roster {
        Roster {
            slots: Vec::new(),
            free: Vec::new(),
            ready: Ready::default(),
            policy,
            stalls,
            frozen: Frozen::default(),
            now_nanos: 0,
            steps_count: 0,
            live_count: 0,
            statistics: Statistics::default(),
        }
    }

    /// Adds a task that nobody has woken.
    pub(super) fn add(&mut self, name_hash: u64, group: Group) -> TaskId {
        let index = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Slot::free());
            u32::try_from(self.slots.len() - 1).expect("fewer than 2^32 tasks are alive at once")
        });
        let slot = &mut self.slots[index as usize];
        assert!(slot.state == State::Free, "a free slot holds no task");
        let task = TaskId {
            index,
            generation: slot.generation,
        };
        *slot = Slot {
            generation: slot.generation,
            state: State::Idle,
            group,
            name_hash,
            spawned: self.statistics.spawned_count,
            wakes_count: 0,
        };
        self.live_count += 1;
        self.statistics.spawned_count += 1;
        task
    }

    /// Makes a task ready, or late, unless it is already or has ended.
    #[inline]
    pub(super) fn wake(&mut self, task: TaskId) {
        let Some(slot) = self.slots.get_mut(task.index as usize) else {
            return;
        };
        if slot.generation != task.generation || slot.state != State::Idle {
            return;
        }
        slot.state = State::Woken;
        slot.wakes_count += 1;
        let wake = slot.last_wake(self.steps_count);
        self.steps_count += 1;
        if self.stalls.may_strike() && self.stalls.take(wake, task, self.now_nanos) {
            self.statistics.stalled_count += 1;
            return;
        }
        self.ready.push(Entry {
            priority: self.policy.priority(wake),
            step: wake.step,
            task,
        });
    }

    /// Makes those tasks ready whose stall has ended.
    pub(super) fn end_stalls_due(&mut self, now_nanos: u64) {
        while let Some((step, task)) = self.stalls.pop_due(now_nanos) {
            let slot = &self.slots[task.index as usize];
            if slot.generation == task.generation {
                self.ready.push(Entry {
                    priority: self.policy.priority(slot.last_wake(step)),
                    step,
                    task,
                });
            }
        }
    }

    /// Ends one freeze of a group, or every freeze: what waited for that is ready.
    pub(super) fn thaw(&mut self, group: Option<Group>) {
        let thawed = match group {
            Some(group) => self.frozen.thaw(group),
            None => self.frozen.thaw_all(),
        };
        for entry in thawed {
            self.ready.push(entry);
        }
    }

    pub(super) fn has_ready(&self) -> bool {
        !self.ready.is_empty()
    }

    /// Takes the ready task of lowest priority out of the ready set.
    #[inline]
    pub(super) fn take_ready(&mut self) -> Option<Picked> {
        loop {
            let ready_count = self.ready.len() as u64;
            let entry = self.ready.pop()?;
            let slot = &mut self.slots[entry.task.index as usize];
            if slot.generation != entry.task.generation {
                continue;
            }
            if !self.frozen.is_empty() && self.frozen.keeps(slot.group, entry) {
                continue;
            }
            let pick = Pick {
                task: slot.name_hash,
                priority: entry.priority,
                number: self.statistics.polls_count,
            };
            if let Some(priority) = self.policy.pick(pick) {
                self.ready.push(Entry { priority, ..entry });
                continue;
            }
            slot.state = State::Idle;
            self.statistics.polls_count += 1;
            self.statistics.ready_sum += ready_count;
            return Some(Picked {
                task: entry.task,
                name_hash: slot.name_hash,
                group: slot.group,
                wake_number: slot.wakes_count,
            });
        }
    }

    /// Reads a word of each of the next tasks, so that the memory of all of them is fetched at once; polled
    /// one by one, each would wait for its own.
    #[inline]
    pub(super) fn touch_next(&self, bodies: &[Option<Parked>]) {
        if !self.is_large() || !self.ready.sorted_count().is_multiple_of(TOUCHED_MAX) {
            return;
        }
        let mut words = 0;
        for entry in self.ready.next_sorted(TOUCHED_MAX) {
            words ^= self.slots[entry.task.index as usize].generation;
            if let Some(Some((body, _))) = bodies.get(entry.task.index as usize) {
                words ^= u32::from(body.touch());
            }
        }
        black_box(words);
    }

    /// Reads a word of each of these tasks' slots, for the same reason.
    pub(super) fn touch(&self, tasks: impl Iterator<Item = TaskId>) {
        let slots = tasks.filter_map(|task| self.slots.get(task.index as usize));
        black_box(slots.fold(0, |words, slot| words ^ slot.generation));
    }

    /// Whether there are more tasks than the processor's caches hold.
    #[inline]
    pub(super) fn is_large(&self) -> bool {
        self.slots.len() > SLOTS_CACHED
    }

    /// Frees the slot of a task that ended.
    pub(super) fn release(&mut self, task: TaskId) {
        let slot = &mut self.slots[task.index as usize];
        assert!(slot.state != State::Free, "a slot is released once");
        slot.generation = slot.generation.wrapping_add(1);
        slot.state = State::Free;
        self.free.push(task.index);
        self.live_count -= 1;
    }

    /// The tasks of a group, in the order of their slots.
    pub(super) fn members(&self, group: Group) -> Vec<TaskId> {
        let of_group = |(index, slot): (usize, &Slot)| {
            let is_member = slot.state != State::Free && slot.group == group;
            is_member.then(|| TaskId {
                index: u32::try_from(index).expect("fewer than 2^32 slots"),
                generation: slot.generation,
            })
        };
        self.slots.iter().enumerate().filter_map(of_group).collect()
    }
}
