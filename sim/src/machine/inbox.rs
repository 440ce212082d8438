//! Steps of a packet: sent, routed, delivered to the incarnation that then runs, or lost.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;

use super::ground::{Due, Ground};
use super::place::Place;
use super::waits::Waiter;
use crate::entropy::hash_bytes;
use crate::network::{Address, Arrival, Fate, Loss, PACKET_SIZE_MAX, Packet};
use crate::planted::{self, Plant};
use crate::trace::Kind;

/// Packets that a machine has not taken yet; more are lost.
const INBOX_PACKETS_MAX: u32 = 4096;

/// No packet.
const NONE: u32 = u32::MAX;

/// All packets in flight or in an inbox, by slot, and the inboxes.
#[derive(Debug, Default)]
pub(super) struct Packets {
    slots: Vec<Slot>,
    free: Vec<u32>,
    inboxes: Vec<Inbox>,
}

/// A packet's place: it stays there from its sending until it is taken.
#[derive(Debug)]
struct Slot {
    /// Its number on its link.
    ordinal: u64,
    to: Address,
    /// The next packet of the same inbox.
    next: u32,
    packet: Option<Packet>,
}

/// The packets that a machine has not taken yet, in the order in which they arrived.
#[derive(Debug)]
struct Inbox {
    /// Whether an incarnation listens.
    open: bool,
    first: u32,
    last: u32,
    packets_count: u32,
    waiter: Option<Waiter>,
}

impl Packets {
    /// A machine more, that does not listen.
    pub(super) fn add_machine(&mut self) {
        self.inboxes.push(Inbox {
            open: false,
            first: NONE,
            last: NONE,
            packets_count: 0,
            waiter: None,
        });
    }

    /// A machine's incarnation begins to listen, or ends.
    pub(super) fn set_open(&mut self, machine: Address, open: bool) {
        self.inboxes[machine.0 as usize].open = open;
    }

    /// Forgets what an ended incarnation has not taken; gives its packets and who waited, to be dropped.
    pub(super) fn clear(&mut self, machine: Address) -> (Vec<Packet>, Option<Waiter>) {
        let mut left = Vec::new();
        while let Some(packet) = self.take_first(machine) {
            left.push(packet);
        }
        (left, self.inboxes[machine.0 as usize].waiter.take())
    }

    #[inline]
    fn insert(&mut self, to: Address, ordinal: u64, packet: Packet) -> u32 {
        let inserted = Slot {
            ordinal,
            to,
            next: NONE,
            packet: Some(packet),
        };
        if let Some(slot) = self.free.pop() {
            self.slots[slot as usize] = inserted;
            return slot;
        }
        self.slots.push(inserted);
        u32::try_from(self.slots.len() - 1)
            .ok()
            .filter(|slot| *slot != NONE)
            .expect("fewer than 2^32 - 1 packets in flight")
    }

    #[inline]
    fn take(&mut self, slot: u32) -> Packet {
        self.free.push(slot);
        let packet = self.slots[slot as usize].packet.take();
        packet.expect("a packet is taken once")
    }

    #[inline]
    fn take_first(&mut self, machine: Address) -> Option<Packet> {
        let inbox = &mut self.inboxes[machine.0 as usize];
        let first = inbox.first;
        if first == NONE {
            return None;
        }
        inbox.first = self.slots[first as usize].next;
        inbox.packets_count -= 1;
        Some(self.take(first))
    }

    /// Puts a packet into the inbox of its receiver, unless that is down or its queue is full; gives who
    /// waits for it.
    #[inline]
    fn deliver(&mut self, slot: u32) -> Result<Option<Waiter>, Loss> {
        let to = self.slots[slot as usize].to;
        let inbox = match self.inboxes.get_mut(to.0 as usize) {
            Some(inbox) if inbox.open && inbox.packets_count < INBOX_PACKETS_MAX => inbox,
            _ => return Err(Loss::Receiver),
        };
        let before = if inbox.packets_count == 0 {
            &mut inbox.first
        } else {
            &mut self.slots[inbox.last as usize].next
        };
        *before = slot;
        inbox.last = slot;
        inbox.packets_count += 1;
        Ok(inbox.waiter.take())
    }
}

pub(super) fn link_word(from: Address, to: Address) -> u64 {
    (u64::from(from.0) << 32) | u64::from(to.0)
}

