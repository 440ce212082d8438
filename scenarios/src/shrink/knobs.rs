//! Steps of turning knobs back: name those that differ from their defaults, copy the default over.
//!
//! By name, through the knobs' text form, so that a new knob needs nothing here.

use serde_json::Value;

use crate::plan::{Knobs, Plan};

/// A knob by section and name.
pub(super) type Knob = (String, String);

/// The knobs that differ from their defaults, in order of section and name.
pub(super) fn turned(knobs: &Knobs) -> Vec<Knob> {
    let (ours, defaults) = (tree(knobs), tree(&Knobs::default()));
    let mut names = Vec::new();
    for (section, own) in ours.as_object().into_iter().flatten() {
        for (name, value) in own.as_object().into_iter().flatten() {
            if *value != defaults[section][name] {
                names.push((section.clone(), name.clone()));
            }
        }
    }
    names
}

/// The plan with some of its knobs at their defaults.
pub(super) fn turn_back(plan: &Plan, names: &[Knob]) -> Plan {
    let (mut ours, defaults) = (tree(&plan.knobs), tree(&Knobs::default()));
    for (section, name) in names {
        ours[section][name] = defaults[section][name].clone();
    }
    let knobs = serde_json::from_value(ours).expect("knobs of which each value was a knob's");
    Plan {
        knobs,
        ..plan.clone()
    }
}

fn tree(knobs: &Knobs) -> Value {
    serde_json::to_value(knobs).expect("knobs have string keys and finite numbers")
}
