//! Invariants of sizes: a file is read in one sitting, a function on one screen.

use super::rule::Rule;
use crate::functions::functions;
use crate::tree::{Finding, Tree};

const FILE_LINE_COUNT_MAX: usize = 500;
const FUNCTION_LINE_COUNT_MAX: usize = 70;

pub(crate) const FILE_SIZE: Rule = Rule {
    name: "file-size",
    mend: "split the file by what its parts are about.",
    check: check_files,
    offence: &[("sim/src/long.rs", LONG)],
    offends_at: ("sim/src/long.rs", 501),
};

pub(crate) const FUNCTION_SIZE: Rule = Rule {
    name: "function-size",
    mend: "give a part of the function a name of its own.",
    check: check_functions,
    offence: &[("sim/src/long.rs", LONG)],
    offends_at: ("sim/src/long.rs", 2),
};

fn check_files(tree: &Tree<'_>) -> Vec<Finding> {
    let too_long = tree.rust().filter_map(|file| {
        let line_count = file.text.lines().count();
        let what = format!("{line_count} lines; at most {FILE_LINE_COUNT_MAX}");
        (line_count > FILE_LINE_COUNT_MAX).then(|| file.finding(FILE_LINE_COUNT_MAX + 1, what))
    });
    too_long.collect()
}

fn check_functions(tree: &Tree<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.rust() {
        for function in functions(&file.code) {
            let line_count = function.line_count();
            if line_count > FUNCTION_LINE_COUNT_MAX {
                let name = function.name;
                let what =
                    format!("`{name}` has {line_count} lines; at most {FUNCTION_LINE_COUNT_MAX}");
                findings.push(file.finding(function.line_first, what));
            }
        }
    }
    findings
}

/// A header, a function of 500 lines, and its first line.
const LONG: &str = {
    const BYTES: [u8; HEAD.len() + 499 + 1] = {
        let mut bytes = [b'\n'; HEAD.len() + 499 + 1];
        let mut index = 0;
        while index < HEAD.len() {
            bytes[index] = HEAD.as_bytes()[index];
            index += 1;
        }
        bytes[HEAD.len() + 499] = b'}';
        bytes
    };
    const HEAD: &str = "//! Steps: none.\nfn f() {";
    match std::str::from_utf8(&BYTES) {
        Ok(text) => text,
        Err(_) => panic!("the text is ASCII"),
    }
};

#[test]
fn the_bounds_are_exact() {
    let body = |line_count: usize| format!("fn f() {{{}}}", "\n".repeat(line_count - 1));
    for (line_count, objections) in [(70, 0), (71, 1)] {
        let text = body(line_count);
        let tree = Tree::new([("sim/src/f.rs", text.as_str())]);
        assert_eq!(check_functions(&tree).len(), objections, "{line_count}");
    }
    for (line_count, objections) in [(500, 0), (501, 1)] {
        let text = body(line_count);
        let tree = Tree::new([("sim/src/f.rs", text.as_str())]);
        assert_eq!(check_files(&tree).len(), objections, "{line_count}");
    }
}
