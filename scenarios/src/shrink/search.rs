//! Invariants of the search: a candidate replaces the plan only if it is valid, new, and fails with
//! the same identity; the first such in order wins, so threads change the time and nothing else.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;

use super::size::Size;
use crate::check::Identity;
use crate::cluster::RunOptions;
use crate::plan::{Plan, PlanHash};
use crate::pool;
use crate::run::Outcome;

/// What carries out a plan.
pub type Run<'a> = dyn Fn(&Plan, &RunOptions) -> Outcome + Sync + 'a;

/// How far a search is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Runs that the search has paid for.
    pub runs_count: u32,
    /// How many it may pay for.
    pub runs_max: u32,
    /// Size of the smallest plan so far.
    pub size: Size,
}

/// Candidates that one thread gets at a time.
const BATCH_PER_THREAD: usize = 4;

pub(super) struct Search<'a> {
    pub(super) run: &'a Run<'a>,
    pub(super) threads: NonZeroUsize,
    pub(super) identity: Identity,
    pub(super) plan: Plan,
    pub(super) outcome: Outcome,
    pub(super) runs_count: u32,
    pub(super) runs_max: u32,
    pub(super) tried: BTreeSet<PlanHash>,
    pub(super) progress: &'a mut dyn FnMut(Progress),
}

impl Search<'_> {
    /// Whether the budget is spent.
    pub(super) fn is_over(&self) -> bool {
        self.runs_count >= self.runs_max
    }

    /// Tries candidates in order until one fails alike, adopts it, and returns its tag. A search that
    /// is over tries none.
    ///
    /// Paid are the candidates up to that one, not those that threads ran ahead of the answer.
    pub(super) fn adopt_first(
        &mut self,
        candidates: &mut dyn Iterator<Item = (usize, Option<Plan>)>,
    ) -> Option<usize> {
        loop {
            let batch = self.batch(candidates);
            if batch.is_empty() {
                return None;
            }
            let (run, identity) = (self.run, self.identity);
            let found = pool::first(self.threads, batch.len(), |at| {
                let outcome = run(&batch[at].1, &RunOptions::default());
                (outcome.verdict.identity() == Some(identity)).then_some(outcome)
            });
            let paid = found.as_ref().map_or(batch.len(), |(at, _)| at + 1);
            self.runs_count += u32::try_from(paid).expect("a batch is a handful");
            self.tried
                .extend(batch[..paid].iter().map(|(_, plan)| plan.hash()));
            if let Some((at, outcome)) = found {
                let (tag, plan) = batch.into_iter().nth(at).expect("found in the batch");
                self.plan = plan;
                self.outcome = outcome;
                self.tell();
                return Some(tag);
            }
            self.tell();
        }
    }

    /// The next candidates that are worth a run, within the budget.
    fn batch(
        &self,
        candidates: &mut dyn Iterator<Item = (usize, Option<Plan>)>,
    ) -> Vec<(usize, Plan)> {
        let left = (self.runs_max - self.runs_count.min(self.runs_max)) as usize;
        let size = (self.threads.get() * BATCH_PER_THREAD).min(left);
        let mut batch: Vec<(usize, Plan)> = Vec::new();
        let mut hashes = BTreeSet::new();
        while batch.len() < size {
            let Some((tag, candidate)) = candidates.next() else {
                break;
            };
            let Some(plan) = candidate.filter(|plan| plan.validate("candidate").is_ok()) else {
                continue;
            };
            let hash = plan.hash();
            if !self.tried.contains(&hash) && hashes.insert(hash) {
                batch.push((tag, plan));
            }
        }
        batch
    }

    /// Adopts again and again from the list that `list` makes of the plan of the day, going on in
    /// the list where the last one was found.
    pub(super) fn exhaust(
        &mut self,
        list: impl Fn(&Plan) -> Box<dyn Iterator<Item = Option<Plan>> + '_>,
    ) {
        let mut skipped = 0;
        loop {
            let plan = self.plan.clone();
            match self.adopt_first(&mut list(&plan).enumerate().skip(skipped)) {
                Some(index) => skipped = index,
                None => return,
            }
        }
    }

    fn tell(&mut self) {
        let progress = Progress {
            runs_count: self.runs_count,
            runs_max: self.runs_max,
            size: Size::of(&self.plan),
        };
        (self.progress)(progress);
    }
}
