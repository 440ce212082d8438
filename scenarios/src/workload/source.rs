//! Steps from a seed or a fuzzer's bytes to a plan: cut the sections, let the scenario build.

use super::registry::{find, list};
use crate::plan::{Plan, PlanError, Sections};

impl Plan {
    /// The plan that a scenario makes of a seed.
    ///
    /// # Errors
    /// [`PlanError::Scenario`] when there is no scenario of that name.
    pub fn from_seed(scenario: &str, seed: u64) -> Result<Plan, PlanError> {
        let plan = (find(scenario)?.build)(&Sections::Seed(seed));
        assert_valid(&plan);
        Ok(plan)
    }

    /// The plan that a fuzzer's bytes mean; none when they mean none.
    ///
    /// An input that begins with `{` is a plan's text, clamped into its bounds: so every plan file
    /// is a corpus entry. Any other first byte chooses the scenario, whose generator reads the rest.
    #[must_use]
    pub fn from_fuzz_bytes(bytes: &[u8]) -> Option<Plan> {
        let (first, rest) = bytes.split_first()?;
        let plan = if *first == b'{' {
            let plan = Plan::from_json_clamped(std::str::from_utf8(bytes).ok()?).ok()?;
            find(&plan.scenario).ok()?;
            plan
        } else {
            let scenario = &list()[usize::from(*first) % list().len()];
            (scenario.build)(&Sections::Input(rest))
        };
        assert_valid(&plan);
        Some(plan)
    }
}

/// A generator that makes a plan which its own loader refuses is broken.
fn assert_valid(plan: &Plan) {
    if let Err(error) = plan.validate("generated plan") {
        panic!("{error}\n{}", plan.to_json());
    }
}
