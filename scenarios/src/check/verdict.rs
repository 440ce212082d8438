//! Steps to a verdict: let the model object, give each objection to the one judge whose matter it
//! is, and let the judges of the node look for themselves.

use std::time::Duration;

use super::evidence::{Case, Evidence};
use super::violation::{Identity, Violation};
use super::{
    answers, boot, compaction, durability, liveness, pairs, panics, resurrection, schema,
    schema_flush, stones, store, system_schema,
};
use crate::model::{Objection, objections};

/// Judges of the node itself.
const OF_THE_NODE: [fn(&Case<'_>) -> Vec<Violation>; 5] = [
    panics::judge,
    boot::judge,
    store::judge,
    schema_flush::judge,
    liveness::judge,
];

/// Judges of answers: whose matter an objection is.
const OF_ANSWERS: [fn(&Objection) -> Option<Identity>; 7] = [
    resurrection::identity,
    durability::identity,
    schema::identity,
    stones::identity,
    compaction::identity,
    system_schema::identity,
    answers::identity,
];

/// What all judges say of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// What does not hold; the judges of the node first, then answers in the order of their times, then
    /// pairs of reads.
    pub violations: Vec<Violation>,
    /// How many answers were judged.
    pub answers_count: usize,
}

impl Verdict {
    /// Whether all invariants hold.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.violations.is_empty()
    }

    /// In which way the run fails, when it does: the first violation's identity.
    #[must_use]
    pub fn identity(&self) -> Option<Identity> {
        self.violations.first().map(|violation| violation.identity)
    }
}

/// Judges a run.
#[must_use]
pub fn judge(evidence: &Evidence<'_>) -> Verdict {
    let timeline = evidence.history.timeline();
    let objections = objections(&timeline, &evidence.plan.knobs, evidence.facts);
    let answers_count = timeline
        .records
        .iter()
        .filter(|record| record.incarnation.is_some())
        .count();
    let case = Case {
        history: evidence.history,
        facts: evidence.facts,
        window: Duration::from_millis(u64::from(
            evidence.plan.knobs.engine.schema_flush_window_millis,
        )),
        compacts_itself: evidence.plan.knobs.engine.compaction_sstables_min > 0,
        timeline,
        objections,
    };
    let mut violations: Vec<Violation> =
        OF_THE_NODE.iter().flat_map(|judge| judge(&case)).collect();
    violations.extend(case.objections.iter().map(|objection| Violation {
        identity: identity(objection),
        operation: Some(objection.operation),
        detail: objection.detail.clone(),
    }));
    violations.extend(pairs::judge(&case));
    Verdict {
        violations,
        answers_count,
    }
}

fn identity(objection: &Objection) -> Identity {
    let claims: Vec<Identity> = OF_ANSWERS
        .iter()
        .filter_map(|claim| claim(objection))
        .collect();
    let [identity] = claims[..] else {
        panic!("an objection is one judge's matter, not {claims:?}: {objection:?}");
    };
    identity
}
