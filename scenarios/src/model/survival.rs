//! Fault policy of acknowledged writes: which crashes may undo which.
//!
//! `batch` and `group` acknowledge a write, and show it, after a sync: no crash of an honest drive undoes
//! that. In
//! `periodic` mode a write is settled once a sync that began after it has ended; until then a
//! kernel panic, a power cut, or a node that stops by itself may undo it. A killed process loses
//! nothing written, but the write is no more settled than before. An incarnation that serves has
//! made durable what it replayed: that settles it, too.

use std::time::Duration;

use cenotaph_sim::time::Instant;

use crate::history::{Incarnation, RunFacts};
use crate::plan::{CommitlogMode, CrashKind, Knobs};

/// How long after its acknowledgement a write may be undone; none when it never may.
///
/// The write may have missed a sync that had just begun; the next begins a period after that one
/// has ended, and takes its own time.
fn loss_window(knobs: &Knobs, facts: &RunFacts) -> Option<Duration> {
    match knobs.engine.commitlog_mode {
        CommitlogMode::Batch | CommitlogMode::Group => None,
        CommitlogMode::Periodic => {
            let period = Duration::from_millis(knobs.engine.commitlog_period_millis.into());
            Some(period + 2 * facts.sync_longest)
        }
    }
}

/// Whether a write that incarnation `number` acknowledged at that time must be there in a later
/// incarnation (or the same one).
pub(super) fn survives(
    (acknowledged_at, number): (Instant, u32),
    later: u32,
    incarnations: &[Incarnation],
    knobs: &Knobs,
    facts: &RunFacts,
) -> bool {
    let Some(window) = loss_window(knobs, facts) else {
        return true;
    };
    let mut is_settled = false;
    for node in incarnations
        .iter()
        .filter(|node| (number..later).contains(&node.number))
    {
        // What it replayed before it served.
        is_settled |= node.number > number && node.serving_at.is_some();
        let Some(ended_at) = node.ended_at else {
            return true;
        };
        // A node that stops because a sync failed does so some time after that sync began.
        let slack = if node.crash.is_none() {
            facts.sync_longest
        } else {
            Duration::ZERO
        };
        is_settled |= node.number == number && acknowledged_at.after(window + slack) <= ended_at;
        if !is_settled && node.crash != Some(CrashKind::Kill) {
            return false;
        }
    }
    true
}
