//! Invariants of the keyed order: a wake's priority hangs on its task's name and its number alone, so a
//! task or a wake less re-deals no other.

use super::policy::{Policy, Wake};
use crate::entropy::{StreamKey, mix64};
use crate::planted::{Plant, disturbed};

/// Uniformly random priorities, keyed by (task name, wake number).
///
/// A wake that waits is likely one of high priority, so new wakes overtake old ones more often than
/// in a walk: whole stretches of a task run while another waits.
#[derive(Clone, Copy, Debug)]
pub struct KeyedRandom(pub StreamKey);

impl Policy for KeyedRandom {
    #[inline]
    fn priority(&mut self, wake: Wake) -> u64 {
        let word = self.0.word(mix64(wake.task, wake.number));
        disturbed(Plant::HashOrder, word)
    }
}
