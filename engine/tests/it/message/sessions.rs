//! Invariants tests of sessions: copies, late packets, packets from before a crash.

use bytes::Bytes;
use cenotaph_engine::message::{
    Admission, Answer, Envelope, FailureCode, Reply, Request, Sessions,
};
use proptest::prelude::*;

use crate::laws::config;

const CLIENT: u64 = 7;

fn hello(sequence: u64) -> Envelope {
    Envelope {
        session: 0,
        sequence,
        body: Request::Hello { client: CLIENT },
    }
}

fn request(session: u64, sequence: u64) -> Envelope {
    Envelope {
        session,
        sequence,
        body: Request::Describe,
    }
}

/// The packet that answers a write.
fn written(session: u64, sequence: u64) -> Bytes {
    let reply = Reply {
        session,
        sequence,
        now_seconds: 7,
        body: Answer::Written,
    };
    reply.encode().expect("a small packet")
}

/// The session that a Hello opens.
fn opened(sessions: &mut Sessions, envelope: &Envelope) -> u64 {
    match sessions.admit(envelope) {
        Admission::Send(Reply {
            session: 0,
            body: Answer::Welcome { session },
            ..
        }) => session,
        other => panic!("{other:?}"),
    }
}

fn has_ended(admission: &Admission) -> bool {
    matches!(
        admission,
        Admission::Send(Reply {
            body: Answer::Failed {
                code: FailureCode::SessionEnded,
                ..
            },
            ..
        })
    )
}

#[test]
fn a_request_is_executed_once_and_its_copy_gets_the_same_answer() {
    let mut sessions = Sessions::new(1);
    let session = opened(&mut sessions, &hello(1));
    assert_eq!(sessions.admit(&request(session, 1)), Admission::Execute);
    assert_eq!(
        sessions.admit(&request(session, 1)),
        Admission::Ignore,
        "under way"
    );
    let answer = written(session, 1);
    sessions.finish(session, 1, &answer);
    assert_eq!(
        sessions.admit(&request(session, 1)),
        Admission::Repeat(answer)
    );
}

#[test]
fn a_packet_that_a_later_one_overtook_is_never_executed() {
    let mut sessions = Sessions::new(1);
    let session = opened(&mut sessions, &hello(1));
    assert_eq!(sessions.admit(&request(session, 6)), Admission::Execute);
    assert_eq!(sessions.admit(&request(session, 5)), Admission::Ignore);
}

#[test]
fn an_answer_that_comes_after_the_next_request_is_not_taken_for_its() {
    let mut sessions = Sessions::new(1);
    let session = opened(&mut sessions, &hello(1));
    assert_eq!(sessions.admit(&request(session, 1)), Admission::Execute);
    assert_eq!(sessions.admit(&request(session, 2)), Admission::Execute);
    sessions.finish(session, 1, &written(session, 1));
    assert_eq!(
        sessions.admit(&request(session, 2)),
        Admission::Ignore,
        "still under way"
    );
}

#[test]
fn a_packet_from_before_a_crash_fails_with_an_unknown_outcome() {
    let mut before = Sessions::new(1);
    let session = opened(&mut before, &hello(1));
    let mut after = Sessions::new(2);
    assert!(has_ended(&after.admit(&request(session, 1))));
    let next = opened(&mut after, &hello(2));
    assert_ne!(next, session);
    assert!(has_ended(&after.admit(&request(session, 1))));
    assert_eq!(after.admit(&request(next, 1)), Admission::Execute);
}

#[test]
fn a_copy_of_a_hello_opens_no_second_session() {
    let mut sessions = Sessions::new(1);
    let first = opened(&mut sessions, &hello(1));
    assert_eq!(opened(&mut sessions, &hello(1)), first);
    let second = opened(&mut sessions, &hello(2));
    assert_ne!(second, first);
    assert_eq!(sessions.admit(&hello(1)), Admission::Ignore, "late");
    assert!(has_ended(&sessions.admit(&request(first, 1))));
    assert_eq!(sessions.admit(&request(second, 1)), Admission::Execute);
    assert_eq!(sessions.count(), 1);
}

#[test]
fn an_answer_to_an_ended_session_is_forgotten() {
    let mut sessions = Sessions::new(1);
    let first = opened(&mut sessions, &hello(1));
    assert_eq!(sessions.admit(&request(first, 1)), Admission::Execute);
    let second = opened(&mut sessions, &hello(2));
    sessions.finish(first, 1, &written(first, 1));
    assert_eq!(sessions.admit(&request(second, 1)), Admission::Execute);
    assert_eq!(
        sessions.admit(&request(second, 1)),
        Admission::Ignore,
        "the answer to the other session is not its"
    );
}

#[test]
fn too_many_sessions_are_refused() {
    let mut sessions = Sessions::new(1);
    let hello = |client| Envelope {
        session: 0,
        sequence: 1,
        body: Request::Hello { client },
    };
    for client in 0..4_096 {
        opened(&mut sessions, &hello(client));
    }
    let Admission::Send(reply) = sessions.admit(&hello(4_096)) else {
        panic!("not answered");
    };
    assert!(matches!(reply.body, Answer::Refused { .. }), "{reply:?}");
    opened(
        &mut sessions,
        &Envelope {
            sequence: 2,
            ..hello(0)
        },
    );
    assert_eq!(sessions.count(), 4_096);
}

proptest! {
    #![proptest_config(config(500))]

    /// The network delivers the client's packets 1..=n any number of times in any order.
    #[test]
    fn each_request_is_executed_at_most_once_and_in_order(
        deliveries in prop::collection::vec((1_u64..8, any::<bool>()), 0..40),
    ) {
        let mut sessions = Sessions::new(1);
        let session = opened(&mut sessions, &hello(1));
        let mut executed = Vec::new();
        for (sequence, finishes) in deliveries {
            match sessions.admit(&request(session, sequence)) {
                Admission::Execute => executed.push(sequence),
                Admission::Repeat(answer) => prop_assert_eq!(answer, written(session, sequence)),
                Admission::Ignore => {}
                Admission::Send(reply) => prop_assert!(false, "{:?}", reply),
            }
            if finishes && let Some(last) = executed.last() {
                sessions.finish(session, *last, &written(session, *last));
            }
        }
        prop_assert!(executed.is_sorted_by(|a, b| a < b), "{:?}", executed);
    }
}
