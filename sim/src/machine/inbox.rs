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
use crate::entropy::hash_bytes;
use crate::network::{Address, Fate, Loss, PACKET_SIZE_MAX, Packet};
use crate::planted::{self, Plant};
use crate::trace::Kind;

/// Packets that a machine has not taken yet; more are lost.
const INBOX_PACKETS_MAX: usize = 4096;

/// Packets in flight, by slot.
#[derive(Debug, Default)]
pub(super) struct Packets {
    slots: Vec<Option<(Address, u64, Packet)>>,
    free: Vec<u32>,
}

impl Packets {
    #[inline]
    fn insert(&mut self, to: Address, ordinal: u64, packet: Packet) -> u32 {
        if let Some(slot) = self.free.pop() {
            self.slots[slot as usize] = Some((to, ordinal, packet));
            return slot;
        }
        self.slots.push(Some((to, ordinal, packet)));
        u32::try_from(self.slots.len() - 1).expect("fewer than 2^32 packets in flight")
    }

    #[inline]
    fn take(&mut self, slot: u32) -> (Address, u64, Packet) {
        self.free.push(slot);
        self.slots[slot as usize]
            .take()
            .expect("a packet is delivered once")
    }
}

fn link_word(from: Address, to: Address) -> u64 {
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
        let (ordinal, fate) = self.fabric.borrow_mut().route(from, to);
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
        });
        tracing::debug!(target: "sim", "packet lost: {loss:?}");
    }

    #[inline]
    pub(super) fn deliver(&self, slot: u32) {
        let (to, ordinal, packet) = self.packets.borrow_mut().take(slot);
        let from = packet.from;
        let is_spared = planted::on(Plant::FlightSpared);
        if !is_spared && self.fabric.borrow().is_blocked(from, to) {
            self.lose(from, to, ordinal, Loss::Partition);
            return;
        }
        let waiter = {
            let mut machines = self.machines.borrow_mut();
            let machine = machines
                .get_mut(to.0 as usize)
                .filter(|machine| machine.is_up());
            let Some(machine) = machine else {
                drop(machines);
                self.lose(from, to, ordinal, Loss::Receiver);
                return;
            };
            if machine.inbox.len() >= INBOX_PACKETS_MAX {
                drop(machines);
                self.lose(from, to, ordinal, Loss::Receiver);
                return;
            }
            machine.inbox.push_back(packet);
            machine.inbox_waiter.take()
        };
        let now = self.now().as_nanos();
        self.event(Kind::Deliver, [link_word(from, to), ordinal, now], || {
            format!("machine {} hears machine {}", to.0, from.0)
        });
        if let Some(waiter) = waiter {
            self.wake(waiter);
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
        let mut machines = ground.machines.borrow_mut();
        let machine = &mut machines[self.place.machine().0 as usize];
        match machine.inbox.pop_front() {
            Some(packet) => Poll::Ready(packet),
            None => {
                machine.inbox_waiter = Some(ground.waiter(context));
                Poll::Pending
            }
        }
    }
}
