//! Steps of a naive node under chance: clients, timeouts, late requests, crashes and restarts, all
//! in one list sorted by time. It keeps exactly what its mode promises, or has one named defect.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use cenotaph::check::{Evidence, Verdict, judge};
use cenotaph::history::{Answer, Event, History, NodeClock, Outcome, Refusal, RunFacts, TableSeen};
use cenotaph::plan::{CommitlogMode, CrashKind, Operation, OperationRef, Plan, TableNumber};
use cenotaph::workload::final_operations;
use cenotaph_sim::entropy::{RunKey, Stream};
use cenotaph_sim::time::Instant;

use super::defect::Defect;
use super::table::{Landed, Table};

/// A moment of the run, in the order of time.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Crash(CrashKind),
    Boot,
    Serve(u32),
    Sync,
    Begin(usize),
    /// Operation of a client, in an incarnation.
    Execute(usize, usize, u32),
    Durable(usize, usize, u32),
    GiveUp(usize),
}

struct Node {
    plan: Plan,
    defect: Defect,
    chance: Stream,
    agenda: BTreeSet<(u64, u64, Step)>,
    ordinal: u64,
    history: History,
    tables: BTreeMap<TableNumber, Table>,
    dropped: BTreeMap<TableNumber, Vec<Landed>>,
    lost: Vec<(TableNumber, Landed)>,
    incarnation: u32,
    is_up: bool,
    is_serving: bool,
    next: Vec<usize>,
    sessions: Vec<Vec<Operation>>,
    open: BTreeMap<usize, (OperationRef, Operation)>,
    waiting: BTreeMap<usize, Outcome>,
}

const MICROS: u64 = 1_000;
const SYNC_LONGEST_MICROS: u64 = 900;

/// Runs the plan's clients against a node with this defect, and judges it.
pub(crate) fn run(plan: Plan, defect: Defect, key: u64) -> (History, Verdict) {
    let sessions = plan.clients.clone();
    let chance = Stream::open(RunKey(key).stream("honest"));
    let mut node = Node {
        next: vec![0; sessions.len()],
        plan,
        defect,
        chance,
        agenda: BTreeSet::new(),
        ordinal: 0,
        history: History::default(),
        tables: BTreeMap::new(),
        dropped: BTreeMap::new(),
        lost: Vec::new(),
        incarnation: 0,
        is_up: false,
        is_serving: false,
        sessions,
        open: BTreeMap::new(),
        waiting: BTreeMap::new(),
    };
    node.schedule_faults();
    let ended_at = node.finish();
    let facts = RunFacts {
        sync_longest: Duration::from_micros(SYNC_LONGEST_MICROS),
        late_longest: Duration::ZERO,
        clock: NodeClock::default(),
        packet_life_longest: Duration::ZERO,
        requests_may_repeat: false,
        liveness_bound: Duration::from_secs(1),
        finals_count: 0,
        ended_at,
    };
    let evidence = Evidence {
        plan: &node.plan,
        history: &node.history,
        facts: &facts,
    };
    let verdict = judge(&evidence);
    (node.history, verdict)
}

impl Node {
    fn at(&mut self, micros: u64, step: Step) {
        self.ordinal += 1;
        self.agenda.insert((micros, self.ordinal, step));
    }

    fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.chance.below(high - low)
    }

    fn schedule_faults(&mut self) {
        self.at(0, Step::Boot);
        let mut crashed_at = 0;
        for _ in 0..1 + self.chance.below(3) {
            crashed_at += self.between(4_000, 60_000);
            let kinds = CrashKind::ALL;
            let kind = kinds[self.chance.below(kinds.len() as u64) as usize];
            self.at(crashed_at, Step::Crash(kind));
            crashed_at += self.between(500, 5_000);
            self.at(crashed_at, Step::Boot);
        }
        self.at(1, Step::Sync);
        for client in 0..self.sessions.len() {
            self.at(3_000, Step::Begin(client));
        }
    }

    /// Works off the agenda; then heals, and reads everything.
    fn finish(&mut self) -> Instant {
        let mut micros = self.work();
        micros += 1;
        let healed_at = Instant::from_nanos(micros * MICROS);
        self.history.push(Event::Healed { at: healed_at });
        let client = self.sessions.len();
        self.sessions.push(final_operations(&self.plan));
        self.next.push(0);
        self.at(micros + 1, Step::Begin(client));
        let micros = self.work();
        Instant::from_nanos((micros + 1) * MICROS)
    }

    fn work(&mut self) -> u64 {
        let mut last = self
            .history
            .events()
            .last()
            .map_or(0, |event| event.at().as_nanos() / MICROS);
        while let Some((micros, _, step)) = self.agenda.pop_first() {
            last = last.max(micros);
            let is_idle = self.agenda.iter().all(|(_, _, step)| *step == Step::Sync);
            if step == Step::Sync && is_idle {
                self.at(micros + 1, Step::Sync);
                break;
            }
            self.step(micros, step);
        }
        last
    }

    fn step(&mut self, micros: u64, step: Step) {
        let (at, incarnation) = (Instant::from_nanos(micros * MICROS), self.incarnation);
        match step {
            Step::Crash(kind) if self.is_up => {
                self.history.push(Event::Crashed {
                    at,
                    incarnation,
                    kind,
                });
                self.is_up = false;
                self.is_serving = false;
                self.waiting.clear();
                self.crash(kind);
            }
            Step::Crash(_) => {}
            Step::Boot if self.is_up => {}
            Step::Boot => {
                self.incarnation += 1;
                self.is_up = true;
                self.history.push(Event::Booting {
                    at,
                    incarnation: self.incarnation,
                });
                let boot = self.between(1, 900);
                self.at(micros + boot, Step::Serve(self.incarnation));
            }
            Step::Serve(number) if self.is_up && number == incarnation => {
                self.is_serving = true;
                for table in self.tables.values_mut() {
                    table
                        .writes
                        .iter_mut()
                        .for_each(|landed| landed.durable = true);
                }
                self.history.push(Event::Serving { at, incarnation });
            }
            Step::Sync => self.sync(micros),
            Step::Begin(client) => self.begin(client, micros),
            Step::Execute(client, index, number) if self.is_serving && number == incarnation => {
                self.execute(client, index, micros);
            }
            Step::Durable(client, index, number) if self.is_up && number == incarnation => {
                self.acknowledge(client, index, at);
            }
            Step::Serve(_) | Step::Execute(..) | Step::Durable(..) => {}
            Step::GiveUp(client) => {
                if let Some((operation, _)) = self.open.remove(&client) {
                    self.waiting.remove(&client);
                    let outcome = Outcome::Unknown {
                        why: "timeout".to_owned(),
                    };
                    self.history.push(Event::Answered {
                        at,
                        operation,
                        incarnation: None,
                        outcome,
                        now_seconds: None,
                    });
                    self.at(micros + 50, Step::Begin(client));
                }
            }
        }
    }

    fn is_periodic(&self) -> bool {
        self.plan.knobs.engine.commitlog_mode == CommitlogMode::Periodic
    }

    fn sync(&mut self, micros: u64) {
        if self.is_up {
            for table in self.tables.values_mut() {
                table
                    .writes
                    .iter_mut()
                    .for_each(|landed| landed.durable = true);
            }
        }
        let period = u64::from(self.plan.knobs.engine.commitlog_period_millis) * 1_000;
        self.at(micros + period, Step::Sync);
    }

    fn crash(&mut self, kind: CrashKind) {
        let lossy = kind != CrashKind::Kill && self.is_periodic();
        let back: Vec<(TableNumber, Landed)> = std::mem::take(&mut self.lost);
        for (number, table) in &mut self.tables {
            let mut kept = Vec::new();
            for landed in std::mem::take(&mut table.writes) {
                let promised = landed.durable || (landed.acknowledged && !lossy);
                let breaks = self.defect == Defect::LosesAcknowledged && self.chance.below(8) == 0;
                let forgets = self.defect == Defect::ForgetsDeletions
                    && matches!(
                        landed.what,
                        Operation::DeleteRow { .. }
                            | Operation::DeleteRange { .. }
                            | Operation::DeletePartition { .. }
                    );
                if !breaks && !forgets && (promised || self.chance.below(2) == 0) {
                    kept.push(landed);
                } else if !breaks && !forgets {
                    self.lost.push((*number, landed));
                }
            }
            table.writes = kept;
        }
        if self.defect == Defect::BringsBackLost {
            for (number, landed) in back {
                if let Some(table) = self.tables.get_mut(&number) {
                    table.writes.push(landed);
                }
            }
        }
        if self.defect == Defect::ForgetsTable {
            self.tables.pop_last();
        }
    }

    fn begin(&mut self, client: usize, micros: u64) {
        let index = self.next[client];
        let Some(what) = self.sessions[client].get(index).cloned() else {
            return;
        };
        self.next[client] += 1;
        let operation = OperationRef {
            client: u16::try_from(client).expect("a handful of clients"),
            index: u32::try_from(index).expect("some hundred operations"),
        };
        let at = Instant::from_nanos(micros * MICROS);
        self.history.push(Event::Invoked {
            at,
            operation,
            what: what.clone().into(),
        });
        if let Operation::Pause { millis } = what {
            let outcome = Outcome::Ok(Answer::Done);
            self.history.push(Event::Answered {
                at,
                operation,
                incarnation: None,
                outcome,
                now_seconds: None,
            });
            self.at(micros + u64::from(millis) * 100, Step::Begin(client));
            return;
        }
        self.open.insert(client, (operation, what));
        self.at(micros + 4_000, Step::GiveUp(client));
        let incarnation = self.incarnation;
        let is_final = client == self.plan.clients.len();
        match self.chance.below(if is_final { 1 } else { 40 }) {
            // The request is lost.
            39 => {}
            // It is late: the client has given up when it lands.
            38 => {
                let late = self.between(4_500, 9_000);
                self.at(micros + late, Step::Execute(client, index, incarnation));
            }
            _ => {
                let soon = self.between(20, 200);
                self.at(micros + soon, Step::Execute(client, index, incarnation));
            }
        }
    }

    /// Does what was asked; tells only a client that still waits.
    fn execute(&mut self, client: usize, index: usize, micros: u64) {
        let what = self.sessions[client][index].clone();
        let outcome = self.apply(&what);
        if !self.is_periodic() {
            // Nothing shows before its sync.
            let landed = self.landed(&what);
            landed.for_each(|landed| landed.durable = true);
        }
        if !self.waits(client, index) {
            return;
        }
        self.waiting.insert(client, outcome);
        let incarnation = self.incarnation;
        let is_final = client == self.plan.clients.len();
        // The answer is lost.
        if !is_final && self.chance.below(40) == 0 {
            return;
        }
        // Now and then an answer is late, but not too late.
        let is_late = self.chance.below(10) == 0;
        let longest = if is_late { 3_500 } else { SYNC_LONGEST_MICROS };
        let sync = self.between(10, longest);
        self.at(micros + sync, Step::Durable(client, index, incarnation));
    }

    fn landed(&mut self, what: &Operation) -> impl Iterator<Item = &mut Landed> {
        let table = what.table().and_then(|table| self.tables.get_mut(&table));
        let writes = table.into_iter().flat_map(|table| &mut table.writes);
        writes.filter(move |landed| landed.what == *what)
    }

    fn waits(&self, client: usize, index: usize) -> bool {
        self.open
            .get(&client)
            .is_some_and(|(operation, _)| operation.index as usize == index)
    }

    fn acknowledge(&mut self, client: usize, index: usize, at: Instant) {
        if !self.waits(client, index) {
            return;
        }
        let Some(outcome) = self.waiting.remove(&client) else {
            return;
        };
        let Some((operation, what)) = self.open.remove(&client) else {
            return;
        };
        let landed = self.landed(&what);
        landed.for_each(|landed| landed.acknowledged = true);
        let incarnation = Some(self.incarnation);
        self.history.push(Event::Answered {
            at,
            operation,
            incarnation,
            outcome,
            now_seconds: None,
        });
        let micros = at.as_nanos() / MICROS;
        self.agenda
            .retain(|(_, _, step)| *step != Step::GiveUp(client));
        self.at(micros + 50, Step::Begin(client));
    }

    fn apply(&mut self, what: &Operation) -> Outcome {
        let done = Outcome::Ok(Answer::Done);
        match what {
            Operation::CreateTable { table, .. } if self.tables.contains_key(table) => {
                Outcome::Refused(Refusal::TableExists)
            }
            Operation::CreateTable { table, shape } => {
                let writes = match self.defect {
                    Defect::KeepsDropped => self.dropped.remove(table).unwrap_or_default(),
                    _ => Vec::new(),
                };
                let made = Table {
                    shape: shape.clone(),
                    added: BTreeSet::new(),
                    writes,
                };
                self.tables.insert(*table, made);
                done
            }
            Operation::Describe => Outcome::Ok(Answer::Tables(self.describe())),
            Operation::SystemSchema | Operation::Stones { .. } => {
                Outcome::Refused(Refusal::Other("not served".to_owned()))
            }
            _ => {
                let number = what.table().expect("all that is left names a table");
                let is_strict = self.defect == Defect::ExclusiveEnds;
                match self.tables.get_mut(&number) {
                    None => Outcome::Refused(Refusal::NoSuchTable),
                    Some(table) if matches!(what, Operation::DropTable { .. }) => {
                        self.dropped
                            .insert(number, std::mem::take(&mut table.writes));
                        self.tables.remove(&number);
                        done
                    }
                    Some(table) => table.apply(what, is_strict),
                }
            }
        }
    }

    fn describe(&self) -> Vec<TableSeen> {
        self.tables
            .iter()
            .map(|(number, table)| table.describe(*number))
            .collect()
    }
}
