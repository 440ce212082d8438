//! Steps of a packet: is the way open, what does its link draw, when does it arrive.

use std::collections::BTreeSet;

use super::link::{Link, LinkOptions};
use super::packet::Address;
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
    blocked: BTreeSet<(Address, Address)>,
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
            blocked: BTreeSet::new(),
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

    /// Stops everything from `from` to `to`, packets in flight included.
    pub fn block(&mut self, from: Address, to: Address) {
        self.blocked.insert((from, to));
    }

    /// Opens the way again.
    pub fn unblock(&mut self, from: Address, to: Address) {
        self.blocked.remove(&(from, to));
    }

    /// Opens every way.
    pub fn unblock_all(&mut self) {
        self.blocked.clear();
        self.doomed_count = 0;
    }

    /// Whether a partition stands in the way.
    #[must_use]
    #[inline]
    pub fn is_blocked(&self, from: Address, to: Address) -> bool {
        !self.blocked.is_empty() && self.blocked.contains(&(from, to))
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
        let fate = if self.is_blocked(from, to) {
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
