//! Invariants of laws: the same cases on every run, and no files left behind.

use proptest::test_runner::{Config, RngSeed};

/// The configuration of every law in this package.
pub(crate) fn config(cases: u32) -> Config {
    Config {
        cases,
        rng_seed: RngSeed::Fixed(0x00ce_0a7a),
        failure_persistence: None,
        ..Config::default()
    }
}

/// Bytes as lower-case hex.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
