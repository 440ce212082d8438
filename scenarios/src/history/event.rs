//! Vocabulary of events. Times are true virtual time, not any machine's clock. Incarnations of the
//! node count from 1, so that 0 is free to mean "before the first".

use std::sync::Arc;

use cenotaph_sim::time::Instant;

use super::answer::{Blame, Outcome};
use crate::plan::{CrashKind, FileRole, Operation, OperationRef};

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A client begins an operation.
    Invoked {
        /// When, before the first packet leaves.
        at: Instant,
        /// Its name.
        operation: OperationRef,
        /// The operation itself.
        what: Arc<Operation>,
    },
    /// An operation ends for its client.
    Answered {
        /// When, after the last packet arrived or the client gave up.
        at: Instant,
        /// Its name.
        operation: OperationRef,
        /// The incarnation that answered; none when nobody did.
        incarnation: Option<u32>,
        /// The wall second at which the node says that it executed it, when it did.
        now_seconds: Option<u32>,
        /// How it ended.
        outcome: Outcome,
    },
    /// An incarnation of the node begins to boot.
    Booting {
        /// When.
        at: Instant,
        /// Which.
        incarnation: u32,
    },
    /// An incarnation of the node serves requests from now on.
    Serving {
        /// When.
        at: Instant,
        /// Which.
        incarnation: u32,
    },
    /// The world ends an incarnation of the node.
    Crashed {
        /// When.
        at: Instant,
        /// Which.
        incarnation: u32,
        /// How.
        kind: CrashKind,
    },
    /// The node's program ends by itself.
    Exited {
        /// When.
        at: Instant,
        /// Which.
        incarnation: u32,
        /// The error that it returned; none when it returned without one.
        error: Option<String>,
    },
    /// A task of the node panicked; the incarnation ends.
    Panicked {
        /// When.
        at: Instant,
        /// Which.
        incarnation: u32,
        /// Name of the task.
        task: String,
        /// The panic's message.
        message: String,
    },
    /// The node told a client that its machine or its stored bytes failed it; the answer itself follows.
    Blamed {
        /// When.
        at: Instant,
        /// The operation.
        operation: OperationRef,
        /// Which incarnation.
        incarnation: u32,
        /// What it blames.
        blame: Blame,
        /// Its words.
        why: String,
    },
    /// What the node shows and what it wrote down of that contradict each other.
    Contradicted {
        /// When it was asked.
        at: Instant,
        /// Which incarnation.
        incarnation: u32,
        /// What does not agree.
        what: String,
    },
    /// A disk fault struck an operation of the node: an error, a full disk, a failed sync.
    DiskFault {
        /// When.
        at: Instant,
        /// Which.
        incarnation: u32,
        /// What the file is for; none when the plan left open which file it strikes.
        role: Option<FileRole>,
        /// Which fault, at which file.
        what: String,
    },
    /// The node passed a place whose time the judges want.
    Marked {
        /// When.
        at: Instant,
        /// Which incarnation.
        incarnation: u32,
        /// The place.
        mark: &'static str,
    },
    /// All faults ended, and the node is to be up for good.
    Healed {
        /// When.
        at: Instant,
    },
}

impl Event {
    /// When it happened.
    #[must_use]
    pub const fn at(&self) -> Instant {
        match self {
            Event::Invoked { at, .. }
            | Event::Answered { at, .. }
            | Event::Booting { at, .. }
            | Event::Serving { at, .. }
            | Event::Crashed { at, .. }
            | Event::Exited { at, .. }
            | Event::Panicked { at, .. }
            | Event::Blamed { at, .. }
            | Event::Contradicted { at, .. }
            | Event::DiskFault { at, .. }
            | Event::Marked { at, .. }
            | Event::Healed { at } => *at,
        }
    }
}

/// All events of a run, in the order in which they happened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    events: Vec<Event>,
}

impl History {
    /// An empty one, which needs no other memory until it has more events than this.
    #[must_use]
    pub fn with_room_for(events_count: usize) -> History {
        History {
            events: Vec::with_capacity(events_count),
        }
    }

    /// Adds an event.
    ///
    /// # Panics
    /// When it happened before the last one: a recorder that goes back in time is broken.
    pub fn push(&mut self, event: Event) {
        if let Some(last) = self.events.last() {
            assert!(
                last.at() <= event.at(),
                "history goes back in time: {last:?}, then {event:?}"
            );
        }
        self.events.push(event);
    }

    /// The first events, so many of them.
    #[must_use]
    pub fn first(&self, count: usize) -> History {
        History {
            events: self.events[..count].to_vec(),
        }
    }

    /// The events, in order.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.events
    }
}
