//! Invariants of the flushes of the schema's own tables: one follows every change within the window,
//! a window has few of them, and each ends. Without a window the change is answered after its flush.
//!
//! ```text
//! change    x   x x            x
//! flush     |--window--|###|   |--window--|###|
//! ```
//!
//! A node that ends or drains owes no flush any more; one whose disk failed owes no end of it.

use std::time::Duration;

use cenotaph_sim::time::Instant;

use super::evidence::Case;
use super::violation::{Identity, Invariant, Judge, Role, Violation};
use crate::history::{Answer, Event, Incarnation, Outcome};
use crate::plan::Operation;

/// A failed flush is tried again within this time, whatever the window.
const RETRY_LONGEST: Duration = Duration::from_secs(10);

/// No flush of so few rows takes longer on a disk that does not fail and a node that does not stand still.
const FLUSH_LONGEST: Duration = Duration::from_secs(60);

/// What one incarnation did, and until when it owed anything.
struct Life<'a> {
    number: u32,
    /// When it ended, or was asked to drain.
    to: Instant,
    /// Whether its disk failed.
    is_failed: bool,
    marks: Vec<(Instant, &'a str)>,
    /// From when on which windows may have been in force.
    windows: Vec<(Instant, Vec<Duration>)>,
    /// How late it may be without being wrong.
    slack: Duration,
}

pub(super) fn judge(case: &Case<'_>) -> Vec<Violation> {
    let lives = case.timeline.incarnations.iter();
    lives
        .map(|node| Life::of(case, node))
        .flat_map(|life| {
            let mut violations = life.flushes_follow();
            violations.extend(life.flushes_are_few());
            violations.extend(life.flushes_end());
            violations.extend(life.flushes_come_first(case));
            violations
        })
        .collect()
}

