//! Invariants of the inbox: first come, first served; what does not fit is lost.

use std::cell::RefCell;
use std::collections::VecDeque;

use crate::network::Packet;
use crate::sync::Notify;

/// Packets that nobody has taken yet; more are lost, as on a simulated machine.
const PACKETS_COUNT_MAX: usize = 4096;

/// Bytes of their bodies; more are lost.
const PACKETS_SIZE_MAX: usize = 64 << 20;

/// Packets that arrived.
#[derive(Debug, Default)]
pub(super) struct Inbox {
    waiting: RefCell<Waiting>,
    arrived: Notify,
}

#[derive(Debug, Default)]
struct Waiting {
    packets: VecDeque<Packet>,
    size: usize,
}

impl Inbox {
    /// Puts a packet in, or loses it.
    pub(super) fn put(&self, packet: Packet) {
        {
            let mut waiting = self.waiting.borrow_mut();
            let size = waiting.size + packet.bytes.len();
            if waiting.packets.len() >= PACKETS_COUNT_MAX || size > PACKETS_SIZE_MAX {
                tracing::debug!(target: "os", "packet lost: the inbox is full");
                return;
            }
            waiting.size = size;
            waiting.packets.push_back(packet);
        }
        self.arrived.notify_one();
    }

    fn take(&self) -> Option<Packet> {
        let mut waiting = self.waiting.borrow_mut();
        let packet = waiting.packets.pop_front()?;
        waiting.size -= packet.bytes.len();
        Some(packet)
    }

    /// The next packet.
    pub(super) async fn next(&self) -> Packet {
        loop {
            let arrived = self.arrived.notified();
            if let Some(packet) = self.take() {
                return packet;
            }
            arrived.await;
        }
    }
}
