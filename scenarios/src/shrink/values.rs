//! Steps to short values: number what is written, all of it at once, then one by one, where the
//! padding of the others matters.

use super::fields::{values_mut, with_each};
use crate::plan::{Plan, Scalar};

/// The plan with short values.
pub(super) fn short_values(plan: &Plan) -> Box<dyn Iterator<Item = Option<Plan>> + '_> {
    let count = count(plan);
    let all = std::iter::once_with(move || Some(shortened(plan, None)));
    Box::new(all.chain((0..count).map(move |only| Some(shortened(plan, Some(only))))))
}

fn count(plan: &Plan) -> usize {
    let mut plan = plan.clone();
    let operations = plan.clients.iter_mut().flatten();
    operations
        .map(|operation| values_mut(operation).len())
        .sum()
}

/// Gives each value, or only one, the number of its place in the plan.
fn shortened(plan: &Plan, only: Option<usize>) -> Plan {
    let place = std::cell::Cell::new(0_usize);
    with_each(plan, |operation| {
        for value in values_mut(operation) {
            let index = place.replace(place.get() + 1);
            if only.is_none_or(|only| only == index) {
                *value = short(value, index + 1);
            }
        }
    })
}

/// The short value, unless the old one is no longer.
fn short(value: &Scalar, number: usize) -> Scalar {
    let number = i64::try_from(number).expect("a plan's places are counted in thousands");
    match value {
        Scalar::Integer(old) if old.unsigned_abs() <= number.unsigned_abs() => value.clone(),
        Scalar::Integer(_) => Scalar::Integer(number),
        Scalar::Text(old) => {
            let text = number.to_string();
            Scalar::Text(if old.len() <= text.len() {
                old.clone()
            } else {
                text
            })
        }
        Scalar::Blob(old) => {
            let bytes = number.to_be_bytes();
            let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
            let bytes = bytes[zeros..].to_vec();
            Scalar::Blob(if old.len() <= bytes.len() {
                old.clone()
            } else {
                bytes
            })
        }
    }
}
