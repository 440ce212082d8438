//! Contents of `tidy`: the house rules that no lint can say, held by a test.
//!
//! `rules` names each rule with its mend and with an offence: a small false tree that the rule must
//! object to. A rule that cannot fail is no rule.

mod functions;
mod lexer;
mod paths;
mod ratchet;
mod rules;
mod tree;

use std::path::Path;

use rules::RULES;
use tree::Tree;

fn top() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the package is in the workspace")
}

#[test]
fn the_house_is_tidy() {
    let read = tree::read(top());
    let tree = Tree::new(
        read.iter()
            .map(|(path, text)| (path.as_str(), text.as_str())),
    );
    let mut report = String::new();
    for rule in RULES {
        let findings = ratchet::strike(ratchet::LIST, rule.name, (rule.check)(&tree));
        for finding in &findings {
            report.push_str(&format!("{finding} [{}]\n", rule.name));
        }
        if !findings.is_empty() {
            report.push_str(&format!("  mend: {}\n", rule.mend));
        }
    }
    assert!(report.is_empty(), "the house is not tidy:\n{report}");
}

#[test]
fn every_rule_objects_to_its_offence() {
    for rule in RULES {
        let tree = Tree::new(rule.offence.iter().copied());
        let findings = (rule.check)(&tree);
        let (path, line) = rule.offends_at;
        assert!(
            findings
                .iter()
                .any(|finding| finding.path == path && finding.line == line),
            "`{}` does not object to {path}:{line}; it says {findings:?}",
            rule.name
        );
        assert!(
            !rule.mend.is_empty() && rule.mend.ends_with('.'),
            "`{}` has no mend",
            rule.name
        );
    }
}

#[test]
fn no_rule_objects_to_a_sound_tree() {
    let tree = Tree::new(rules::SOUND.iter().copied());
    for rule in RULES {
        assert_eq!(
            (rule.check)(&tree),
            [],
            "`{}` objects to a sound tree",
            rule.name
        );
    }
}

#[test]
fn rules_have_names_of_their_own() {
    for (index, rule) in RULES.iter().enumerate() {
        assert!(
            RULES[..index].iter().all(|before| before.name != rule.name),
            "{}",
            rule.name
        );
    }
}
