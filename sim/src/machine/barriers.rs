//! Steps of a barrier: planned by a fault, put up, packets wait at it or are lost, taken down; then all
//! that waited arrive at once.

use std::time::Duration;

use super::ground::{Due, Ground};
use super::inbox::link_word;
use crate::entropy::Stream;
use crate::fault::Anchor;
use crate::network::{Address, Arrival, Barrier, Closed, Way};
use crate::time::Instant;
use crate::trace::Kind;

/// Every barrier of the run, by number.
pub(super) type Planned = Vec<Barrier>;

/// Packets that wait at closed ways, by way and slot, in the order in which they came to them.
pub(super) type Held = Vec<((Address, Address), u32)>;

impl Ground {
    /// Plans a barrier that stands from one instant to another.
    pub(super) fn plan_barrier(&self, barrier: Barrier, from: Instant, to: Instant) {
        let number = {
            let mut planned = self.barriers.borrow_mut();
            planned.push(barrier);
            u32::try_from(planned.len() - 1).expect("fewer than 2^32 barriers in a run")
        };
        if from <= self.now() {
            self.close_way(number);
        } else {
            self.queue.borrow_mut().push(from, Due::Close(number));
        }
        self.queue.borrow_mut().push(to, Due::Open(number));
    }

    /// Puts up a planned barrier, unless the world was healed in between.
    pub(super) fn close_way(&self, number: u32) {
        // A heal may come between a plan and its time.
        if self.disarmed.get() {
            return;
        }
        let barrier = self.barriers.borrow()[number as usize].clone();
        self.fabric.borrow_mut().put_up(number, barrier);
    }

    /// Takes a barrier down: what waited arrives now, but for what another one still holds.
    pub(super) fn open_way(&self, number: u32) {
        if self.fabric.borrow_mut().take_down(number) {
            self.release_held();
        }
    }

    /// Opens every way.
    pub fn open_all_ways(&self) {
        self.fabric.borrow_mut().open_all();
        self.release_held();
    }

    /// Has a packet that came to a closed way wait there.
    pub(super) fn hold(&self, (from, to): (Address, Address), ordinal: u64, slot: u32) {
        let now_nanos = self.now().as_nanos();
        self.event(
            Kind::Hold,
            [link_word(from, to), ordinal, now_nanos],
            || {
                format!(
                    "held on the way from machine {} to machine {}",
                    from.0, to.0
                )
            },
        );
        self.mark("network.held");
        self.held.borrow_mut().push(((from, to), slot));
    }

    fn release_held(&self) {
        let released: Held = {
            let fabric = self.fabric.borrow();
            let passes = |((from, to), _): &mut ((Address, Address), u32)| {
                fabric.arrival(*from, *to) != Arrival::Held
            };
            self.held.borrow_mut().extract_if(.., passes).collect()
        };
        if released.len() > 1 {
            self.mark("network.burst");
        }
        for (_, slot) in released {
            self.queue.borrow_mut().push(self.now(), Due::Deliver(slot));
        }
    }

    /// Clogs all links of some of these machines, at least one, in the first half of a time, one after
    /// the other, and unclogs them in the second half in another order.
    pub(super) fn swizzle(&self, among: &[Address], duration: Duration, anchor: &Anchor) {
        assert!(!among.is_empty(), "a swizzle of no machine");
        let key = self.options.key.stream("swizzle");
        let mut chance = Stream::open(key.child(&anchor.to_string()));
        let mut chosen = among.to_vec();
        chance.shuffle(&mut chosen);
        let last = usize::try_from(chance.below(chosen.len() as u64));
        let count = 1 + last.expect("a draw below a length is an index");
        chosen.truncate(count);
        let mut opened = chosen.clone();
        chance.shuffle(&mut opened);
        if opened == chosen {
            opened.rotate_left(1);
        }
        let half = duration / 2;
        let parts = u32::try_from(count).expect("fewer than 2^32 machines");
        let all = 0..u32::try_from(self.machines_count()).expect("fewer than 2^32 machines");
        for (step, machine) in (0_u32..).zip(&chosen) {
            let last = opened.iter().position(|other| other == machine);
            let last = last.expect("the same machines in another order");
            let last = u32::try_from(last + 1).expect("fewer than 2^32 machines");
            let barrier = Barrier {
                left: vec![*machine],
                right: all
                    .clone()
                    .map(Address)
                    .filter(|other| other != machine)
                    .collect(),
                way: Way::Both,
                closed: Closed::Holds,
            };
            let from = self.now().after(half * step / parts);
            let to = self.now().after(half + half * last / parts);
            self.plan_barrier(barrier, from, to);
        }
    }
}
