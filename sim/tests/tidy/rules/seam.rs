//! Invariants of the seam: how much of the simulator the engine sees, and of the engine the model.

use super::rule::Rule;
use crate::paths::heads_of_package;
use crate::tree::{Finding, Tree};

/// Rooms of the simulator that the engine may name.
const SEEN_BY_ENGINE: [&str; 4] = ["host", "sync", "time", "entropy"];

pub(crate) const ENGINE: Rule = Rule {
    name: "seam",
    mend: "ask through `cenotaph_sim::host` or `cenotaph_sim::sync`, and name the room in the path.",
    check: check_engine,
    offence: &[(
        "engine/src/node/boot.rs",
        "use cenotaph_sim::host::Host;\nuse cenotaph_sim::{sync::Notify,\n    world::World};\n",
    )],
    offends_at: ("engine/src/node/boot.rs", 3),
};

pub(crate) const MODEL: Rule = Rule {
    name: "independent-model",
    mend: "write it again, naively: a model that shares the engine's code shares its bugs.",
    check: check_model,
    offence: &[(
        "scenarios/src/model/rows.rs",
        "\nuse cenotaph_engine::rows::merge;\n",
    )],
    offends_at: ("scenarios/src/model/rows.rs", 2),
};

fn check_engine(tree: &Tree<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.under("engine/src") {
        for head in heads_of_package(&file.code, "cenotaph_sim") {
            if !SEEN_BY_ENGINE.contains(&head.name) {
                let what = format!("the engine sees `{}` of the simulator", head.name);
                findings.push(file.finding(head.line, what));
            }
        }
    }
    findings
}

fn check_model(tree: &Tree<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree
        .under("scenarios/src")
        .filter(|file| file.room() == Some("model"))
    {
        for head in heads_of_package(&file.code, "cenotaph_engine") {
            findings.push(file.finding(head.line, "the model uses the engine"));
        }
    }
    findings
}

#[test]
fn the_simulator_cannot_be_renamed_out_of_sight() {
    for line in [
        "use cenotaph_sim as host;",
        "use cenotaph_sim::*;",
        "extern crate cenotaph_sim;",
    ] {
        let tree = Tree::new([("engine/src/node.rs", line)]);
        assert_eq!(check_engine(&tree).len(), 1, "{line}");
    }
}

#[test]
fn tests_of_the_engine_may_build_whole_worlds() {
    let tree = Tree::new([("engine/tests/it/node.rs", "use cenotaph_sim::world::World;")]);
    assert_eq!(check_engine(&tree), []);
}
