//! Steps of a request: send it in this session under the next sequence number, again when no answer
//! comes, until the timeout. A session that the node does not know any more leaves the outcome open.

use bytes::Bytes;
use cenotaph_engine::message::{Answer, Envelope, FailureCode, RefusalCode, Reply, Request};
use cenotaph_sim::host::{Host, Network};
use cenotaph_sim::sync;

use super::answers::{TypeOf, blame_of, outcome_of};
use super::build::NODE;
use super::patience::Patience;
use crate::history::{Blame, Outcome, Refusal};

/// A client's way to the node.
pub(super) struct Connection {
    host: Host,
    network: Network,
    client: u64,
    patience: Patience,
    session: Option<u64>,
    sequence: u64,
    /// Hellos have numbers of their own, never used again, so that a late welcome of an earlier
    /// incarnation is not taken for the present one's.
    hellos_count: u64,
}

/// How an operation ended for its client.
pub(super) struct Performed {
    /// The incarnation that answered.
    pub(super) incarnation: Option<u32>,
    /// The wall second at which the node says that it executed it.
    pub(super) now_seconds: Option<u32>,
    pub(super) outcome: Outcome,
    /// What the node blames, when it leaves the outcome open.
    pub(super) blame: Option<(Blame, String)>,
    /// Whether the node that was asked is gone, and the one that answers knows nothing of it.
    pub(super) is_session_over: bool,
    /// Whether the node refuses because it drains, or did and failed.
    pub(super) is_draining: bool,
}

impl Performed {
    /// Without the node.
    pub(super) fn alone(outcome: Outcome) -> Performed {
        Performed {
            incarnation: None,
            now_seconds: None,
            outcome,
            blame: None,
            is_session_over: false,
            is_draining: false,
        }
    }

    /// Whether the same may be done a little later.
    pub(super) fn is_not_now(&self) -> bool {
        self.is_session_over || matches!(self.outcome, Outcome::Refused(Refusal::NotNow(_)))
    }
}

/// An answer of the node.
pub(super) struct Told {
    pub(super) incarnation: u32,
    pub(super) now_seconds: u32,
    pub(super) answer: Answer,
}

impl Told {
    /// How the operation ended that this answers; it asked of a table whose columns have these types.
    pub(super) fn performed(self, type_of: TypeOf<'_>) -> Performed {
        Performed {
            incarnation: Some(self.incarnation),
            now_seconds: Some(self.now_seconds),
            blame: blame_of(&self.answer),
            is_draining: matches!(
                self.answer,
                Answer::Refused {
                    code: RefusalCode::Draining,
                    ..
                }
            ),
            is_session_over: matches!(
                self.answer,
                Answer::Failed {
                    code: FailureCode::SessionEnded,
                    ..
                }
            ),
            outcome: outcome_of(self.answer, type_of),
        }
    }
}

/// An outcome that nobody knows.
pub(super) fn unknown(why: &str) -> Outcome {
    Outcome::Unknown {
        why: why.to_owned(),
    }
}

impl Connection {
    pub(super) fn new(host: &Host, client: u64, patience: Patience) -> Connection {
        Connection {
            host: host.clone(),
            network: host.network(),
            client,
            patience,
            session: None,
            sequence: 0,
            hellos_count: 0,
        }
    }

    /// Has a session with the node's present incarnation; false when the patience for that ends.
    pub(super) async fn connect(&mut self) -> bool {
        for _ in 0..self.patience.connects_max {
            if self.session.is_some() {
                return true;
            }
            self.hellos_count += 1;
            let hello = Request::Hello {
                client: self.client,
            };
            if let Some((
                _,
                Reply {
                    body: Answer::Welcome { session },
                    ..
                },
            )) = self.exchange(0, self.hellos_count, hello).await
            {
                self.session = Some(session);
                self.sequence = 0;
            }
        }
        self.session.is_some()
    }

    /// Has the node do one operation, on a table whose columns have these types.
    pub(super) async fn perform(&mut self, request: Request, type_of: TypeOf<'_>) -> Performed {
        match self.ask(request).await {
            Ok(told) => told.performed(type_of),
            Err(performed) => performed,
        }
    }

    /// Has the node answer one request; what came of it instead, when it does not.
    pub(super) async fn ask(&mut self, request: Request) -> Result<Told, Performed> {
        let Some(session) = self.session else {
            return Err(Performed::alone(unknown("no session")));
        };
        self.sequence += 1;
        let Some((incarnation, reply)) = self.exchange(session, self.sequence, request).await
        else {
            // The node may be gone; a hello tells, and costs little when it is not.
            self.session = None;
            return Err(Performed::alone(unknown("timeout")));
        };
        // A node that has drained is gone, and its sessions with it.
        if matches!(reply.body, Answer::Drained | Answer::Failed { .. }) {
            self.session = None;
        }
        Ok(Told {
            incarnation,
            now_seconds: reply.now_seconds,
            answer: reply.body,
        })
    }

    /// Sends a request until its reply comes; none when the timeout comes first.
    async fn exchange(&self, session: u64, sequence: u64, body: Request) -> Option<(u32, Reply)> {
        let envelope = Envelope {
            session,
            sequence,
            body,
        };
        let bytes: Bytes = envelope.encode().expect("plans hold small requests");
        let clock = self.host.clock();
        for _ in 0..self.patience.sends_count {
            self.network
                .send(NODE, bytes.clone())
                .expect("plans hold small requests");
            let answer = sync::timeout(
                clock.sleep(self.patience.send_every),
                self.reply(session, sequence),
            );
            if let Ok(answer) = answer.await {
                return Some(answer);
            }
        }
        None
    }

    /// The next reply to this request; others are late ones of earlier requests.
    async fn reply(&self, session: u64, sequence: u64) -> (u32, Reply) {
        loop {
            let packet = self.network.recv().await;
            let reply = Reply::decode(&packet.bytes).expect("the node sends whole replies");
            if reply.session == session && reply.sequence == sequence {
                return (packet.incarnation, reply);
            }
        }
    }
}
