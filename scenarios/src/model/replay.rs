//! Steps of the model: take the answers in the order in which clients got them, judge each by what
//! is known by then, and keep what it narrows.

use cenotaph_sim::time::Instant;

use super::objection::{Cause, Objection};
use super::state::Model;
use crate::history::{Answer, Outcome, RunFacts, Timeline};
use crate::plan::Knobs;

/// Every answer that a right database would not give, in the order in which clients got them.
#[must_use]
pub fn objections(timeline: &Timeline<'_>, knobs: &Knobs, facts: &RunFacts) -> Vec<Objection> {
    let mut model = Model::new(timeline, knobs, facts);
    let mut answered: Vec<(Instant, usize)> = timeline
        .records
        .iter()
        .enumerate()
        .filter_map(|(index, record)| Some((record.answered_at?, index)))
        .collect();
    answered.sort_unstable();
    let mut objections = Vec::new();
    for (_, index) in answered {
        if let Err((cause, told)) = judge(&mut model, index) {
            let record = &timeline.records[index];
            let after_healing = timeline
                .healed_at
                .is_some_and(|healed| healed <= record.invoked_at);
            let detail = format!("{}: {told}", model.tell(index));
            objections.push(Objection {
                operation: record.name,
                after_healing,
                cause,
                detail,
            });
        }
    }
    objections
}

fn judge(model: &mut Model<'_>, index: usize) -> Result<(), (Cause, String)> {
    let Some(view) = model.view(index) else {
        return Ok(());
    };
    model.tells_true_second(index, view)?;
    model.witness(index, view)?;
    match model.record(index).outcome {
        Some(Outcome::Ok(Answer::Rows(seen))) => model.read(index, seen, view),
        Some(Outcome::Ok(Answer::Stones(seen))) => model.stones(index, seen, view),
        Some(Outcome::Ok(Answer::SystemSchema(seen))) => model.system_schema(seen, view),
        Some(Outcome::Ok(Answer::Compacted(seen))) => model.compacted(index, seen, view),
        _ => Ok(()),
    }
}
