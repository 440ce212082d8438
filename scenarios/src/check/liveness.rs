//! Invariants of liveness: once all faults ended, the node serves, everything is read back, and every
//! request that begins from then on is done, all within the run's bound. What is refused because the
//! node does nothing now is not done. A run that was never healed is not judged.

use cenotaph_sim::time::Instant;

use super::evidence::Case;
use super::violation::{Identity, Invariant, Judge, Role, Violation};
use crate::history::{Outcome, Record, Refusal};

pub(super) fn judge(case: &Case<'_>) -> Vec<Violation> {
    let Some(healed_at) = case.timeline.healed_at else {
        return Vec::new();
    };
    let deadline = healed_at.after(case.facts.liveness_bound);
    let mut violations = Vec::new();
    let serves = case.timeline.incarnations.last().is_some_and(|node| {
        node.ended_at.is_none()
            && node
                .serving_at
                .is_some_and(|serving_at| serving_at <= deadline)
    });
    if !serves {
        violations.push(Violation {
            identity: identity(Invariant::NodeServes, Role::Node),
            operation: None,
            detail: format!("healed at {healed_at}, the node does not serve at {deadline}"),
        });
    }
    let records = &case.timeline.records;
    let healed = || {
        records
            .iter()
            .filter(|record| record.invoked_at >= healed_at)
    };
    for record in healed() {
        let due_at = record.invoked_at.after(case.facts.liveness_bound);
        if let Some(why) = undone(record, due_at) {
            let (name, what) = (record.name, record.what);
            violations.push(Violation {
                identity: identity(Invariant::RequestsAnswered, Role::Client),
                operation: Some(name),
                detail: format!("{name} `{what}`, begun at {}, {why}", record.invoked_at),
            });
        }
    }
    let (begun, finals) = (healed().count(), case.facts.finals_count);
    if begun < finals {
        violations.push(Violation {
            identity: identity(Invariant::RequestsAnswered, Role::Client),
            operation: None,
            detail: format!(
                "healed at {healed_at}, the node has no session for the last reader: of {finals} \
                 operations it began {begun}"
            ),
        });
    }
    violations
}

/// Why an operation was not done in time, when it was not.
fn undone(record: &Record<'_>, due_at: Instant) -> Option<String> {
    match (record.outcome, record.answered_at) {
        (Some(Outcome::Refused(Refusal::NotNow(why))), Some(at)) => {
            Some(format!("is still refused at {at}: {why}"))
        }
        (Some(Outcome::Ok(_) | Outcome::Refused(_)), Some(at)) if at <= due_at => None,
        (Some(Outcome::Ok(_) | Outcome::Refused(_)), Some(at)) => {
            Some(format!("is answered at {at}, after {due_at}"))
        }
        (Some(Outcome::Unknown { why }), Some(at)) => {
            Some(format!("has no answer by {due_at}: at {at} {why}"))
        }
        _ => Some(format!("has no answer by {due_at}")),
    }
}

fn identity(invariant: Invariant, role: Role) -> Identity {
    Identity {
        judge: Judge::Liveness,
        invariant,
        role,
    }
}
