//! Invariants of links: each direction of each pair has a key of its own and a fixed number of
//! draws a packet, so that switching a fault off re-deals nothing.

use super::queueing::Bandwidth;
use crate::entropy::{Ratio, StreamKey, mix64, scale};
use crate::planted::{self, Plant};

/// How the links of a network behave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkOptions {
    /// The least a packet needs, in nanoseconds.
    pub delay_min_nanos: u64,
    /// The most it needs, but for stragglers.
    pub delay_max_nanos: u64,
    /// How often a packet is late by up to eight times the largest delay.
    pub straggling: Ratio,
    /// How often a packet is lost.
    pub loss: Ratio,
    /// How often a packet arrives twice.
    pub duplication: Ratio,
    /// How much passes; no limit, and no work for it, when absent.
    pub bandwidth: Option<Bandwidth>,
}

impl Default for LinkOptions {
    fn default() -> LinkOptions {
        LinkOptions {
            delay_min_nanos: 100_000,
            delay_max_nanos: 2_000_000,
            straggling: Ratio::NEVER,
            loss: Ratio::NEVER,
            duplication: Ratio::NEVER,
            bandwidth: None,
        }
    }
}

/// One direction between two machines.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    key: StreamKey,
    sent_count: u64,
}

/// What was drawn for one packet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Draw {
    pub(super) ordinal: u64,
    pub(super) lost: bool,
    pub(super) doubled: bool,
    pub(super) delays_nanos: [u64; 2],
}

impl Link {
    pub(super) fn new(network: StreamKey, from: u32, to: u32) -> Link {
        let pair = (u64::from(from) << 32) | u64::from(to);
        Link {
            key: StreamKey(mix64(network.0, pair)),
            sent_count: 0,
        }
    }

    #[inline]
    pub(super) fn draw(&mut self, options: &LinkOptions) -> Draw {
        let ordinal = self.sent_count;
        self.sent_count += 1;
        let first = self.key.word(2 * ordinal);
        let second = self.key.word(2 * ordinal + 1);
        let spread = options
            .delay_max_nanos
            .saturating_sub(options.delay_min_nanos)
            + 1;
        let delay = |word: u64| {
            let body = options.delay_min_nanos + scale(word & 0xffff_ffff, spread);
            let late = options
                .straggling
                .strikes(((word >> 32) as u32).rotate_left(16));
            if late {
                body + scale((word >> 16) & 0xffff_ffff, 8 * options.delay_max_nanos)
            } else {
                body
            }
        };
        let is_spared = planted::on(Plant::RateOff) && !ordinal.is_multiple_of(100);
        let doubled = options.duplication.strikes(first as u32);
        let copy_nanos = if doubled {
            delay(second.rotate_left(27) ^ first)
        } else {
            0
        };
        Draw {
            ordinal,
            lost: !is_spared && options.loss.strikes((first >> 32) as u32),
            doubled,
            delays_nanos: [delay(second), copy_nanos],
        }
    }
}
