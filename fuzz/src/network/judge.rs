//! Invariants of packets: nothing is invented, doubled or late beyond what the links are set to; nothing
//! passes a partition; what is lost is lost to something.

use cenotaph_sim::entropy::Ratio;
use cenotaph_sim::network::{Closed, Way};

use super::play::{Heard, Played};
use super::program::{Act, Program, QUANTUM_NANOS, Send};

/// Objects unless this may be what came of a program.
///
/// # Panics
/// When a law is broken.
pub fn judge(program: &Program, played: &Played) {
    for heard in &played.heard {
        judge_heard(program, played, heard);
    }
    let copies_max = if program.link.duplication == Ratio::NEVER {
        1
    } else {
        2
    };
    for (act, _) in &played.sent {
        let copies = played
            .heard
            .iter()
            .filter(|heard| heard.act == *act)
            .count();
        assert!(
            copies <= copies_max,
            "packet {act} was heard {copies} times"
        );
        assert!(
            copies >= copies_min(program, *act),
            "packet {act} was heard {copies} times"
        );
    }
    judge_order(program, played);
    let dropped_max = program.acts.iter().map(|(_, act)| match act {
        Act::Drop { count } => *count,
        _ => 0,
    });
    assert!(
        played.lost_counts[2] <= dropped_max.sum(),
        "faults took more than they were told to"
    );
    if !program.has(|act| matches!(act, Act::Crash { .. })) {
        let sent_count = played.sent.len() as u64 + played.doubled_count;
        let lost_count: u64 = played.lost_counts.iter().sum();
        let heard_count = played.heard.len() as u64;
        assert_eq!(
            sent_count,
            heard_count + lost_count,
            "packets are heard, or lost to something"
        );
        assert_eq!(played.lost_counts[3], 0, "every receiver was up");
    }
}

fn send(program: &Program, act: usize) -> (u64, Send) {
    match program.acts.get(act) {
        Some((nanos, Act::Send(send))) => (*nanos, *send),
        other => panic!("{other:?} sends nothing"),
    }
}

fn quantise(nanos: u64) -> u64 {
    nanos.div_ceil(QUANTUM_NANOS) * QUANTUM_NANOS
}

/// When a packet that is sent then may arrive, where nothing holds it: the first and the last instant.
fn arrival(program: &Program, sent_nanos: u64) -> (u64, u64) {
    let link = &program.link;
    let late_nanos = match link.straggling {
        Ratio::NEVER => 0,
        _ => 8 * link.delay_max_nanos,
    };
    let first = quantise(sent_nanos + link.delay_min_nanos);
    (
        first,
        quantise(sent_nanos + link.delay_max_nanos + late_nanos),
    )
}

/// When a way was closed, and what that did to its packets; what happens at either end of the span is a
/// matter of order within that instant.
struct Span {
    begin: u64,
    end: u64,
    closed: Closed,
}

impl Span {
    /// Whether the way was closed then, whatever the order of that instant.
    fn covers(&self, nanos: u64) -> bool {
        self.begin < nanos && nanos < self.end
    }

    /// Whether the way may have been closed at some time of these.
    fn meets(&self, first: u64, last: u64) -> bool {
        self.begin <= last && first <= self.end
    }
}

fn spans(program: &Program, of: Send) -> impl Iterator<Item = Span> {
    program
        .acts
        .iter()
        .filter_map(move |(begin, act)| match *act {
            Act::Partition {
                left,
                right,
                way,
                closed,
                nanos,
            } if (left, right) == (of.from, of.to)
                || way == Way::Both && (right, left) == (of.from, of.to) =>
            {
                Some(Span {
                    begin: *begin,
                    end: begin + nanos,
                    closed,
                })
            }
            _ => None,
        })
}

/// The last instant, when closed ways may hold the packet.
fn last_arrival(program: &Program, send: Send, last: u64) -> u64 {
    let mut last = last;
    // Each way that opens may let the packet run into the next that is closed.
    for _ in 0..program.acts.len() {
        let holding = spans(program, send).filter(|span| span.closed == Closed::Holds);
        let ends = holding
            .filter(|span| span.begin <= last)
            .map(|span| span.end);
        last = ends.fold(last, u64::max);
    }
    last
}

fn judge_heard(program: &Program, played: &Played, heard: &Heard) {
    let (sent_nanos, send) = send(program, heard.act);
    let sent = (heard.act, heard.incarnation);
    assert!(played.sent.contains(&sent), "{heard:?} was never sent");
    let whole = (heard.by, heard.from, heard.size);
    let expected = (send.to, send.from, usize::from(send.size));
    assert_eq!(whole, expected, "{heard:?} was sent otherwise");
    let (first, last) = arrival(program, sent_nanos);
    let span = first..=last_arrival(program, send, last);
    assert!(
        span.contains(&heard.nanos),
        "{heard:?} took too little or too long"
    );
    for span in spans(program, send) {
        let loses_sent = span.closed != Closed::Holds;
        let stops_arrivals = span.closed != Closed::LosesSent;
        assert!(
            !(loses_sent && span.covers(sent_nanos)),
            "{heard:?} was sent into a partition"
        );
        assert!(
            !(stops_arrivals && span.covers(heard.nanos)),
            "{heard:?} came out of a partition"
        );
    }
}

/// How often a packet that was sent has to be heard, where nothing can have taken it.
fn copies_min(program: &Program, act: usize) -> usize {
    let (sent_nanos, send) = send(program, act);
    let (first, last) = arrival(program, sent_nanos);
    let last = last_arrival(program, send, last);
    let may_take = |span: Span| match span.closed {
        Closed::Holds => false,
        Closed::LosesSent => span.meets(sent_nanos, sent_nanos),
        Closed::LosesAll => span.meets(sent_nanos, sent_nanos) || span.meets(first, last),
    };
    let has_losses = program.link.loss != Ratio::NEVER
        || program.has(|act| matches!(act, Act::Drop { .. } | Act::Crash { .. }));
    if has_losses || spans(program, send).any(may_take) {
        0
    } else if program.link.duplication == Ratio::ALWAYS {
        2
    } else {
        1
    }
}

/// Over links that take the same time for every packet, and hold none, no packet overtakes another.
fn judge_order(program: &Program, played: &Played) {
    let link = &program.link;
    let holds = |act: &Act| {
        matches!(
            act,
            Act::Partition {
                closed: Closed::Holds,
                ..
            }
        )
    };
    let varies = link.delay_min_nanos != link.delay_max_nanos || link.straggling != Ratio::NEVER;
    if varies || program.has(holds) {
        return;
    }
    let sent_at = |heard: &Heard| played.sent.iter().position(|(act, _)| *act == heard.act);
    for (index, heard) in played.heard.iter().enumerate() {
        let same_link = |before: &&Heard| (before.from, before.by) == (heard.from, heard.by);
        for before in played.heard[..index].iter().filter(same_link) {
            assert!(
                sent_at(before) <= sent_at(heard),
                "{heard:?} was overtaken by {before:?}"
            );
        }
    }
}
