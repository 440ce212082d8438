//! Invariants of stalls: a stalled wake is late by a keyed time, never lost; so every await of a task
//! is a place where all others may go on for a while, as threads that are preempted let them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::policy::Wake;
use super::task::TaskId;
use crate::entropy::{Ratio, StreamKey, mix64, scale};

/// How often wakes are late, and by how much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StallOptions {
    /// How often.
    pub ratio: Ratio,
    /// By how much at most, in nanoseconds.
    pub nanos_max: u64,
    /// Ends of stalls are rounded up to multiples of this.
    pub quantum_nanos: u64,
}

/// Wakes that are late.
#[derive(Debug)]
pub(super) struct Stalls {
    key: StreamKey,
    options: StallOptions,
    /// When each ends, its step among all wakes, and whose it is.
    waiting: BinaryHeap<Reverse<(u64, u64, TaskId)>>,
}

impl Stalls {
    pub(super) fn new(key: StreamKey, options: StallOptions) -> Stalls {
        Stalls {
            key,
            options,
            waiting: BinaryHeap::new(),
        }
    }

    /// Whether any wake may be late.
    #[inline]
    pub(super) fn may_strike(&self) -> bool {
        self.options.ratio.numerator() != 0
    }

    /// Takes a wake in if it is to be late.
    pub(super) fn take(&mut self, wake: Wake, task: TaskId, now_nanos: u64) -> bool {
        let StallOptions {
            ratio,
            nanos_max,
            quantum_nanos,
        } = self.options;
        let word = self.key.word(mix64(wake.task, wake.number));
        if !ratio.strikes((word >> 32) as u32) {
            return false;
        }
        let late_nanos = scale(word & 0xffff_ffff, nanos_max);
        let due = (now_nanos + late_nanos + 1).div_ceil(quantum_nanos) * quantum_nanos;
        self.waiting.push(Reverse((due, wake.step, task)));
        true
    }

    /// When the next stall ends.
    #[inline]
    pub(super) fn next_due(&self) -> Option<u64> {
        self.waiting.peek().map(|entry| entry.0.0)
    }

    /// The next wake whose stall has ended: its step and task.
    #[inline]
    pub(super) fn pop_due(&mut self, now_nanos: u64) -> Option<(u64, TaskId)> {
        if self.next_due()? > now_nanos {
            return None;
        }
        self.waiting
            .pop()
            .map(|Reverse((_, step, task))| (step, task))
    }

    /// From now on no wake is late.
    pub(super) fn end(&mut self) {
        self.options.ratio = Ratio::NEVER;
    }
}
