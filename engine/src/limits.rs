//! Invariants: every maximum of the engine, and how they fit together.
