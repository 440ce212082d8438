//! Invariants: every maximum of the engine, and how they fit together.

/// Bytes of a partition key: a component's size is 16 bits.
pub const PARTITION_KEY_SIZE_MAX: usize = 65_535;
/// Bytes of an encoded clustering or bound.
pub const CLUSTERING_SIZE_MAX: usize = 65_535;
/// Bytes of an encoded mutation; a commit log segment must hold at least one.
pub const MUTATION_SIZE_MAX: usize = 16 << 20;
