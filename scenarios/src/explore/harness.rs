//! Vocabulary of what a sweep drives: the scenarios there are, and what makes and runs their plans.

use cenotaph_engine::planted::Plant;

use crate::plan::Plan;
use crate::shrink::Run;

/// A scenario, as far as a sweep must know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What commands and plans call it.
    pub name: &'static str,
    /// What happens in it, in one line.
    pub summary: &'static str,
    /// Marks that some run of it has to reach.
    pub marks: &'static [&'static str],
    /// Kinds of fault that its plans may have, and that strike in some run.
    pub faults: &'static [&'static str],
    /// Kinds of operation that its plans may have, and that are done in some run.
    pub operations: &'static [&'static str],
    /// The planted bugs that it is to find.
    pub bugs: &'static [Plant],
}

/// The scenarios, and the two functions that everything else is built of.
#[derive(Clone, Copy)]
pub struct Harness<'a> {
    /// All scenarios, in order of their names.
    pub scenarios: &'a [Entry],
    /// Makes the plan of a scenario's seed. The scenario is one of those above.
    pub plan: &'a (dyn Fn(&str, u64) -> Plan + Sync),
    /// Runs a plan.
    pub run: &'a Run<'a>,
}

impl Harness<'_> {
    /// The scenario of that name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<Entry> {
        self.scenarios
            .iter()
            .copied()
            .find(|entry| entry.name == name)
    }

    /// The plan of a scenario's seed, with at most one bug planted.
    #[must_use]
    pub fn plan(&self, scenario: &str, seed: u64, bug: Option<&str>) -> Plan {
        let mut plan = (self.plan)(scenario, seed);
        plan.bug = bug.map(str::to_owned);
        plan
    }
}

impl std::fmt::Debug for Harness<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Harness")
            .field("scenarios", &self.scenarios)
            .finish_non_exhaustive()
    }
}
