//! Invariants of a plan's hash: it depends on the plan's text alone, which depends on the plan alone.

use std::fmt;

use cenotaph_sim::entropy::hash_bytes;

use super::document::Plan;

/// Names a plan in reports and file names; printed as 16 hex digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlanHash(pub u64);

impl fmt::Display for PlanHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// Keeps these hashes apart from all others; the number has no meaning.
const DOMAIN: u64 = 0x706c_616e;

impl Plan {
    /// The plan's hash.
    #[must_use]
    pub fn hash(&self) -> PlanHash {
        PlanHash(hash_bytes(DOMAIN, self.to_json().as_bytes()))
    }
}
