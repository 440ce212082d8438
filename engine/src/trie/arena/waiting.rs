//! Invariants of waiting: what readers may still see is kept, in the order in which it was released.

use std::collections::VecDeque;

use super::readers::Readers;

/// Of what a large mutation leaves behind, room for so many entries is kept.
pub(super) const KEPT_MAX: usize = 4096;

/// Things that were released while guards lived.
pub(super) struct Waiting<T> {
    things: VecDeque<T>,
    /// Generations and how many of the things are of each, in order.
    counts: VecDeque<(u64, usize)>,
}

impl<T: Copy> Waiting<T> {
    pub(super) fn new() -> Waiting<T> {
        Waiting {
            things: VecDeque::new(),
            counts: VecDeque::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.things.len()
    }

    pub(super) fn push(&mut self, thing: T) {
        self.things.push_back(thing);
    }

    /// Dates the last `count` things, which one mutation released.
    pub(super) fn date(&mut self, count: usize, readers: &Readers) {
        if count > 0 {
            self.counts.push_back((readers.next_generation(), count));
        }
    }

    /// Hands out what waited for readers that are gone.
    pub(super) fn reclaim(&mut self, readers: &Readers, mut free: impl FnMut(T)) {
        while let Some(&(generation, count)) = self.counts.front() {
            if !readers.may_reuse(generation) {
                return;
            }
            self.things.drain(..count).for_each(&mut free);
            self.counts.pop_front();
        }
        self.things.shrink_to(KEPT_MAX);
    }

    /// All things, those first that are reclaimed first; and how many would be reclaimed now.
    pub(super) fn iter(&self, readers: &Readers) -> (impl Iterator<Item = T>, usize) {
        let gone = self.counts.iter();
        let gone = gone.take_while(|&&(generation, _)| readers.may_reuse(generation));
        (
            self.things.iter().copied(),
            gone.map(|&(_, count)| count).sum(),
        )
    }
}
