//! Steps of a packet: is the way open, what does its link draw, when does it arrive.

use super::barrier::{Barrier, Barriers, Closed};
use super::link::{Link, LinkOptions};
use super::packet::Address;
use super::queueing::Queues;
use crate::entropy::StreamKey;

/// Why a packet was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// The link drew it.
    Chance,
    /// A partition stood in the way.
    Partition,
    /// A fault took it.
    Fault,
    /// The receiver is down, or its queue is full.
    Receiver,
    /// Too many bytes waited for the link.
    Queue,
}

/// What becomes of a packet whose time to arrive has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// It arrives.
    Passes,
    /// It is lost to a barrier.
    Lost,
    /// It waits until the way opens.
    Held,
}

/// What becomes of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It never arrives.
    Lost(Loss),
    /// It arrives after these delays: once, or twice.
    Arrives {
        /// Nanoseconds of the first arrival.
        first_nanos: u64,
        /// Nanoseconds of the second arrival, when it was doubled.
        second_nanos: Option<u64>,
    },
}

/// All links of a run.
#[derive(Debug)]
pub struct Fabric {
    key: StreamKey,
    options: LinkOptions,
    links: Vec<Vec<Option<Link>>>,
    barriers: Barriers,
    queues: Queues,
    doomed_count: u64,
}

impl Fabric {
    /// A network without partitions.
    #[must_use]
    pub fn new(key: StreamKey, options: LinkOptions) -> Fabric {
        Fabric {
            key,
            options,
            links: Vec::new(),
            barriers: Barriers::default(),
            queues: Queues::default(),
            doomed_count: 0,
        }
    }

    /// Replaces how links behave, from the next packet on.
    pub fn set_options(&mut self, options: LinkOptions) {
        self.options = options;
    }

    /// How links behave.
    #[must_use]
    pub fn options(&self) -> LinkOptions {
        self.options
    }

    /// Puts a barrier up; it stands until [`Fabric::take_down`] with its number.
    pub fn put_up(&mut self, number: u32, barrier: Barrier) {
        self.barriers.put_up(number, barrier);
    }

    /// Takes a barrier down, and tells whether it stood.
    pub fn take_down(&mut self, number: u32) -> bool {
        self.barriers.take_down(number)
    }

    /// Opens every way, and dooms no packet any more.
    pub fn open_all(&mut self) {
        self.barriers.take_all_down();
        self.doomed_count = 0;
    }

    /// What becomes of a packet that is due.
    #[must_use]
    #[inline]
    pub fn arrival(&self, from: Address, to: Address) -> Arrival {
        let mut arrival = Arrival::Passes;
        for closed in self.barriers.between(from, to) {
            match closed {
                Closed::LosesAll => return Arrival::Lost,
                Closed::Holds => arrival = Arrival::Held,
                Closed::LosesSent => {}
            }
        }
        arrival
    }

    /// The fate of a packet that has to share its link's bandwidth, as it is when that has no limit.
    #[inline]
    pub fn queued(
        &mut self,
        link: (Address, Address),
        size_bytes: usize,
        now_nanos: u64,
        fate: Fate,
    ) -> Fate {
        let (
            Some(bandwidth),
            Fate::Arrives {
                first_nanos,
                second_nanos,
            },
        ) = (self.options.bandwidth, fate)
        else {
            return fate;
        };
        match self.queues.enter(link, size_bytes, now_nanos, bandwidth) {
            None => Fate::Lost(Loss::Queue),
            Some(waits_nanos) => Fate::Arrives {
                first_nanos: first_nanos.saturating_add(waits_nanos),
                second_nanos: second_nanos.map(|nanos| nanos.saturating_add(waits_nanos)),
            },
        }
    }

    /// Takes the next `count` packets, whoever sends them.
    pub fn doom(&mut self, count: u64) {
        self.doomed_count += count;
    }

    /// Draws the fate of one packet; also gives its number on its link.
    #[inline]
    pub fn route(&mut self, from: Address, to: Address) -> (u64, Fate) {
        let (from_index, to_index) = (from.0 as usize, to.0 as usize);
        if self.links.len() <= from_index {
            self.links.resize_with(from_index + 1, Vec::new);
        }
        let row = &mut self.links[from_index];
        if row.len() <= to_index {
            row.resize(to_index + 1, None);
        }
        let link = row[to_index].get_or_insert_with(|| Link::new(self.key, from.0, to.0));
        let draw = link.draw(&self.options);
        let mut closed = self.barriers.between(from, to);
        let fate = if closed.any(|closed| closed != Closed::Holds) {
            Fate::Lost(Loss::Partition)
        } else if self.doomed_count > 0 {
            self.doomed_count -= 1;
            Fate::Lost(Loss::Fault)
        } else if draw.lost {
            Fate::Lost(Loss::Chance)
        } else {
            Fate::Arrives {
                first_nanos: draw.delays_nanos[0],
                second_nanos: draw.doubled.then_some(draw.delays_nanos[1]),
            }
        };
        (draw.ordinal, fate)
    }
}
