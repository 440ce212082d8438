//! Invariants of a history read by operation and by incarnation: each operation is invoked once
//! and answered at most once, each incarnation begins once and ends at most once, one at a time.

use std::collections::BTreeMap;

use cenotaph_sim::time::Instant;

use super::answer::Outcome;
use super::event::{Event, History};
use crate::plan::{CrashKind, Operation, OperationRef};

/// One operation, from its begin to its end.
#[derive(Clone, Debug)]
pub struct Record<'a> {
    /// Its name.
    pub name: OperationRef,
    /// The operation.
    pub what: &'a Operation,
    /// When it began.
    pub invoked_at: Instant,
    /// When it ended; none when the run ended first.
    pub answered_at: Option<Instant>,
    /// The incarnation that answered.
    pub incarnation: Option<u32>,
    /// The wall second at which the node says that it executed it.
    pub now_seconds: Option<u32>,
    /// How it ended; none when the run ended first.
    pub outcome: Option<&'a Outcome>,
}

/// One incarnation of the node, from its boot to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Incarnation {
    /// Its number, from 1.
    pub number: u32,
    /// When it began to boot.
    pub booting_at: Instant,
    /// When it began to serve; none when it never did.
    pub serving_at: Option<Instant>,
    /// When it ended; none when it outlived the run.
    pub ended_at: Option<Instant>,
    /// What the world did to end it; none when it ended by itself or not at all.
    pub crash: Option<CrashKind>,
}

/// A history by operation and by incarnation.
#[derive(Clone, Debug, Default)]
pub struct Timeline<'a> {
    /// Operations in the order of their begin.
    pub records: Vec<Record<'a>>,
    /// Incarnations in order.
    pub incarnations: Vec<Incarnation>,
    /// When all faults ended; none when the run ended first.
    pub healed_at: Option<Instant>,
}

impl History {
    /// Reads the history by operation and by incarnation.
    ///
    /// # Panics
    /// When the events contradict one another: the recorder is broken, and no verdict would count.
    #[must_use]
    pub fn timeline(&self) -> Timeline<'_> {
        let mut timeline = Timeline::default();
        let mut open: BTreeMap<OperationRef, usize> = BTreeMap::new();
        for event in self.events() {
            match event {
                Event::Invoked {
                    at,
                    operation,
                    what,
                } => {
                    let index = timeline.records.len();
                    let before = open.insert(*operation, index);
                    assert!(before.is_none(), "{operation} is invoked twice");
                    timeline.records.push(Record {
                        name: *operation,
                        what,
                        invoked_at: *at,
                        answered_at: None,
                        incarnation: None,
                        now_seconds: None,
                        outcome: None,
                    });
                }
                Event::Answered {
                    at,
                    operation,
                    incarnation,
                    now_seconds,
                    outcome,
                } => {
                    let index = open.get(operation).copied();
                    let index = index.unwrap_or_else(|| panic!("{operation} was never invoked"));
                    let record = &mut timeline.records[index];
                    assert!(record.outcome.is_none(), "{operation} is answered twice");
                    record.answered_at = Some(*at);
                    record.incarnation = *incarnation;
                    record.now_seconds = *now_seconds;
                    record.outcome = Some(outcome);
                }
                Event::Healed { at } => timeline.healed_at = Some(*at),
                Event::DiskFault { .. }
                | Event::Blamed { .. }
                | Event::Contradicted { .. }
                | Event::Marked { .. } => {}
                _ => timeline.incarnation_event(event),
            }
        }
        timeline
    }
}

impl Timeline<'_> {
    fn incarnation_event(&mut self, event: &Event) {
        match event {
            Event::Booting { at, incarnation } => {
                let next = self.incarnations.last().map_or(1, |last| last.number + 1);
                assert_eq!(*incarnation, next, "incarnations come one after another");
                let ended = self
                    .incarnations
                    .last()
                    .is_none_or(|last| last.ended_at.is_some());
                assert!(
                    ended,
                    "incarnation {incarnation} boots before the last one ended"
                );
                self.incarnations.push(Incarnation {
                    number: *incarnation,
                    booting_at: *at,
                    serving_at: None,
                    ended_at: None,
                    crash: None,
                });
            }
            Event::Serving { at, incarnation } => {
                self.running(*incarnation).serving_at = Some(*at);
            }
            Event::Crashed {
                at,
                incarnation,
                kind,
            } => {
                let ended = self.running(*incarnation);
                ended.ended_at = Some(*at);
                ended.crash = Some(*kind);
            }
            Event::Exited {
                at, incarnation, ..
            } => {
                self.running(*incarnation).ended_at = Some(*at);
            }
            // A destructor may panic when its incarnation has ended.
            Event::Panicked {
                at, incarnation, ..
            } => {
                let last = self.incarnations.last_mut();
                if let Some(last) = last.filter(|last| last.number == *incarnation) {
                    last.ended_at.get_or_insert(*at);
                }
            }
            _ => {}
        }
    }

    fn running(&mut self, number: u32) -> &mut Incarnation {
        let last = self
            .incarnations
            .last_mut()
            .filter(|last| last.number == number);
        let last = last.unwrap_or_else(|| panic!("incarnation {number} is not the last one"));
        assert!(
            last.ended_at.is_none(),
            "incarnation {number} ended before this"
        );
        last
    }
}
