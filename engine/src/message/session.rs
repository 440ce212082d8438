//! Invariants of sessions: a request is executed at most once, and never after a later one of its
//! session was admitted; a packet from before a crash is never executed after it.
//!
//! A session belongs to one incarnation of the node. Within it sequence numbers rise, so a late copy of
//! an old packet is known, and a copy of the last one gets the last one's answer.

use std::collections::BTreeMap;

use bytes::Bytes;

use super::answer::{Answer, FailureCode, RefusalCode};
use super::envelope::{Envelope, Reply, Request};
use crate::limits::SESSIONS_MAX;

/// What to do with a packet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Admission {
    /// Execute the request, then call [`Sessions::finish`].
    Execute,
    /// Send this; execute nothing.
    Send(Reply),
    /// Send this packet again: the answer to the session's last request, of which this is a copy.
    Repeat(Bytes),
    /// Nothing: its answer is on the way, or nobody waits for one any more.
    Ignore,
}

/// The open sessions of one incarnation of a node: at most one a client.
#[derive(Debug)]
pub struct Sessions {
    incarnation: u32,
    opened_count: u32,
    by_client: BTreeMap<u64, Session>,
    client_of: BTreeMap<u64, u64>,
}

#[derive(Debug)]
struct Session {
    number: u64,
    /// Of the Hello that opened it.
    hello_sequence: u64,
    /// Of the last request; 0 before the first.
    sequence: u64,
    /// The packet that answers the last request; `None` while it is executed.
    answer: Option<Bytes>,
}

impl Sessions {
    /// No session yet. `incarnation` is of this machine, and never the same again.
    #[must_use]
    pub const fn new(incarnation: u32) -> Sessions {
        Sessions {
            incarnation,
            opened_count: 0,
            by_client: BTreeMap::new(),
            client_of: BTreeMap::new(),
        }
    }

    /// Decides what to do with a packet. Call it once a packet, before any await.
    pub fn admit(&mut self, envelope: &Envelope) -> Admission {
        if let Request::Hello { client } = envelope.body {
            return self.hello(client, envelope);
        }
        let client = self.client_of.get(&envelope.session);
        let Some(session) = client.and_then(|client| self.by_client.get_mut(client)) else {
            let message = format!("session {} has ended", envelope.session);
            let code = FailureCode::SessionEnded;
            return Admission::Send(reply(envelope, Answer::Failed { code, message }));
        };
        if envelope.sequence > session.sequence {
            session.sequence = envelope.sequence;
            session.answer = None;
            return Admission::Execute;
        }
        match &session.answer {
            Some(answer) if envelope.sequence == session.sequence => {
                Admission::Repeat(answer.clone())
            }
            _ => Admission::Ignore,
        }
    }

    /// Remembers the packet that answers an executed request, while that is its session's last.
    pub fn finish(&mut self, session: u64, sequence: u64, answer: &Bytes) {
        let client = self.client_of.get(&session);
        let open = client.and_then(|client| self.by_client.get_mut(client));
        if let Some(open) = open.filter(|open| open.sequence == sequence) {
            open.answer = Some(answer.clone());
        }
    }

    /// How many sessions are open.
    #[must_use]
    pub fn count(&self) -> usize {
        self.by_client.len()
    }

    fn hello(&mut self, client: u64, envelope: &Envelope) -> Admission {
        let open = self.by_client.get(&client);
        match open {
            Some(open) if envelope.sequence < open.hello_sequence => return Admission::Ignore,
            Some(open) if envelope.sequence == open.hello_sequence => {
                return Admission::Send(reply(
                    envelope,
                    Answer::Welcome {
                        session: open.number,
                    },
                ));
            }
            None if self.by_client.len() >= SESSIONS_MAX => {
                let message = format!("{SESSIONS_MAX} sessions are open, the maximum");
                let code = RefusalCode::Busy;
                return Admission::Send(reply(envelope, Answer::Refused { code, message }));
            }
            Some(_) | None => {}
        }
        self.opened_count = self
            .opened_count
            .checked_add(1)
            .expect("fewer than 2^32 sessions an incarnation");
        let number = u64::from(self.incarnation) << 32 | u64::from(self.opened_count);
        let hello_sequence = envelope.sequence;
        let session = Session {
            number,
            hello_sequence,
            sequence: 0,
            answer: None,
        };
        if let Some(ended) = self.by_client.insert(client, session) {
            self.client_of.remove(&ended.number);
        }
        self.client_of.insert(number, client);
        Admission::Send(reply(envelope, Answer::Welcome { session: number }))
    }
}

/// Of what is answered without being executed.
fn reply(envelope: &Envelope, body: Answer) -> Reply {
    Reply {
        session: envelope.session,
        sequence: envelope.sequence,
        now_seconds: 0,
        body,
    }
}
