//! Invariants of the queue: what is due earlier comes first, and of what is due at one instant that
//! which was put in first.
//!
//! Instants are quantised, so many events share one: each instant has a bucket, in which events stand as
//! they came. The nearest instants stand in a short sorted list, the others in a map. Where an instant's
//! bucket was found last is remembered, since the same few instants are asked for again and again.

use std::collections::BTreeMap;

use super::instant::Instant;
use crate::planted::{self, Plant};

/// Instants in the short list, at most.
const NEAR_MAX: usize = 128;

/// Instants whose buckets are remembered: a power of two.
const HINTS: usize = 1024;

/// The instant of a bucket that is free; one that is waited for has no hint.
const NEVER: u64 = u64::MAX;

/// What happens when.
#[derive(Debug)]
pub struct Queue<E> {
    /// The nearest instants with their buckets, the earliest last.
    near: Vec<(u64, u32)>,
    /// Later instants.
    far: BTreeMap<u64, u32>,
    buckets: Vec<Bucket<E>>,
    free: Vec<u32>,
    /// By a hash of the instant, the bucket where it was found last; that may be another's since.
    hints: Vec<u32>,
    events_count: usize,
}

/// What is due at one instant.
#[derive(Debug)]
struct Bucket<E> {
    due: u64,
    events: Vec<E>,
    /// How many of them were taken out.
    taken_count: usize,
}

impl<E> Default for Queue<E> {
    fn default() -> Queue<E> {
        Queue {
            near: Vec::new(),
            far: BTreeMap::new(),
            buckets: Vec::new(),
            free: Vec::new(),
            hints: vec![0; HINTS],
            events_count: 0,
        }
    }
}

impl<E: Copy> Queue<E> {
    /// An empty queue.
    #[must_use]
    pub fn new() -> Queue<E> {
        Queue::default()
    }

    /// Puts in an event that is due at `due`.
    // Inlined, so that an event is written where it stays, and not copied there from another place.
    #[inline(always)]
    pub fn push(&mut self, due: Instant, event: E) {
        let bucket = self.bucket_of(due.as_nanos());
        let Bucket {
            events,
            taken_count,
            ..
        } = &mut self.buckets[bucket as usize];
        match planted::on(Plant::HeapOrder) {
            false => events.push(event),
            true => events.insert(*taken_count, event),
        }
        self.events_count += 1;
    }

    #[inline]
    fn bucket_of(&mut self, due: u64) -> u32 {
        let hint = (due.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - HINTS.ilog2())) as usize;
        let known = self.hints[hint];
        match self.buckets.get(known as usize) {
            Some(bucket) if bucket.due == due && due != NEVER => known,
            _ => {
                let bucket = self.find_bucket(due);
                self.hints[hint] = bucket;
                bucket
            }
        }
    }

    fn find_bucket(&mut self, due: u64) -> u32 {
        let place = match self.near.len() {
            // A few instants are searched faster one by one.
            0..=16 => {
                let later = self.near.iter().position(|(at, _)| *at <= due);
                later.unwrap_or(self.near.len())
            }
            _ => self.near.partition_point(|(at, _)| *at > due),
        };
        match self.near.get(place) {
            Some((at, bucket)) if *at == due => *bucket,
            _ if place > 0 || self.far.is_empty() => self.insert_near(place, due),
            _ => self.bucket_of_far(due),
        }
    }

    #[inline]
    fn fresh_bucket(&mut self, due: u64) -> u32 {
        if let Some(bucket) = self.free.pop() {
            self.buckets[bucket as usize].due = due;
            return bucket;
        }
        self.buckets.push(Bucket {
            due,
            events: Vec::new(),
            taken_count: 0,
        });
        u32::try_from(self.buckets.len() - 1).expect("fewer than 2^32 instants are waited for")
    }

    #[inline]
    fn insert_near(&mut self, place: usize, due: u64) -> u32 {
        let bucket = self.fresh_bucket(due);
        self.near.insert(place, (due, bucket));
        if self.near.len() > NEAR_MAX {
            self.spill();
        }
        bucket
    }

    /// Moves the later half of the near instants to the far ones.
    #[cold]
    fn spill(&mut self) {
        self.far.extend(self.near.drain(..NEAR_MAX / 2));
    }

    /// The bucket of an instant after all near ones, while there are far ones.
    #[cold]
    fn bucket_of_far(&mut self, due: u64) -> u32 {
        if let Some(bucket) = self.far.get(&due) {
            return *bucket;
        }
        let first = self.far.first_key_value().map(|(at, _)| *at);
        if first.is_none_or(|first| due < first) {
            return self.insert_near(0, due);
        }
        let bucket = self.fresh_bucket(due);
        self.far.insert(due, bucket);
        bucket
    }

    /// When the first event is due.
    #[must_use]
    #[inline]
    pub fn next_due(&self) -> Option<Instant> {
        self.near.last().map(|(at, _)| Instant::from_nanos(*at))
    }

    /// Takes out the first event if it is due at `now` or earlier.
    #[inline]
    pub fn pop_due(&mut self, now: Instant) -> Option<E> {
        let (at, index) = *self.near.last()?;
        if at > now.as_nanos() {
            return None;
        }
        let bucket = &mut self.buckets[index as usize];
        let event = bucket.events[bucket.taken_count];
        bucket.taken_count += 1;
        self.events_count -= 1;
        if bucket.taken_count == bucket.events.len() {
            bucket.events.clear();
            (bucket.due, bucket.taken_count) = (NEVER, 0);
            self.free.push(index);
            self.near.pop();
            self.refill();
        }
        Some(event)
    }

    /// What is due next, in order: all of one instant.
    #[must_use]
    pub fn next_events(&self) -> &[E] {
        self.near.last().map_or(&[], |(_, index)| {
            let bucket = &self.buckets[*index as usize];
            &bucket.events[bucket.taken_count..]
        })
    }

    /// Moves far instants near when none is.
    #[inline]
    fn refill(&mut self) {
        if self.near.is_empty() && !self.far.is_empty() {
            self.fetch();
        }
    }

    #[cold]
    fn fetch(&mut self) {
        while self.near.len() < NEAR_MAX / 2
            && let Some(first) = self.far.pop_first()
        {
            self.near.push(first);
        }
        self.near.reverse();
    }

    /// How many events wait, the cancelled among them.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        self.events_count
    }

    /// Whether nothing waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.events_count == 0
    }

    /// Drops every event that `keep` does not want; the order of the others stays.
    pub fn retain(&mut self, mut keep: impl FnMut(&E) -> bool) {
        let (buckets, free) = (&mut self.buckets, &mut self.free);
        let mut left_count = 0;
        let mut keep_bucket = |index: u32| {
            let bucket = &mut buckets[index as usize];
            bucket.events.drain(..bucket.taken_count);
            bucket.taken_count = 0;
            bucket.events.retain(&mut keep);
            left_count += bucket.events.len();
            if bucket.events.is_empty() {
                bucket.due = NEVER;
                free.push(index);
            }
            !bucket.events.is_empty()
        };
        self.near.retain(|(_, bucket)| keep_bucket(*bucket));
        self.far.retain(|_, bucket| keep_bucket(*bucket));
        self.events_count = left_count;
        self.refill();
    }
}
