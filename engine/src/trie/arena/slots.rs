//! Invariants of slots: values by number, beside an arena whose leaves hold the numbers. What is released is
//! dropped, and its number used again, when no reader can have it any more.
//!
//! A mutation of the arena and of its slots is finished, or aborted, on both.

use super::blocks::Bits;
use super::readers::Readers;
use super::waiting::{KEPT_MAX, Waiting};

/// Values that do not fit a leaf.
pub struct Slots<T> {
    values: Vec<Option<T>>,
    free: Vec<u32>,
    readers: Readers,
    is_open: bool,
    is_shared: bool,
    /// What no reader can have, because it was made since the last of them came.
    fresh: Bits,
    fresh_since: u64,
    made: Vec<u32>,
    released: Vec<u32>,
    /// What was in slots that got other values in place.
    changed: Vec<(u32, T)>,
    waiting: Waiting<u32>,
}

impl<T> std::fmt::Debug for Slots<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Slots")
            .field("len", &self.len())
            .finish_non_exhaustive()
    }
}

impl<T> Slots<T> {
    /// No values, beside the arena of these readers.
    #[must_use]
    pub fn new(readers: &Readers) -> Slots<T> {
        Slots {
            values: Vec::new(),
            free: Vec::new(),
            readers: readers.clone(),
            is_open: false,
            is_shared: false,
            fresh: Bits::default(),
            fresh_since: 0,
            made: Vec::new(),
            released: Vec::new(),
            changed: Vec::new(),
            waiting: Waiting::new(),
        }
    }

    /// How many values there are, those that wait for readers among them.
    #[must_use]
    pub fn len(&self) -> usize {
        self.values.len() - self.free.len()
    }

    /// Whether there is no value.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value of a slot.
    ///
    /// # Panics
    /// When there is none.
    #[must_use]
    pub fn get(&self, slot: u32) -> &T {
        let value = self.values.get(slot as usize).and_then(Option::as_ref);
        value.unwrap_or_else(|| panic!("slot {slot} has no value"))
    }

    /// Puts a value into a slot of its own, and gives its number.
    ///
    /// # Panics
    /// When there are 2^32 slots.
    pub fn insert(&mut self, value: T) -> u32 {
        self.open();
        let slot = self.free.pop().unwrap_or_else(|| {
            self.values.push(None);
            u32::try_from(self.values.len() - 1).expect("slots have 32-bit numbers")
        });
        self.values[slot as usize] = Some(value);
        self.made.push(slot);
        if self.is_shared {
            self.fresh.insert(slot as usize);
        }
        slot
    }

    /// Gives a slot back once the mutation is finished.
    ///
    /// # Panics
    /// When it has no value.
    pub fn release(&mut self, slot: u32) {
        let _ = self.get(slot);
        self.open();
        self.released.push(slot);
    }

    /// Puts a value into a slot of its own in place of another slot, and gives its number.
    ///
    /// # Panics
    /// When the other has no value.
    pub fn replace(&mut self, slot: u32, value: T) -> u32 {
        self.release(slot);
        self.insert(value)
    }

    /// Puts a value in place of another: into the same slot where no reader can have that, else into one of its
    /// own. Gives the number of the slot. No reader may come before the mutation is finished.
    ///
    /// # Panics
    /// When the slot has no value.
    pub fn update(&mut self, slot: u32, value: T) -> u32 {
        self.open();
        if self.is_shared && !self.fresh.contains(slot as usize) {
            return self.replace(slot, value);
        }
        let held = self.values.get_mut(slot as usize).and_then(Option::as_mut);
        let held = held.unwrap_or_else(|| panic!("slot {slot} has no value"));
        let before = std::mem::replace(held, value);
        self.changed.push((slot, before));
        slot
    }

    fn open(&mut self) {
        if self.is_open {
            return;
        }
        self.is_open = true;
        self.reclaim();
        self.heed_readers();
    }

    /// Nothing is fresh to a reader who came since the last time.
    fn heed_readers(&mut self) {
        self.is_shared = self.readers.any();
        if self.is_shared && self.fresh_since != self.readers.taken() {
            self.fresh.clear();
            self.fresh_since = self.readers.taken();
        }
    }

    /// Makes what was inserted and released since the last time final.
    pub fn finish(&mut self) {
        self.is_open = false;
        self.made.clear();
        self.changed.clear();
        // Unlike an arena's mutation, this one does not keep readers out.
        self.heed_readers();
        let mut released = std::mem::take(&mut self.released);
        let waiting_count = self.waiting.len();
        for slot in released.drain(..) {
            if !self.is_shared || self.fresh.contains(slot as usize) {
                self.free(slot);
            } else {
                self.waiting.push(slot);
            }
        }
        let count = self.waiting.len() - waiting_count;
        self.waiting.date(count, &self.readers);
        self.released = released;
        self.trim();
    }

    /// Drops what was inserted since the last time, and keeps what was released.
    pub fn abort(&mut self) {
        self.is_open = false;
        self.released.clear();
        for (slot, before) in self.changed.drain(..).rev() {
            self.values[slot as usize] = Some(before);
        }
        let mut made = std::mem::take(&mut self.made);
        made.drain(..).for_each(|slot| self.free(slot));
        self.made = made;
        self.trim();
    }

    fn trim(&mut self) {
        self.made.shrink_to(KEPT_MAX);
        self.changed.shrink_to(KEPT_MAX);
        self.released.shrink_to(KEPT_MAX);
    }

    /// Drops values that waited for readers who are gone.
    pub fn reclaim(&mut self) {
        let (values, free) = (&mut self.values, &mut self.free);
        self.waiting
            .reclaim(&self.readers, |slot| free_slot(values, free, slot));
    }

    fn free(&mut self, slot: u32) {
        free_slot(&mut self.values, &mut self.free, slot);
    }

    /// Holds the slots against the numbers that the owner's leaves have.
    ///
    /// # Errors
    /// Says which slot is lost, or used by two, or used and free.
    pub fn audit(&self, used: impl IntoIterator<Item = u32>) -> Result<(), String> {
        let mut owners = vec![0_u32; self.values.len()];
        let (waiting, _) = self.waiting.iter(&self.readers);
        for slot in used
            .into_iter()
            .chain(waiting)
            .chain(self.free.iter().copied())
        {
            let owner = owners.get_mut(slot as usize);
            *owner.ok_or_else(|| format!("slot {slot} was never made"))? += 1;
        }
        for (slot, &count) in owners.iter().enumerate() {
            if count != 1 {
                return Err(format!("slot {slot} has {count} owners"));
            }
        }
        let free = self.free.iter();
        let kept = free.filter(|&&slot| self.values[slot as usize].is_some());
        match kept.min() {
            Some(slot) => Err(format!("slot {slot} is free and has a value")),
            None => Ok(()),
        }
    }
}

fn free_slot<T>(values: &mut [Option<T>], free: &mut Vec<u32>, slot: u32) {
    let value = values[slot as usize].take();
    assert!(value.is_some(), "slot {slot} is freed once");
    free.push(slot);
}
