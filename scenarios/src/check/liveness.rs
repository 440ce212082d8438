//! Invariants of liveness: once all faults ended, the node serves, and every request that begins
//! from then on is answered, both within the run's bound. A run that was never healed is not judged.

use super::evidence::Case;
use super::violation::{Identity, Invariant, Judge, Role, Violation};
use crate::history::Outcome;

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
    for record in case
        .timeline
        .records
        .iter()
        .filter(|record| record.invoked_at >= healed_at)
    {
        let due_at = record.invoked_at.after(case.facts.liveness_bound);
        let is_answered = matches!(record.outcome, Some(Outcome::Ok(_) | Outcome::Refused(_)))
            && record
                .answered_at
                .is_some_and(|answered_at| answered_at <= due_at);
        if !is_answered {
            let (name, what) = (record.name, record.what);
            violations.push(Violation {
                identity: identity(Invariant::RequestsAnswered, Role::Client),
                operation: Some(name),
                detail: format!(
                    "{name} `{what}`, begun at {}, has no answer at {due_at}",
                    record.invoked_at
                ),
            });
        }
    }
    violations
}

fn identity(invariant: Invariant, role: Role) -> Identity {
    Identity {
        judge: Judge::Liveness,
        invariant,
        role,
    }
}
