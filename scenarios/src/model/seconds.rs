//! Invariants of the seconds at which writes happened: the node told it with its answer, or it is
//! one that the node's wall clock may have shown while the write could land.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use super::fate::View;
use super::landing::Landing;
use super::objection::Cause;
use super::state::Model;
use crate::history::{Answer, Outcome, Record, RunFacts};

impl Model<'_> {
    /// Whether the seconds for which the node says that it did what the record asks for are ones that
    /// its clock may have shown.
    pub(super) fn tells_true_second(
        &self,
        index: usize,
        view: View,
    ) -> Result<(), (Cause, String)> {
        let record = self.record(index);
        // Of what it did not do, the node tells no second.
        let is_done = matches!(record.outcome, Some(Outcome::Ok(_) | Outcome::Refused(_)));
        let told = record.now_seconds.filter(|_| is_done);
        let decided_for = match record.outcome {
            Some(Outcome::Ok(Answer::Compacted(seen))) => Some(seen.now_seconds),
            _ => None,
        };
        let shown = self.facts.clock.wall_seconds(view.from, view.to);
        match told
            .into_iter()
            .chain(decided_for)
            .find(|second| !shown.contains(second))
        {
            None => Ok(()),
            Some(second) => {
                let (first, last) = (shown.start(), shown.end());
                let detail = format!(
                    "the node did it at second {second}; its clock showed {first} to {last}"
                );
                Err((Cause::SecondWrong, detail))
            }
        }
    }
}

/// The wall seconds at one of which the node did what the record asks for, if it did.
pub(super) fn seconds(
    record: &Record<'_>,
    landing: &Landing,
    facts: &RunFacts,
) -> RangeInclusive<u32> {
    let told = record
        .now_seconds
        .filter(|_| matches!(record.outcome, Some(Outcome::Ok(_))) && !facts.requests_may_repeat);
    if let Some(second) = told {
        return second..=second;
    }
    let to = landing.open_until.min(facts.ended_at);
    facts
        .clock
        .wall_seconds(landing.first_at, to.max(landing.first_at))
}

/// As many seconds as this are tried one by one.
const ALL_MAX: u32 = 16;

/// How far beside a second that matters others may matter for their order alone.
const BESIDE: u32 = 2;

/// The seconds of a write with a time to live that may make a difference: to whether it is live at
/// `now_seconds`, and to which of several that end with it comes last. `others` are the bounds of
/// when those may end.
pub(super) fn telling_seconds(
    seconds: &RangeInclusive<u32>,
    ttl_seconds: u32,
    now_seconds: u32,
    others: &[u32],
) -> BTreeSet<u32> {
    let (first, last) = (*seconds.start(), *seconds.end());
    if last - first < ALL_MAX {
        return seconds.clone().collect();
    }
    let ends = others.iter().chain([&now_seconds]);
    let from_ends = ends.filter_map(|end| end.checked_sub(ttl_seconds));
    from_ends
        .chain([first, last])
        .flat_map(|second| second.saturating_sub(BESIDE)..=second.saturating_add(BESIDE + 1))
        .filter(|second| seconds.contains(second))
        .collect()
}
