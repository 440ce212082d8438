//! Vocabulary of epochs: the number of a schema change, and of the schema it leads to.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Counts schema changes; each takes the next.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Epoch(pub u64);

impl Epoch {
    /// Before the first change.
    pub const EMPTY: Epoch = Epoch(0);

    /// The epoch of the change after this.
    #[must_use]
    pub fn next(self) -> Epoch {
        Epoch(
            self.0
                .checked_add(1)
                .expect("fewer than 2^64 schema changes"),
        )
    }
}

impl fmt::Display for Epoch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
