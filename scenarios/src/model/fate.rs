//! Vocabulary of fates: what is known of one operation, from its own answer and from what others
//! were shown.

use std::ops::RangeInclusive;

use cenotaph_sim::time::Instant;

use super::landing::Landing;
use crate::plan::CommitlogMode;

/// When and by which incarnation something was looked at: the look was at one moment of the span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct View {
    /// The incarnation.
    pub(super) incarnation: u32,
    /// The look was not before this.
    pub(super) from: Instant,
    /// And not after this.
    pub(super) to: Instant,
}

/// What is known of one operation.
#[derive(Clone, Debug)]
pub(super) struct Fate {
    pub(super) landing: Landing,
    /// The wall seconds at one of which the node did it, if it did.
    pub(super) seconds: RangeInclusive<u32>,
    /// Its effect showed in this incarnation, by this time: it stays while that incarnation lives.
    shown: Vec<(u32, Instant)>,
    /// Its effect is durable, known from this incarnation and this time on.
    kept: Option<(u32, Instant)>,
    /// Its effect was seen to be absent by this time, when it could land no more: it is gone for
    /// every later look. An earlier one may still have shown it, before a drop or a crash.
    dead_since: Option<Instant>,
}

impl Fate {
    pub(super) fn new(landing: Landing, seconds: RangeInclusive<u32>) -> Fate {
        Fate {
            landing,
            seconds,
            shown: Vec::new(),
            kept: None,
            dead_since: None,
        }
    }

    /// Whether it may have landed by the end of the view, as far as this operation alone tells.
    pub(super) fn is_possible(&self, view: View) -> bool {
        !self.landing.is_refused && !self.is_dead(view) && self.landing.first_at <= view.to
    }

    /// Whether it was seen to be lost for good.
    pub(super) fn is_dead(&self, view: View) -> bool {
        self.dead_since.is_some_and(|since| since <= view.from)
    }

    /// The incarnation that first acknowledged or showed it, when it is durable or still lives.
    pub(super) fn shown_by(&self, view: View) -> Option<u32> {
        let is_before =
            |(number, at): (u32, Instant)| number <= view.incarnation && at <= view.from;
        if let Some(kept) = self.kept.filter(|kept| is_before(*kept)) {
            return Some(kept.0);
        }
        let here = |(number, at): &&(u32, Instant)| *number == view.incarnation && *at <= view.from;
        self.shown.iter().find(here).map(|(number, _)| *number)
    }

    /// The effect of a write showed. What an earlier incarnation had left was replayed, and so is
    /// durable, as is all that shows where writes are synced first; else what may have landed in this
    /// incarnation may go with it.
    pub(super) fn show_write(&mut self, view: View, mode: CommitlogMode) {
        let is_synced_first = mode != CommitlogMode::Periodic;
        if is_synced_first || self.landing.last_incarnation < view.incarnation {
            self.keep(view);
        } else {
            self.shown.push((view.incarnation, view.to));
        }
    }

    /// The effect of a schema change showed. Schema changes are durable before anyone sees them.
    pub(super) fn keep(&mut self, view: View) {
        if self.kept.is_none_or(|kept| view.to < kept.1) {
            self.kept = Some((view.incarnation, view.to));
        }
    }

    /// The effect was not there. That is final when it could not land after the look.
    pub(super) fn miss(&mut self, view: View) {
        if self.landing.open_until <= view.from {
            let since = self.dead_since.unwrap_or(view.to);
            self.dead_since = Some(since.min(view.to));
        }
    }

    /// It was not done before this second.
    pub(super) fn not_before(&mut self, second: u32) {
        let (first, last) = (*self.seconds.start(), *self.seconds.end());
        self.seconds = first.max(second.min(last))..=last;
    }

    /// It was done before this second, if it could not be done after the look.
    pub(super) fn before(&mut self, second: u32, view: View) {
        if self.landing.open_until <= view.from {
            let (first, last) = (*self.seconds.start(), *self.seconds.end());
            self.seconds = first..=last.min(second.saturating_sub(1).max(first));
        }
    }
}
