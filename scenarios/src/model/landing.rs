//! Invariants of landing: an operation lands after it began, in an incarnation that its packets
//! could reach, and not after that incarnation ended.
//!
//! ```text
//! client   |begins ----------------- gives up| ... packets live on ...|
//! node     [ incarnation 1 ]x     [ incarnation 2          ]x   [ incarnation 3 ..
//! lands     ^^^^^^^^^^^^^^^^       ^^^^^^^^^^^^^^^^^^^^^^^^       booted too late
//! ```

use cenotaph_sim::time::Instant;

use crate::history::{Outcome, Record, RunFacts, Timeline};

/// When and where an operation may have had its effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Landing {
    /// Not before this.
    pub(super) first_at: Instant,
    /// Not after this.
    pub(super) open_until: Instant,
    /// In no later incarnation; 0 for none at all.
    pub(super) last_incarnation: u32,
    /// The success that the client was told: when, and by which incarnation.
    pub(super) acknowledged: Option<(Instant, u32)>,
    /// The node refused it, and no second copy of the request can have met another node's opinion.
    pub(super) is_refused: bool,
}

/// The end of all time: a node that outlives the run may still do what it was asked.
const NEVER: Instant = Instant::from_nanos(u64::MAX);

pub(super) fn landing(record: &Record<'_>, timeline: &Timeline<'_>, facts: &RunFacts) -> Landing {
    let first_at = record.invoked_at;
    let acknowledged = match (record.outcome, record.answered_at, record.incarnation) {
        (Some(Outcome::Ok(_)), Some(at), Some(number)) => Some((at, number)),
        _ => None,
    };
    if let (Some((at, number)), false) = (acknowledged, facts.requests_may_repeat) {
        return Landing {
            first_at,
            open_until: at,
            last_incarnation: number,
            acknowledged,
            is_refused: false,
        };
    }
    let was_refused = matches!(record.outcome, Some(Outcome::Refused(_)));
    let sent_until = record.answered_at.unwrap_or(facts.ended_at);
    let arrives_until = sent_until.after(facts.packet_life_longest);
    let reached = timeline
        .incarnations
        .iter()
        .rev()
        .find(|node| node.booting_at <= arrives_until);
    Landing {
        first_at,
        open_until: reached.map_or(arrives_until, |node| node.ended_at.unwrap_or(NEVER)),
        last_incarnation: reached.map_or(0, |node| node.number),
        acknowledged,
        is_refused: was_refused && !facts.requests_may_repeat,
    }
}
