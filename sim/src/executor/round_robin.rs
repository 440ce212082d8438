//! Invariants of the round: tasks stand in a circle in the order in which they were spawned; between
//! two polls of a task each other that was ready all the while is polled once.

use super::policy::{Pick, Policy, Wake};

/// The next ready task on the circle runs.
#[derive(Clone, Copy, Debug, Default)]
pub struct RoundRobin {
    /// Round and place of the last task that ran.
    last: u64,
}

const PLACE_BITS: u32 = 32;
const PLACES: u64 = 1 << PLACE_BITS;

impl Policy for RoundRobin {
    fn priority(&mut self, wake: Wake) -> u64 {
        let place = (wake.spawned + 1) % PLACES;
        let (round, reached) = (self.last >> PLACE_BITS, self.last % PLACES);
        let round = if place > reached { round } else { round + 1 };
        (round << PLACE_BITS) | place
    }

    fn pick(&mut self, pick: Pick) -> Option<u64> {
        self.last = self.last.max(pick.priority);
        None
    }
}
