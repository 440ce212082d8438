//! Invariants of an outgoing queue: it belongs to one connection, is bounded, and dies with it.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

use bytes::Bytes;

use crate::sync::Notify;

/// Packets that wait for their connection; more are lost.
const PACKETS_COUNT_MAX: usize = 4096;

/// Bytes of their bodies; more are lost.
const PACKETS_SIZE_MAX: usize = 32 << 20;

/// Packets that wait for their connection.
#[derive(Debug, Default)]
pub(super) struct Outgoing {
    packets: RefCell<VecDeque<Bytes>>,
    size: Cell<usize>,
    is_closed: Cell<bool>,
    changed: Notify,
}

impl Outgoing {
    /// Puts a packet in, or loses it.
    pub(super) fn put(&self, bytes: Bytes) {
        let size = self.size.get() + bytes.len();
        let mut packets = self.packets.borrow_mut();
        if packets.len() >= PACKETS_COUNT_MAX || size > PACKETS_SIZE_MAX {
            tracing::debug!(target: "os", "packet lost: the way out is full");
            return;
        }
        self.size.set(size);
        packets.push_back(bytes);
        drop(packets);
        self.changed.notify_one();
    }

    /// The next packet, if one waits.
    pub(super) fn take(&self) -> Option<Bytes> {
        let bytes = self.packets.borrow_mut().pop_front()?;
        self.size.set(self.size.get() - bytes.len());
        Some(bytes)
    }

    /// Waits until there may be a packet; false when the queue was closed.
    pub(super) async fn wait(&self) -> bool {
        loop {
            let changed = self.changed.notified();
            if self.is_closed.get() {
                return false;
            }
            if !self.packets.borrow().is_empty() {
                return true;
            }
            changed.await;
        }
    }

    /// Moves what waits here to another queue, which is empty.
    pub(super) fn pass_on(&self, to: &Outgoing) {
        to.packets.swap(&self.packets);
        to.size.swap(&self.size);
        to.changed.notify_one();
    }

    /// Ends the connection that the queue belongs to, and loses what waits.
    pub(super) fn close(&self) {
        self.is_closed.set(true);
        self.packets.borrow_mut().clear();
        self.size.set(0);
        self.changed.notify_all();
    }
}
