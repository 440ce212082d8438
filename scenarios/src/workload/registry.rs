//! Vocabulary of scenarios: a name, one line about it, and the generator behind both.

use super::crash_without_drain;
use crate::plan::{Plan, PlanError, Sections};

/// A named generator of plans.
#[derive(Clone, Copy, Debug)]
pub struct Scenario {
    /// What commands and plans call it.
    pub name: &'static str,
    /// What happens in it, in one line.
    pub summary: &'static str,
    /// Places of engine and world that some run of it has to reach.
    pub marks: &'static [&'static str],
    pub(super) build: fn(&Sections<'_>) -> Plan,
}

const SCENARIOS: &[Scenario] = &[Scenario {
    name: crash_without_drain::NAME,
    summary: crash_without_drain::SUMMARY,
    marks: crash_without_drain::MARKS,
    build: crash_without_drain::build,
}];

/// All scenarios, in order of their names.
#[must_use]
pub const fn list() -> &'static [Scenario] {
    SCENARIOS
}

/// The scenario of that name.
///
/// # Errors
/// [`PlanError::Scenario`] when there is none.
pub fn find(name: &str) -> Result<&'static Scenario, PlanError> {
    SCENARIOS
        .iter()
        .find(|scenario| scenario.name == name)
        .ok_or_else(|| PlanError::Scenario {
            name: name.to_owned(),
            known: SCENARIOS
                .iter()
                .map(|scenario| scenario.name)
                .collect::<Vec<_>>()
                .join(", "),
        })
}