impl<'a> Life<'a> {
    fn of(case: &'a Case<'_>, node: &Incarnation) -> Life<'a> {
        let from = node.serving_at.unwrap_or(case.facts.ended_at);
        let mut life = Life {
            number: node.number,
            to: node.ended_at.unwrap_or(case.facts.ended_at),
            is_failed: false,
            marks: Vec::new(),
            windows: vec![(from, vec![case.window])],
            slack: 2 * case.facts.sync_longest,
        };
        let mut wanted: Vec<(Instant, Duration)> = Vec::new();
        let ended_at = life.to;
        for event in case.history.events() {
            let at = event.at();
            match event {
                Event::Invoked { what, .. } if node.booting_at <= at && at <= ended_at => {
                    match &**what {
                        Operation::Drain => life.to = life.to.min(at),
                        Operation::SetSchemaFlushWindow { millis } => {
                            wanted.push((at, Duration::from_millis(u64::from(*millis))));
                        }
                        _ => {}
                    }
                }
                Event::Marked {
                    incarnation, mark, ..
                } if *incarnation == node.number && at >= from => {
                    life.marks.push((at, *mark));
                    if *mark == "schema.window-set" {
                        let asked = wanted.iter().filter(|(asked_at, _)| *asked_at <= at);
                        life.windows
                            .push((at, asked.map(|(_, window)| *window).collect()));
                    }
                }
                Event::DiskFault { incarnation, .. } => {
                    life.is_failed |= *incarnation == node.number;
                }
                _ => {}
            }
        }
        life
    }

    /// Times of a mark.
    fn times(&self, of: &'a str) -> impl Iterator<Item = Instant> + '_ {
        let marks = self.marks.iter().filter(move |(_, mark)| *mark == of);
        marks.map(|(at, _)| *at)
    }

    /// When a flush is due that is owed from this mark on. What was armed before, under whatever
    /// window, is the flush that it waits for.
    fn due_at(&self, index: usize) -> Instant {
        let is_begun = |(_, mark): &(Instant, &str)| *mark == "schema.flush-begun";
        let since = self.marks[..index].iter().rposition(is_begun);
        let since = &self.marks[since.map_or(0, |begun| begun + 1)..index];
        let armed = since
            .iter()
            .filter(|(_, mark)| *mark == "schema.flush-armed");
        armed
            .map(|(at, _)| self.due_from(*at))
            .fold(self.due_from(self.marks[index].0), Instant::max)
    }

    /// The same for what is armed at this time. A window that is set anew while it waits may make it
    /// wait anew; one that is set in that very instant may have come before or after it.
    fn due_from(&self, from: Instant) -> Instant {
        let longest = |windows: &[Duration]| windows.iter().copied().max().unwrap_or_default();
        let before = self.windows.iter().rev().find(|(at, _)| *at < from);
        let mut due_at = from.after(before.map_or(Duration::ZERO, |(_, windows)| longest(windows)));
        for (at, windows) in &self.windows {
            if *at >= from && *at <= due_at.after(self.slack) {
                due_at = due_at.max(at.after(longest(windows)));
            }
        }
        due_at = due_at.after(self.slack);
        if self
            .times("schema.flush-failed")
            .any(|failed| failed <= due_at)
        {
            due_at = due_at.after(RETRY_LONGEST);
        }
        // A flush waits for the one before it.
        let mut begun: Option<Instant> = None;
        let mut waited_until = due_at;
        for (at, mark) in &self.marks {
            match *mark {
                "schema.flush-begun" => begun = Some(*at),
                "schema.flush-ended" | "schema.flush-failed" => {
                    let waited_for = begun.take().filter(|begun| *begun <= due_at);
                    let ended_at = waited_for.map(|_| at.after(self.slack));
                    waited_until = waited_until.max(ended_at.unwrap_or(due_at));
                }
                _ => {}
            }
        }
        match begun.filter(|begun| *begun <= due_at) {
            Some(begun) => waited_until.max(begun.after(FLUSH_LONGEST + self.slack)),
            None => waited_until,
        }
    }

    fn flushes_follow(&self) -> Vec<Violation> {
        let mut violations = Vec::new();
        for (index, (at, mark)) in self.marks.iter().enumerate() {
            if !["schema.applied", "schema.flush-armed"].contains(mark) {
                continue;
            }
            let due_at = self.due_at(index);
            let mut later = self.marks[index..].iter();
            let begun = later.find(|(_, mark)| *mark == "schema.flush-begun");
            if due_at < self.to && begun.is_none_or(|(begun, _)| *begun > due_at) {
                let detail = format!(
                    "n1/{} passes {mark} at {at}, and no flush has begun at {due_at}",
                    self.number
                );
                violations.push(violation(Invariant::FlushesFollow, detail));
            }
        }
        violations
    }

    /// Among flushes under one window, so many that more than one a window began.
    fn flushes_are_few(&self) -> Vec<Violation> {
        let mut violations = Vec::new();
        // What failed is tried again before its window ends.
        if self.is_failed {
            return violations;
        }
        for (index, (from, windows)) in self.windows.iter().enumerate() {
            let to = self.windows.get(index + 1).map_or(self.to, |(at, _)| *at);
            let Some(window) = windows
                .iter()
                .copied()
                .min()
                .filter(|window| !window.is_zero())
            else {
                continue;
            };
            let begun = self.times("schema.flush-begun");
            let begun: Vec<Instant> = begun.filter(|at| *from <= *at && *at < to).collect();
            let too_many = (0..begun.len()).find_map(|first| {
                let (last, at) = begun
                    .iter()
                    .enumerate()
                    .skip(first + 1)
                    .find(|(last, at)| {
                        let span_nanos = at.since(begun[first]).as_nanos();
                        let windows_count = span_nanos.div_ceil(window.as_nanos());
                        (last - first + 1) as u128 > windows_count + 1
                    })?;
                Some((last - first + 1, begun[first], *at))
            });
            if let Some((count, first, last)) = too_many {
                let detail = format!(
                    "n1/{} begins {count} flushes from {first} to {last}, with a window of {window:?}",
                    self.number
                );
                violations.push(violation(Invariant::FlushesAreFew, detail));
            }
        }
        violations
    }

    fn flushes_end(&self) -> Vec<Violation> {
        if self.is_failed {
            return Vec::new();
        }
        let mut violations: Vec<Violation> = self
            .times("schema.flush-failed")
            .map(|at| {
                let detail = format!("n1/{} fails a flush at {at}, on a good disk", self.number);
                violation(Invariant::FlushesEnd, detail)
            })
            .collect();
        let ends = || {
            self.times("schema.flush-ended")
                .chain(self.times("schema.flush-failed"))
        };
        for begun in self.times("schema.flush-begun") {
            let due_at = begun.after(FLUSH_LONGEST + self.slack);
            if due_at < self.to && !ends().any(|end| (begun..=due_at).contains(&end)) {
                let detail = format!(
                    "n1/{} begins a flush at {begun}, and has not ended it at {due_at}",
                    self.number
                );
                violations.push(violation(Invariant::FlushesEnd, detail));
            }
        }
        violations
    }

    /// Without a window, a flush ended before a change was answered that no other change met: two
    /// that undo each other leave nothing to flush.
    fn flushes_come_first(&self, case: &Case<'_>) -> Vec<Violation> {
        let mut violations = Vec::new();
        for record in &case.timeline.records {
            let is_done = matches!(record.outcome, Some(Outcome::Ok(Answer::Done)));
            let is_here = record.incarnation == Some(self.number) && is_done;
            let (true, true, Some(answered_at)) =
                (record.what.is_schema_change(), is_here, record.answered_at)
            else {
                continue;
            };
            let mut spans = self.windows.iter().enumerate().filter(|(index, (at, _))| {
                let next = self.windows.get(index + 1);
                *at <= answered_at && next.is_none_or(|(at, _)| *at >= record.invoked_at)
            });
            let has_window =
                spans.any(|(_, (_, windows))| windows.iter().any(|window| !window.is_zero()));
            let mut ended = self.times("schema.flush-ended");
            let is_flushed = ended.any(|at| (record.invoked_at..=answered_at).contains(&at));
            let is_alone = case.timeline.records.iter().all(|other| {
                let is_done = matches!(other.outcome, Some(Outcome::Ok(_) | Outcome::Refused(_)));
                let ended_at = other.answered_at.filter(|_| is_done);
                other.name == record.name
                    || !other.what.is_schema_change()
                    || other.invoked_at > answered_at
                    || ended_at.is_some_and(|ended_at| ended_at < record.invoked_at)
            });
            if is_alone && !has_window && !is_flushed && !self.is_failed {
                let detail = format!(
                    "{} is answered at {answered_at}, before its flush",
                    record.name
                );
                violations.push(Violation {
                    operation: Some(record.name),
                    ..violation(Invariant::FlushesComeFirst, detail)
                });
            }
        }
        violations
    }
}

fn violation(invariant: Invariant, detail: String) -> Violation {
    Violation {
        identity: Identity {
            judge: Judge::SchemaFlush,
            invariant,
            role: Role::Node,
        },
        operation: None,
        detail,
    }
}
