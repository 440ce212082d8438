//! Vocabulary of scenarios: a name, one line about it, and the generator behind both.

use cenotaph_engine::planted::Plant;

use super::{crash_without_drain, flush_coalescing, tombstone_merge};
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
    /// Kinds of fault that its plans may have.
    pub faults: &'static [&'static str],
    /// Kinds of operation that its plans may have.
    pub operations: &'static [&'static str],
    /// The planted bugs that its judges are to find.
    pub bugs: &'static [Plant],
    pub(super) build: fn(&Sections<'_>) -> Plan,
}

const SCENARIOS: &[Scenario] = &[
    Scenario {
        name: crash_without_drain::NAME,
        summary: crash_without_drain::SUMMARY,
        marks: crash_without_drain::MARKS,
        faults: crash_without_drain::FAULT_KINDS,
        operations: crash_without_drain::OPERATION_KINDS,
        bugs: &[
            Plant::P02,
            Plant::P03,
            Plant::P04,
            Plant::P05,
            Plant::P11,
            Plant::P30,
            Plant::P36,
        ],
        build: crash_without_drain::build,
    },
    Scenario {
        name: flush_coalescing::NAME,
        summary: flush_coalescing::SUMMARY,
        marks: flush_coalescing::MARKS,
        faults: flush_coalescing::FAULT_KINDS,
        operations: flush_coalescing::OPERATION_KINDS,
        bugs: &[Plant::P09, Plant::C02],
        build: flush_coalescing::build,
    },
    Scenario {
        name: tombstone_merge::NAME,
        summary: tombstone_merge::SUMMARY,
        marks: tombstone_merge::MARKS,
        faults: tombstone_merge::FAULT_KINDS,
        operations: tombstone_merge::OPERATION_KINDS,
        bugs: &[
            Plant::P01,
            Plant::P06,
            Plant::P07,
            Plant::P08,
            Plant::P11,
            Plant::P21,
            Plant::P25,
            Plant::P39,
            Plant::C01,
            Plant::C03,
            Plant::C04,
            Plant::C05,
            Plant::C06,
            Plant::C07,
        ],
        build: tombstone_merge::build,
    },
];

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
