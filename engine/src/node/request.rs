//! Steps of a packet: let its session decide; begin the request; what of it has to wait waits in a task of its
//! own; remember the answer and send it.

use std::rc::Rc;

use bytes::Bytes;
use cenotaph_sim::host::{Address, Packet};

use super::execute::Begun;
use super::running::Node;
use crate::error::Error;
use crate::message::{Admission, Answer, Envelope, FailureCode, MessageError, Reply, Request};

/// A request, as far as its answer needs it.
struct Asked {
    client: Address,
    session: u64,
    sequence: u64,
    now_seconds: u32,
}

/// Takes a packet of a client.
pub(super) fn receive(node: &Rc<Node>, packet: &Packet) {
    let envelope = match Envelope::decode(&packet.bytes) {
        Ok(envelope) => envelope,
        Err(error) => {
            node.host.mark("node.packet-refused");
            tracing::debug!(from = packet.from.0, %error, "packet refused");
            return;
        }
    };
    let admission = node.sessions.borrow_mut().admit(&envelope);
    match admission {
        Admission::Execute => begin(node, packet.from, envelope),
        Admission::Send(reply) => send(node, packet.from, encode(reply)),
        Admission::Repeat(answer) => send(node, packet.from, Ok(answer)),
        Admission::Ignore => node.host.mark("node.packet-ignored"),
    }
}

fn begin(node: &Rc<Node>, client: Address, envelope: Envelope) {
    let Envelope {
        session,
        sequence,
        body,
    } = envelope;
    let asked = Asked {
        client,
        session,
        sequence,
        now_seconds: node.now_seconds(),
    };
    let begun = match node.begin(body, asked.now_seconds) {
        Ok(Begun::Done(answer)) => return answer_with(node, &asked, Ok(answer)),
        Err(error) => return answer_with(node, &asked, Err(error)),
        Ok(begun) => begun,
    };
    let (host, node) = (&node.host, Rc::clone(node));
    match begun {
        Begun::Done(_) => unreachable!("handled above"),
        Begun::Write(writing) => {
            host.spawn("write", async move {
                let result = node.finish_write(writing).await;
                answer_with(&node, &asked, result);
            });
        }
        Begun::Read(reading) => {
            host.spawn("read", async move {
                let result = node.finish_read(reading).await;
                answer_with(&node, &asked, result);
            });
        }
        Begun::Drain => {
            host.spawn("drain", async move {
                let result = node.drain().await;
                let is_end = result.is_ok();
                answer_with(&node, &asked, result);
                if is_end {
                    node.finish(Ok(()));
                }
            });
        }
        Begun::Other(running, request) => {
            let name = task_name(&request);
            host.spawn(name, async move {
                let other = node.finish_other(running, request, asked.now_seconds);
                let result = other.await;
                answer_with(&node, &asked, result);
            });
        }
    }
}

fn task_name(request: &Request) -> &'static str {
    match request {
        Request::Hello { .. } => "hello",
        Request::Change(_) => "change",
        Request::Write(_) => "write",
        Request::Read(_) => "read",
        Request::Describe => "describe",
        Request::Flush { .. } => "flush",
        Request::Compact { .. } => "compact",
        Request::Truncate { .. } => "truncate",
        Request::MarkRepaired { .. } => "mark-repaired",
        Request::Stones { .. } => "stones",
        Request::SetSchemaFlushWindow { .. } => "set-window",
        Request::Drain => "drain",
    }
}

fn answer_with(node: &Node, asked: &Asked, result: Result<Answer, Error>) {
    let body = result.unwrap_or_else(|error| {
        node.metrics.node.requests_failed.increment();
        Answer::of_error(&error)
    });
    let answer = encode(Reply {
        session: asked.session,
        sequence: asked.sequence,
        now_seconds: asked.now_seconds,
        body,
    });
    if let Ok(answer) = &answer {
        let mut sessions = node.sessions.borrow_mut();
        sessions.finish(asked.session, asked.sequence, answer);
    }
    send(node, asked.client, answer);
}

/// The packet of a reply; one that no packet can hold becomes an error that fits.
fn encode(reply: Reply) -> Result<Bytes, MessageError> {
    reply.encode().or_else(|error| {
        let body = Answer::Failed {
            code: FailureCode::Storage,
            message: error.to_string(),
        };
        Reply { body, ..reply }.encode()
    })
}

fn send(node: &Node, client: Address, answer: Result<Bytes, MessageError>) {
    let sent = answer.map(|bytes| node.host.network().send(client, bytes));
    if !matches!(sent, Ok(Ok(()))) {
        node.host.mark("node.reply-lost");
        tracing::warn!(client = client.0, ?sent, "reply not sent");
    }
}
