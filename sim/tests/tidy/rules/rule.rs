//! Vocabulary of rules.

use crate::tree::{Finding, Tree};

/// Path and text of a file that exists only in a test.
pub(crate) type Fake = (&'static str, &'static str);

/// One rule of the house.
pub(crate) struct Rule {
    pub(crate) name: &'static str,
    /// What to do about a finding, as a sentence.
    pub(crate) mend: &'static str,
    pub(crate) check: fn(&Tree<'_>) -> Vec<Finding>,
    /// The smallest tree that breaks the rule.
    pub(crate) offence: &'static [Fake],
    /// Path and line that the rule must name in it.
    pub(crate) offends_at: (&'static str, usize),
}