impl Ground {
    /// Sends a packet.
    pub fn send(&self, place: &Place, to: Address, bytes: Bytes) -> io::Result<()> {
        if bytes.len() > PACKET_SIZE_MAX {
            let text = format!(
                "a packet of {} bytes exceeds {PACKET_SIZE_MAX}",
                bytes.len()
            );
            return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
        }
        let from = place.machine();
        let (ordinal, fate) = {
            let mut fabric = self.fabric.borrow_mut();
            let (ordinal, fate) = fabric.route(from, to);
            let now_nanos = self.now().as_nanos();
            (
                ordinal,
                fabric.queued((from, to), bytes.len(), now_nanos, fate),
            )
        };
        let content = hash_bytes(0, &bytes);
        self.event(Kind::Send, [link_word(from, to), ordinal, content], || {
            format!(
                "{} sends {} bytes to machine {}",
                place.name(),
                bytes.len(),
                to.0
            )
        });
        let packet = Packet {
            from,
            incarnation: place.incarnation(),
            bytes,
        };
        match fate {
            Fate::Lost(loss) => self.lose(from, to, ordinal, loss),
            Fate::Arrives {
                first_nanos,
                second_nanos,
            } => {
                if let Some(nanos) = second_nanos {
                    self.mark("network.doubled");
                    self.fly(to, ordinal, packet.clone(), nanos);
                }
                self.fly(to, ordinal, packet, first_nanos);
            }
        }
        Ok(())
    }

    #[inline]
    fn fly(&self, to: Address, ordinal: u64, packet: Packet, nanos: u64) {
        let due = self.quantise(self.now().after(Duration::from_nanos(nanos)));
        let slot = self.packets.borrow_mut().insert(to, ordinal, packet);
        self.queue.borrow_mut().push(due, Due::Deliver(slot));
    }

    fn lose(&self, from: Address, to: Address, ordinal: u64, loss: Loss) {
        self.event(
            Kind::Lose,
            [link_word(from, to), ordinal, loss as u64],
            || format!("lost from machine {} to machine {}: {loss:?}", from.0, to.0),
        );
        self.mark(match loss {
            Loss::Chance => "network.lost",
            Loss::Partition => "network.partitioned",
            Loss::Fault => "network.dropped",
            Loss::Receiver => "network.unheard",
            Loss::Queue => "network.queue-full",
        });
        tracing::debug!(target: "sim", "packet lost: {loss:?}");
    }

    #[inline]
    pub(super) fn deliver(&self, slot: u32) {
        let mut packets = self.packets.borrow_mut();
        let Slot {
            ordinal,
            to,
            packet,
            ..
        } = &packets.slots[slot as usize];
        let (ordinal, to) = (*ordinal, *to);
        let from = packet.as_ref().expect("a packet is delivered once").from;
        let arrival = match planted::on(Plant::FlightSpared) {
            true => Arrival::Passes,
            false => self.fabric.borrow().arrival(from, to),
        };
        let delivered = match arrival {
            Arrival::Passes => packets.deliver(slot),
            Arrival::Lost => Err(Loss::Partition),
            Arrival::Held => {
                drop(packets);
                return self.hold((from, to), ordinal, slot);
            }
        };
        match delivered {
            Ok(waiter) => {
                drop(packets);
                let now = self.now().as_nanos();
                self.event(Kind::Deliver, [link_word(from, to), ordinal, now], || {
                    format!("machine {} hears machine {}", to.0, from.0)
                });
                if let Some(waiter) = waiter {
                    self.wake(waiter);
                }
            }
            Err(loss) => {
                let packet = packets.take(slot);
                drop(packets);
                drop(packet);
                self.lose(from, to, ordinal, loss);
            }
        }
    }
}

/// The future of the next packet.
#[derive(Debug)]
#[must_use = "receiving does nothing unless awaited"]
pub struct Receiving<'a> {
    pub(crate) place: &'a Rc<Place>,
}

impl Future for Receiving<'_> {
    type Output = Packet;

    #[inline]
    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Packet> {
        let Some(ground) = self.place.ground() else {
            return Poll::Pending;
        };
        let machine = self.place.machine();
        let mut packets = ground.packets.borrow_mut();
        if let Some(packet) = packets.take_first(machine) {
            return Poll::Ready(packet);
        }
        let waiter = ground.waiter(context);
        let before = packets.inboxes[machine.0 as usize].waiter.replace(waiter);
        drop(packets);
        // Dropped when nothing is borrowed, since a foreign waker may hold anything.
        drop(before);
        Poll::Pending
    }
}
