//! Steps of a history written by hand: one line an event, a millisecond apart.

use std::collections::BTreeMap;
use std::time::Duration;

use cenotaph::check::{Evidence, Verdict, judge};
use cenotaph::history::{
    Answer, CompactionSeen, Event, History, NodeClock, Outcome, PartitionSeen, Refusal, RunFacts,
    StonesSeen, TableSeen,
};
use cenotaph::plan::{CommitlogMode, CrashKind, Knobs, Operation, OperationRef, Plan};
use cenotaph_sim::time::Instant;

use super::ops::{compact, stones};

pub(crate) struct Script {
    pub(crate) history: History,
    pub(crate) knobs: Knobs,
    pub(crate) facts: RunFacts,
    millis: u64,
    incarnation: u32,
    counts: BTreeMap<u16, u32>,
}

impl Script {
    /// Batch mode; requests land once, in the incarnation they were sent to.
    pub(crate) fn new() -> Script {
        let facts = RunFacts {
            sync_longest: Duration::from_millis(5),
            late_longest: Duration::ZERO,
            clock: NodeClock::default(),
            packet_life_longest: Duration::ZERO,
            requests_may_repeat: false,
            liveness_bound: Duration::from_secs(5),
            finals_count: 0,
            ended_at: Instant::from_nanos(u64::MAX),
        };
        let (history, knobs) = (History::default(), Knobs::default());
        Script {
            history,
            knobs,
            facts,
            millis: 0,
            incarnation: 0,
            counts: BTreeMap::new(),
        }
    }

    pub(crate) fn periodic(period_millis: u32) -> Script {
        let mut script = Script::new();
        script.knobs.engine.commitlog_mode = CommitlogMode::Periodic;
        script.knobs.engine.commitlog_period_millis = period_millis;
        script
    }

    pub(crate) fn now(&mut self) -> Instant {
        self.millis += 1;
        Instant::from_nanos(self.millis * 1_000_000)
    }

    pub(crate) fn wait(&mut self, millis: u64) {
        self.millis += millis;
    }

    pub(crate) fn boots(&mut self) {
        self.incarnation += 1;
        let (at, incarnation) = (self.now(), self.incarnation);
        self.history.push(Event::Booting { at, incarnation });
    }

    pub(crate) fn serves(&mut self) {
        let (at, incarnation) = (self.now(), self.incarnation);
        self.history.push(Event::Serving { at, incarnation });
    }

    pub(crate) fn boot(&mut self) {
        self.boots();
        self.serves();
    }

    pub(crate) fn crash(&mut self, kind: CrashKind) {
        let (at, incarnation) = (self.now(), self.incarnation);
        self.history.push(Event::Crashed {
            at,
            incarnation,
            kind,
        });
    }

    /// A power cut and the boot after it.
    pub(crate) fn power_cycle(&mut self) {
        self.crash(CrashKind::Power);
        self.boot();
    }

    pub(crate) fn push(&mut self, event: impl FnOnce(Instant, u32) -> Event) {
        let at = self.now();
        self.history.push(event(at, self.incarnation));
    }

    pub(crate) fn begin(&mut self, client: u16, what: Operation) -> OperationRef {
        let count = self.counts.entry(client).or_default();
        let operation = OperationRef {
            client,
            index: *count,
        };
        *count += 1;
        let at = self.now();
        self.history.push(Event::Invoked {
            at,
            operation,
            what: what.into(),
        });
        operation
    }

    pub(crate) fn end(&mut self, operation: OperationRef, outcome: Outcome) {
        let answered = !matches!(outcome, Outcome::Unknown { .. });
        let incarnation = answered.then_some(self.incarnation);
        let now_seconds = answered.then(|| self.second());
        let at = self.now();
        self.history.push(Event::Answered {
            at,
            operation,
            incarnation,
            outcome,
            now_seconds,
        });
    }

    /// An answer of a node that says that it did it at this second.
    pub(crate) fn end_at_second(&mut self, operation: OperationRef, second: u32) {
        let (at, incarnation) = (self.now(), Some(self.incarnation));
        self.history.push(Event::Answered {
            at,
            operation,
            incarnation,
            outcome: Outcome::Ok(Answer::Done),
            now_seconds: Some(second),
        });
    }

    pub(crate) fn ok(&mut self, what: Operation) -> OperationRef {
        let operation = self.begin(0, what);
        self.end(operation, Outcome::Ok(Answer::Done));
        operation
    }

    pub(crate) fn refused(&mut self, what: Operation, refusal: Refusal) -> OperationRef {
        let operation = self.begin(0, what);
        self.end(operation, Outcome::Refused(refusal));
        operation
    }

    pub(crate) fn timeout(&mut self, what: Operation) -> OperationRef {
        let operation = self.begin(0, what);
        self.end(
            operation,
            Outcome::Unknown {
                why: "timeout".to_owned(),
            },
        );
        operation
    }

    pub(crate) fn shows(&mut self, what: Operation, seen: PartitionSeen) -> OperationRef {
        let operation = self.begin(1, what);
        self.end(operation, Outcome::Ok(Answer::Rows(seen)));
        operation
    }

    pub(crate) fn describes(&mut self, tables: &[TableSeen]) -> OperationRef {
        let operation = self.begin(1, Operation::Describe);
        self.end(operation, Outcome::Ok(Answer::Tables(tables.to_vec())));
        operation
    }

    /// The second that the node's clock shows next.
    pub(crate) fn second(&self) -> u32 {
        let at = Instant::from_nanos((self.millis + 1) * 1_000_000);
        *self.facts.clock.wall_seconds(at, at).end()
    }

    pub(crate) fn wait_seconds(&mut self, seconds: u64) {
        self.wait(seconds * 1_000);
    }

    /// A compaction of a table with this grace that says that it forgot so many deletions.
    pub(crate) fn compacts(&mut self, grace_seconds: u32, purged_count: u64) -> OperationRef {
        let operation = self.begin(0, compact());
        let now_seconds = self.second();
        let seen = CompactionSeen {
            now_seconds,
            gc_before_seconds: now_seconds - grace_seconds,
            purged_count,
            ..CompactionSeen::default()
        };
        self.end(operation, Outcome::Ok(Answer::Compacted(seen)));
        operation
    }

    pub(crate) fn shows_stones(&mut self, seen: StonesSeen) -> OperationRef {
        let operation = self.begin(1, stones());
        self.end(operation, Outcome::Ok(Answer::Stones(seen)));
        operation
    }

    pub(crate) fn marks(&mut self, mark: &'static str) {
        self.push(|at, incarnation| Event::Marked {
            at,
            incarnation,
            mark,
        });
    }

    pub(crate) fn heal(&mut self) {
        let at = self.now();
        self.history.push(Event::Healed { at });
    }

    pub(crate) fn verdict(&self) -> Verdict {
        let plan = plan(self.knobs.clone());
        judge(&Evidence {
            plan: &plan,
            history: &self.history,
            facts: &self.facts,
        })
    }

    /// What the judges say, as identities, in order.
    pub(crate) fn identities(&self) -> Vec<String> {
        let verdict = self.verdict();
        verdict
            .violations
            .iter()
            .map(|violation| violation.identity.to_string())
            .collect()
    }
}

pub(crate) fn plan(knobs: Knobs) -> Plan {
    Plan {
        format: Plan::FORMAT,
        scenario: "by-hand".to_owned(),
        run_key: 0,
        knobs,
        clients: vec![Vec::new()],
        faults: Vec::new(),
        bug: None,
    }
}
