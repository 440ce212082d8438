//! Invariants of a `mod.rs`: a table of contents, not a place for code.
//!
//! It holds documentation, modules, imports and re-exports, constants, and at most the trait whose
//! contract the room keeps.

use super::rule::Rule;
use crate::functions::functions;
use crate::lexer::{Kind, Token};
use crate::tree::{File, Finding, Tree};

/// Words that begin an item that belongs in a file of its own.
const FOREIGN: [&str; 6] = ["struct", "enum", "impl", "type", "static", "macro_rules"];

pub(crate) const CONTENTS: Rule = Rule {
    name: "contents",
    mend: "move the code into a file named for what it is, and re-export it.",
    check,
    offence: &[(
        "sim/src/sync/mod.rs",
        "mod notify;\n\npub fn yield_now() {\n}\n",
    )],
    offends_at: ("sim/src/sync/mod.rs", 3),
};

fn check(tree: &Tree<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.rust().filter(|file| file.name() == "mod.rs") {
        check_bodies(file, &mut findings);
        check_items(file, &mut findings);
    }
    findings
}

fn check_bodies(file: &File<'_>, findings: &mut Vec<Finding>) {
    for function in functions(&file.code)
        .iter()
        .filter(|function| function.has_body)
    {
        let what = format!(
            "the body of `{}` stands in a table of contents",
            function.name
        );
        findings.push(file.finding(function.line_first, what));
    }
}

fn check_items(file: &File<'_>, findings: &mut Vec<Finding>) {
    let mut depth = 0_usize;
    for (index, token) in file.code.iter().enumerate() {
        if depth == 0 && (is_foreign(token) || is_inline_module(&file.code[index..])) {
            let what = format!("`{}` stands in a table of contents", token.text);
            findings.push(file.finding(token.line, what));
        }
        match token.text {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
}

fn is_foreign(token: &Token<'_>) -> bool {
    token.kind == Kind::Word && FOREIGN.contains(&token.text)
}

fn is_inline_module(code: &[Token<'_>]) -> bool {
    let [first, _, third, ..] = code else {
        return false;
    };
    first.is_word("mod") && third.is_sign("{")
}

#[cfg(test)]
fn objections(text: &str) -> usize {
    check(&Tree::new([("a/src/b/mod.rs", text)])).len()
}

#[test]
fn every_item_with_a_life_of_its_own_is_seen() {
    assert_eq!(objections("pub struct A;"), 1);
    assert_eq!(objections("#[derive(Debug)]\npub(crate) enum A { B }"), 1);
    assert_eq!(objections("impl A { fn a() {} fn b(); }"), 2);
    assert_eq!(objections("pub type A = B;"), 1);
    assert_eq!(objections("pub mod inline { pub use a::b; }"), 1);
    assert_eq!(objections("macro_rules! a { () => {} }"), 1);
}

#[test]
fn what_a_contents_page_may_hold_is_left_alone() {
    assert_eq!(
        objections("//! # fn doc() {}\n#[cfg(test)]\nmod tests;\npub use a::{b, c};"),
        0
    );
    assert_eq!(objections("pub const A: &'static [u8] = &[1, 2];"), 0);
    assert_eq!(
        objections("pub trait A { type B; fn c(&self) -> Self::B; }"),
        0
    );
}

#[test]
fn a_trait_states_its_contract_and_no_more() {
    assert_eq!(objections("pub trait A { fn b(&self) -> u8 { 1 } }"), 1);
}
