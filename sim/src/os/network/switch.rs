//! Invariants of the switch: at most one way to each machine; a way is taken down with its connection,
//! and by nothing of an older one.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::io;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Duration;

use bytes::Bytes;

use super::frame::Hello;
use super::inbox::Inbox;
use super::outgoing::Outgoing;
use crate::network::{Address, PACKET_SIZE_MAX, Packet};
use crate::os::Machine;
use crate::time::Instant;

/// How long a peer that could not be reached is not dialled again.
const REDIAL_PAUSE: Duration = Duration::from_millis(100);

/// A machine's connections, and what arrived over them.
#[derive(Debug)]
pub(in crate::os) struct Switch {
    peers: BTreeMap<Address, SocketAddr>,
    pub(super) inbox: Inbox,
    pub(super) accepted_count: Cell<usize>,
    ways: RefCell<BTreeMap<Address, Way>>,
    dial_not_before: RefCell<BTreeMap<Address, Instant>>,
    next_id: Cell<u64>,
}

#[derive(Debug)]
struct Way {
    id: u64,
    /// Whether we dialled.
    is_ours: bool,
    /// The other end's, once it said.
    incarnation: Option<u32>,
    outgoing: Rc<Outgoing>,
}

/// One connection's share in the switch.
#[derive(Debug)]
pub(super) struct Line {
    id: u64,
    pub(super) outgoing: Rc<Outgoing>,
}

/// A line that is yet to be dialled, and where.
#[derive(Debug)]
struct Dial {
    line: Line,
    at: SocketAddr,
}

impl Switch {
    pub(in crate::os) fn new(peers: BTreeMap<Address, SocketAddr>) -> Switch {
        Switch {
            peers,
            inbox: Inbox::default(),
            accepted_count: Cell::new(0),
            ways: RefCell::default(),
            dial_not_before: RefCell::default(),
            next_id: Cell::new(0),
        }
    }

    fn line(&self) -> Line {
        let id = self.next_id.get();
        self.next_id.set(id + 1);
        Line {
            id,
            outgoing: Rc::default(),
        }
    }

    /// A dialled peer said who it is.
    pub(super) fn greeted(&self, line: &Line, hello: Hello) {
        if let Some(way) = self.ways.borrow_mut().get_mut(&hello.address)
            && way.id == line.id
        {
            way.incarnation = Some(hello.incarnation);
        }
    }

    /// The line of a peer that dialled us. It becomes the way there, unless we reached that same
    /// incarnation over a line of our own: a peer that dials again has lost what it had before, and
    /// one that we still dial may be out of our reach.
    pub(super) fn welcome(&self, hello: Hello) -> Line {
        let line = self.line();
        let mut ways = self.ways.borrow_mut();
        let stays = ways
            .get(&hello.address)
            .is_some_and(|way| way.is_ours && way.incarnation == Some(hello.incarnation));
        if !stays {
            let way = Way {
                id: line.id,
                is_ours: false,
                incarnation: Some(hello.incarnation),
                outgoing: Rc::clone(&line.outgoing),
            };
            match ways.insert(hello.address, way) {
                Some(dialled) if dialled.incarnation.is_none() => {
                    dialled.outgoing.pass_on(&line.outgoing);
                }
                Some(lost) => lost.outgoing.close(),
                None => {}
            }
        }
        line
    }

    /// A connection is over.
    pub(super) fn hang_up(&self, to: Address, line: &Line) {
        line.outgoing.close();
        let mut ways = self.ways.borrow_mut();
        if ways.get(&to).is_some_and(|way| way.id == line.id) {
            ways.remove(&to);
        }
    }

    /// A peer could not be reached.
    pub(super) fn pause(&self, to: Address, now: Instant) {
        let until = now.after(REDIAL_PAUSE);
        self.dial_not_before.borrow_mut().insert(to, until);
    }

    /// The way to a machine; a new one, whose line is yet to be dialled, when there was none.
    fn way(&self, to: Address, now: Instant) -> Option<(Rc<Outgoing>, Option<Dial>)> {
        let mut ways = self.ways.borrow_mut();
        if let Some(way) = ways.get(&to) {
            return Some((Rc::clone(&way.outgoing), None));
        }
        let at = *self.peers.get(&to)?;
        let not_before = self.dial_not_before.borrow().get(&to).copied();
        if not_before.is_some_and(|not_before| now < not_before) {
            return None;
        }
        let line = self.line();
        let outgoing = Rc::clone(&line.outgoing);
        let way = Way {
            id: line.id,
            is_ours: true,
            incarnation: None,
            outgoing: Rc::clone(&outgoing),
        };
        ways.insert(to, way);
        Some((outgoing, Some(Dial { line, at })))
    }
}

impl Machine {
    /// Sends one datagram.
    ///
    /// # Errors
    /// `InvalidInput` when it exceeds [`PACKET_SIZE_MAX`]; what happens to it on its way is no error.
    pub fn send(self: &Rc<Machine>, to: Address, bytes: Bytes) -> io::Result<()> {
        let size = bytes.len();
        if size > PACKET_SIZE_MAX {
            let text = format!("a packet of {size} bytes exceeds {PACKET_SIZE_MAX}");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
        }
        if self.has_ended() {
            return Ok(());
        }
        if to == self.address() {
            self.switch.inbox.put(Packet {
                from: to,
                incarnation: self.incarnation(),
                bytes,
            });
            return Ok(());
        }
        let Some((outgoing, dial)) = self.switch.way(to, self.monotonic()) else {
            tracing::debug!(target: "os", "packet lost: no way to machine {}", to.0);
            return Ok(());
        };
        outgoing.put(bytes);
        if let Some(Dial { line, at }) = dial {
            let dialling = Rc::clone(self).dial(to, at, line);
            self.spawn("network dial", Box::pin(dialling));
        }
        Ok(())
    }

    /// The next datagram. One task at a time may wait here.
    pub async fn recv(&self) -> Packet {
        self.alive().await;
        self.switch.inbox.next().await
    }
}
