//! Invariants of counters: they only grow, never wrap, and are read in the order of declaration.

use std::cell::Cell;

/// Counts events or bytes.
#[derive(Debug, Default)]
pub struct Counter(Cell<u64>);

impl Counter {
    /// One more.
    pub fn increment(&self) {
        self.add(1);
    }

    /// `count` more; stays at the largest number rather than wrap.
    pub fn add(&self, count: u64) {
        self.0.set(self.0.get().saturating_add(count));
    }

    /// The count so far.
    #[must_use]
    pub fn get(&self) -> u64 {
        self.0.get()
    }
}

/// Keeps the largest value seen; zero before the first.
#[derive(Debug, Default)]
pub struct Peak(Cell<u64>);

impl Peak {
    /// Sees a value.
    pub fn observe(&self, value: u64) {
        self.0.set(self.0.get().max(value));
    }

    /// The largest value seen.
    #[must_use]
    pub fn get(&self) -> u64 {
        self.0.get()
    }
}

/// Declares a set of metrics: one doc line, name and type each, read in that order.
macro_rules! metric_set {
    ($(#[$set_doc:meta])* $set:ident { $($(#[$doc:meta])* $name:ident: $kind:ty,)* }) => {
        $(#[$set_doc])*
        #[derive(Debug, Default)]
        pub struct $set {
            $($(#[$doc])* pub $name: $kind,)*
        }

        impl $set {
            /// Name and value of each metric, in the order of declaration.
            #[must_use]
            pub fn values(&self) -> Vec<(&'static str, u64)> {
                vec![$((stringify!($name), self.$name.get()),)*]
            }
        }
    };
}

pub(super) use metric_set;
