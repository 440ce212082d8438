//! Invariants of where tests stand: under `tests/`, or in a room's own `tests.rs`; never below the code.

use super::rule::Rule;
use crate::tree::{File, Finding, Tree};

pub(crate) const TESTS_APART: Rule = Rule {
    name: "tests-apart",
    mend: "move the test to tests/it/, or, for what is private, to a sibling tests.rs.",
    check,
    offence: &[(
        "sim/src/time/instant.rs",
        "fn now() {}\n\n#[test]\nfn it_ticks() {}\n",
    )],
    offends_at: ("sim/src/time/instant.rs", 3),
};

fn check(tree: &Tree<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree
        .rust()
        .filter(|file| file.path.contains("/src/") && !holds_tests(file))
    {
        let inline = file.code.windows(3).filter(|three| {
            three[0].is_word("mod") && three[1].is_word("tests") && three[2].is_sign("{")
        });
        let attributes = file.code.windows(4).filter(|four| {
            four[0].is_sign("#")
                && four[1].is_sign("[")
                && four[2].is_word("test")
                && four[3].is_sign("]")
        });
        let lines = inline
            .map(|three| three[0].line)
            .chain(attributes.map(|four| four[0].line));
        findings.extend(lines.map(|line| file.finding(line, "a test stands below the code")));
    }
    findings
}

fn holds_tests(file: &File<'_>) -> bool {
    file.name() == "tests.rs" || file.path.contains("/tests/")
}

#[test]
fn an_inline_module_of_tests_is_below_the_code_too() {
    let text = "fn f() {}\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn t() {}\n}\n";
    let lines = |path| {
        let findings = check(&Tree::new([(path, text)]));
        findings
            .iter()
            .map(|finding| finding.line)
            .collect::<Vec<usize>>()
    };
    assert_eq!(lines("sim/src/a.rs"), [3, 4]);
    assert_eq!(lines("sim/tests/it/a.rs"), []);
    assert_eq!(lines("sim/src/a/tests.rs"), []);
}
