//! Invariants of honesty: no test is switched off, nothing is left for later, builds do not differ.

use super::rule::Rule;
use crate::lexer::Token;
use crate::tree::{Finding, Tree};

pub(crate) const CODE: Rule = Rule {
    name: "banned-code",
    mend: "finish it or take it out; assert in every build, or not at all.",
    check: check_code,
    offence: &[(
        "sim/tests/it/net.rs",
        "#[test]\n#[ignore]\nfn a_packet_arrives() {}\n",
    )],
    offends_at: ("sim/tests/it/net.rs", 2),
};

pub(crate) const COMMENTS: Rule = Rule {
    name: "banned-comments",
    mend: "do it now, or leave it out: an intention is not documentation.",
    check: check_comments,
    offence: &[("sim/src/lib.rs", "pub mod a;\n// pub mod b;\n")],
    offends_at: ("sim/src/lib.rs", 2),
};

/// Macros that stand for missing code, print from tests' corners, or vanish in a release build.
const MACROS: [&str; 6] = [
    "todo",
    "unimplemented",
    "dbg",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
];

/// Words that put a note off to a later day.
const NOTES: [&str; 4] = ["TODO", "FIXME", "XXX", "HACK"];

fn check_code(tree: &Tree<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.rust() {
        for (index, token) in file.code.iter().enumerate() {
            if let Some(what) = banned(&file.code, index) {
                findings.push(file.finding(token.line, format!("`{}` {what}", token.text)));
            }
        }
    }
    findings
}

fn banned(code: &[Token<'_>], index: usize) -> Option<&'static str> {
    let token = &code[index];
    let after = |back: usize, sign: &str| index >= back && code[index - back].is_sign(sign);
    if token.is_word("ignore") && after(1, "[") && after(2, "#") {
        return Some("switches a test off");
    }
    if token.is_word("debug_assertions") {
        return Some("lets builds differ");
    }
    let is_called = code.get(index + 1).is_some_and(|next| next.is_sign("!"));
    let is_banned = MACROS.iter().any(|name| token.is_word(name));
    (is_called && is_banned).then_some("is not for code that is kept")
}

fn check_comments(tree: &Tree<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.rust() {
        for comment in &file.comments {
            for (index, line) in comment.text.lines().enumerate() {
                if let Some(what) = note(line) {
                    findings.push(file.finding(comment.line + index, what));
                }
            }
        }
    }
    findings
}

fn note(line: &str) -> Option<String> {
    let words = || line.split(|c: char| !c.is_alphanumeric() && c != '_');
    if let Some(word) = words().find(|word| NOTES.contains(word)) {
        return Some(format!("a note for later: {word}"));
    }
    let said = line.strip_prefix("//")?.trim_start();
    let said = said.strip_prefix("pub ").unwrap_or(said);
    let name = said.strip_prefix("mod ")?.strip_suffix(';')?;
    (!name.contains(' ')).then(|| format!("module `{name}` is commented out"))
}

#[test]
fn each_ban_is_held() {
    let objections = |text| check_code(&Tree::new([("sim/src/a.rs", text)])).len();
    assert_eq!(objections("fn f() { todo!() }"), 1);
    assert_eq!(objections("fn f() { unimplemented!(\"x\") }"), 1);
    assert_eq!(objections("fn f() { std::dbg!(1); }"), 1);
    assert_eq!(objections("fn f() { debug_assert_eq!(1, 1); }"), 1);
    assert_eq!(objections("#[cfg(debug_assertions)] fn f() {}"), 1);
    assert_eq!(objections("#[ignore = \"slow\"] fn f() {}"), 1);
    assert_eq!(
        objections("fn ignore() { let todo = [ignore]; assert!(true); } // dbg!()"),
        0
    );
}

#[test]
fn notes_for_later_are_seen_on_their_line() {
    let text = "/* one\n two FIXME */\n// the mod of a;\n/// TODO: say it\n";
    let tree = Tree::new([("sim/src/a.rs", text)]);
    let lines: Vec<usize> = check_comments(&tree)
        .iter()
        .map(|finding| finding.line)
        .collect();
    assert_eq!(lines, [2, 4]);
}
