//! Vocabulary of packets: datagrams between machines.

use bytes::Bytes;

/// The largest datagram a network carries, in bytes; a larger one is refused by the sender's host.
pub const PACKET_SIZE_MAX: usize = 4 << 20;

/// Who a packet is from or to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address(pub u32);

/// A datagram that arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packet {
    /// Who sent it.
    pub from: Address,
    /// The sender's incarnation when it sent it.
    pub incarnation: u32,
    /// The body.
    pub bytes: Bytes,
}
