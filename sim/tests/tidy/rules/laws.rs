//! Invariants of laws by proptest: the same cases on every run, and nothing kept on the disk.

use super::rule::Rule;
use crate::lexer::{Kind, Token};
use crate::tree::{File, Finding, Tree};

pub(crate) const LAWS: Rule = Rule {
    name: "laws",
    mend: "open `proptest!` with `#![proptest_config(…)]`, and make the config with \
           `rng_seed: RngSeed::Fixed(…)` and `failure_persistence: None`.",
    check,
    offence: &[(
        "sim/tests/it/law.rs",
        "use proptest::prelude::*;\nproptest! {\n    fn a(b: u8) {}\n}\n",
    )],
    offends_at: ("sim/tests/it/law.rs", 2),
};

fn check(tree: &Tree<'_>) -> Vec<Finding> {
    tree.rust().flat_map(|file| check_file(file)).collect()
}

fn check_file(file: &File<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let seeded = names(&file.code, &["rng_seed", ":", "RngSeed", "::", "Fixed"]);
    for (index, token) in file.code.iter().enumerate() {
        let rest = &file.code[index..];
        if begins(rest, &["proptest", "!", "{"])
            && !begins(&rest[3..], &["#", "!", "[", "proptest_config", "("])
        {
            findings
                .push(file.finding(token.line, "a law without a config draws afresh each time"));
        }
        if begins(rest, &["failure_persistence", ":"]) {
            if !begins(&rest[2..], &["None"]) {
                findings.push(file.finding(token.line, "a law keeps its failures in a file"));
            }
            if !seeded {
                findings.push(file.finding(token.line, "a config of laws has no fixed seed"));
            }
        }
    }
    findings
}

fn begins(code: &[Token<'_>], words: &[&str]) -> bool {
    code.len() >= words.len()
        && code
            .iter()
            .zip(words)
            .all(|(token, word)| token.kind != Kind::Literal && token.text == *word)
}

fn names(code: &[Token<'_>], words: &[&str]) -> bool {
    (0..code.len()).any(|index| begins(&code[index..], words))
}

#[test]
fn a_config_fixes_its_seed_and_keeps_nothing() {
    let objections = |text| check(&Tree::new([("sim/tests/it/law.rs", text)])).len();
    assert_eq!(
        objections("Config { rng_seed: RngSeed::Fixed(1), failure_persistence: None }"),
        0
    );
    assert_eq!(
        objections("Config { rng_seed: RngSeed::Random, failure_persistence: None }"),
        1
    );
    assert_eq!(
        objections("Config { rng_seed: RngSeed::Fixed(1), failure_persistence: Some(f) }"),
        1
    );
    assert_eq!(
        objections("proptest! { #![proptest_config(config())] fn a() {} }"),
        0
    );
}
