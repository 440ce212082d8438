//! Steps of a packet onto a slow link: wait until those before it are through, then take the time that
//! its size needs; lost at once when too many bytes wait.

use std::collections::BTreeMap;

use super::packet::Address;

/// How much passes a link, in each direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bandwidth {
    /// Bytes a second; at least 1.
    pub bytes_per_second: u64,
    /// Bytes that may wait for those before them; a packet that finds more is lost.
    pub queue_bytes_max: u64,
}

/// Until when each link is busy with what was sent, in nanoseconds of the world. Empty while bandwidth
/// has no limit.
#[derive(Debug, Default)]
pub(super) struct Queues {
    busy_until: BTreeMap<(Address, Address), u64>,
}

impl Queues {
    /// How long a packet waits and takes, in nanoseconds; none when the queue is full.
    pub(super) fn enter(
        &mut self,
        link: (Address, Address),
        size_bytes: usize,
        now_nanos: u64,
        bandwidth: Bandwidth,
    ) -> Option<u64> {
        assert!(
            bandwidth.bytes_per_second > 0,
            "a link through which nothing passes is a barrier"
        );
        let busy_until = self.busy_until.entry(link).or_insert(0);
        let waiting_nanos = busy_until.saturating_sub(now_nanos);
        let rate = u128::from(bandwidth.bytes_per_second);
        let waiting_bytes = u128::from(waiting_nanos) * rate / 1_000_000_000;
        if waiting_bytes > u128::from(bandwidth.queue_bytes_max) {
            return None;
        }
        let takes_nanos = (size_bytes as u128 * 1_000_000_000).div_ceil(rate);
        let takes_nanos = u64::try_from(takes_nanos).unwrap_or(u64::MAX);
        let delay_nanos = waiting_nanos.saturating_add(takes_nanos);
        *busy_until = now_nanos.saturating_add(delay_nanos);
        Some(delay_nanos)
    }
}
