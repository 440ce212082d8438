//! Vocabulary of a sound tree: small, and with something for every rule to look at.

use super::rule::Fake;

/// No rule may object to any of it.
pub(crate) const SOUND: &[Fake] = &[
    (
        "Cargo.toml",
        "[workspace]\nmembers = [\"sim\", \"engine\"]\n[workspace.dependencies]\n\
         rand = { version = \"=0.10.4\" }\nrand_chacha = \"=0.10.0\"\narbitrary = \"=1.5.0\"\n\
         [workspace.lints.rust]\nunsafe_code = \"forbid\"\n",
    ),
    (
        "sim/Cargo.toml",
        "[package]\nname = \"cenotaph-sim\"\n[lints]\nworkspace = true\n",
    ),
    (
        "engine/Cargo.toml",
        "[package]\nname = \"cenotaph-engine\"\n[dependencies]\ncenotaph-sim.workspace = true\n\
         [dev-dependencies]\ncenotaph-snapshots = { workspace = true }\n[lints]\nworkspace = true\n",
    ),
    (
        "sim/src/lib.rs",
        "//! Vocabulary of machines.\n\npub mod time;\n",
    ),
    ("sim/src/time.rs", "//! Invariants: time never goes back.\n"),
    (
        "engine/src/lib.rs",
        "//! Vocabulary of the engine.\n\npub mod planted;\npub mod record;\npub mod node;\n",
    ),
    (
        "engine/src/planted.rs",
        "//! Vocabulary of planted bugs.\n/// Bugs.\npub enum Plant {\n    /// One.\n    #[doc(alias = \"x\")]\n    P01,\n    /// Two.\n    P02 = 2,\n}\n",
    ),
    (
        "engine/src/record/mod.rs",
        "//! Contents of `record`: framed bytes.\n\nmod read;\n#[cfg(test)]\nmod tests;\n\n\
         pub use read::read;\n/// A contract.\npub trait Source {\n    /// Next.\n    fn next(&self) -> u8;\n}\n",
    ),
    (
        "engine/src/record/read.rs",
        "//! Byte layout of a record; see `crate::node`.\nuse cenotaph_sim::host::Host;\nuse crate::planted::{self, Plant};\n\n\
         fn read(_: &Host) -> bool {\n    planted::on(Plant::P01) || planted::on(planted::Plant::P02)\n}\n",
    ),
    (
        "engine/src/record/tests.rs",
        "//! Invariants of reading.\n#[test]\nfn it_reads() {}\n",
    ),
    (
        "engine/src/record/FORMAT.md",
        "# Records\n\nFrozen as `version_1`.\n",
    ),
    (
        "engine/src/node.rs",
        "//! Steps: boot, serve, drain.\n\nuse crate::record::{Source, read};\n",
    ),
    (
        "engine/tests/it/main.rs",
        "//! Contents of the tests.\n\nmod laws;\nmod record;\n",
    ),
    (
        "engine/tests/it/laws.rs",
        "//! Invariants of laws.\nfn config() -> Config {\n    Config { rng_seed: RngSeed::Fixed(7), failure_persistence: None, ..Config::default() }\n}\n\
         proptest! {\n    #![proptest_config(config())]\n}\n",
    ),
    (
        "engine/tests/it/record.rs",
        "//! Invariants of records.\n#[test]\nfn a_law() {}\n",
    ),
    (
        "snapshots/engine/record/version_1.snap",
        "---\nsource: engine/tests/it/record.rs\ndescription: The bytes of version 1.\n---\n0000  de ad be ef  magic\n",
    ),
];
