//! Steps: from the tokens of a file to the rooms it names.
//!
//! 1. Find where a path begins: `crate::`, `$crate::`, a chain of `super::` that ends at the crate's
//!    root, or another package's name.
//! 2. Take the next name; of a list in braces, the first name of every entry.
//!
//! `use` lines and paths in expressions are read alike.

use crate::lexer::{Kind, Token};

/// The first name after the root of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Head<'a> {
    pub(crate) name: &'a str,
    pub(crate) line: usize,
    /// Whether it is a macro's call: exported macros stand at the root, whatever their room.
    pub(crate) is_macro: bool,
}

/// What a file names right under the root of its own crate.
///
/// `depth` is how many modules stand above the file's own items: 0 for `lib.rs`, 1 for
/// `src/room/mod.rs`, 2 for `src/room/part.rs`.
pub(crate) fn heads_of_crate<'a>(code: &[Token<'a>], depth: usize) -> Vec<Head<'a>> {
    let mut heads = Vec::new();
    let mut modules = Modules::new(depth);
    for (index, token) in code.iter().enumerate() {
        modules.step(code, index);
        let begins = index == 0 || !code[index - 1].is_sign("::");
        if token.is_word("crate") && begins {
            after_root(code, index, &mut heads);
        }
        if token.is_word("super") && begins {
            let mut last = index;
            let mut super_count = 1;
            while is_path_on(code, last) && code.get(last + 2).is_some_and(|t| t.is_word("super")) {
                last += 2;
                super_count += 1;
            }
            if super_count >= modules.depth() {
                after_root(code, last, &mut heads);
            }
        }
    }
    heads
}

/// What a file names right under the root of another package.
///
/// The package's bare name, as in `use package as other`, is a head of its own: it would hide the rest.
pub(crate) fn heads_of_package<'a>(code: &[Token<'a>], package: &str) -> Vec<Head<'a>> {
    let mut heads = Vec::new();
    for (index, token) in code
        .iter()
        .enumerate()
        .filter(|(_, token)| token.is_word(package))
    {
        if is_path_on(code, index) {
            after_root(code, index, &mut heads);
        } else {
            heads.push(Head {
                name: token.text,
                line: token.line,
                is_macro: false,
            });
        }
    }
    heads
}

fn is_path_on(code: &[Token<'_>], index: usize) -> bool {
    code.get(index + 1).is_some_and(|token| token.is_sign("::"))
}

fn after_root<'a>(code: &[Token<'a>], root: usize, heads: &mut Vec<Head<'a>>) {
    if is_path_on(code, root) {
        entry(code, root + 2, heads);
    }
}

/// Reads one entry of a `use` tree, and says where it ends: at a comma or brace outside of it.
fn entry<'a>(code: &[Token<'a>], start: usize, heads: &mut Vec<Head<'a>>) -> usize {
    let Some(first) = code.get(start) else {
        return start;
    };
    if !first.is_sign("{") {
        let is_macro = code.get(start + 1).is_some_and(|token| token.is_sign("!"));
        heads.push(Head {
            name: first.text,
            line: first.line,
            is_macro,
        });
        return skip(code, start);
    }
    let mut at = start + 1;
    while code.get(at).is_some_and(|token| !token.is_sign("}")) {
        at = entry(code, at, heads);
        if code.get(at).is_some_and(|token| token.is_sign(",")) {
            at += 1;
        }
    }
    at + 1
}

fn skip(code: &[Token<'_>], start: usize) -> usize {
    let mut depth = 0_usize;
    for (index, token) in code.iter().enumerate().skip(start) {
        match token.text {
            "{" => depth += 1,
            "," | "}" if depth == 0 => return index,
            "}" => depth -= 1,
            _ => {}
        }
    }
    code.len()
}

/// How many modules stand above a token: the file's own, and those opened inline.
struct Modules {
    outer: usize,
    braces: usize,
    /// Brace depths at which inline modules opened.
    inline: Vec<usize>,
}

impl Modules {
    fn new(outer: usize) -> Modules {
        Modules {
            outer,
            braces: 0,
            inline: Vec::new(),
        }
    }

    fn depth(&self) -> usize {
        self.outer + self.inline.len()
    }

    fn step(&mut self, code: &[Token<'_>], index: usize) {
        if code[index].is_sign("{") {
            if index >= 2 && code[index - 2].is_word("mod") && code[index - 1].kind == Kind::Word {
                self.inline.push(self.braces);
            }
            self.braces += 1;
        } else if code[index].is_sign("}") {
            self.braces = self.braces.saturating_sub(1);
            if self.inline.last() == Some(&self.braces) {
                self.inline.pop();
            }
        }
    }
}

/// The names of `mod name;` lines in their order, with their lines.
pub(crate) fn modules_named<'a>(code: &[Token<'a>]) -> Vec<Token<'a>> {
    let named = code.windows(3).filter(|three| {
        three[0].is_word("mod") && three[1].kind == Kind::Word && three[2].is_sign(";")
    });
    named.map(|three| three[1]).collect()
}

#[cfg(test)]
fn names(heads: &[Head<'_>]) -> Vec<String> {
    heads.iter().map(|head| head.name.to_owned()).collect()
}

#[test]
fn nested_lists_are_expanded() {
    let source =
        "use crate::{a, b::{c, d}, e::f as g}; use crate::h; let x = crate::i::j(crate::k!());";
    let code = crate::lexer::lex(source);
    let heads = heads_of_crate(&code, 2);
    assert_eq!(names(&heads), ["a", "b", "e", "h", "i", "k"]);
    assert!(heads[5].is_macro && !heads[4].is_macro);
}

#[test]
fn super_counts_only_where_it_leaves_the_room() {
    let source = "use super::near; use super::super::far; mod m { use super::super::here; }";
    let code = crate::lexer::lex(source);
    assert_eq!(names(&heads_of_crate(&code, 2)), ["far"]);
    assert_eq!(names(&heads_of_crate(&code, 1)), ["near", "far", "here"]);
}

#[test]
fn another_package_cannot_be_renamed_out_of_sight() {
    let source =
        "use cenotaph_sim::{host::Host, world}; use cenotaph_sim as s; use cenotaph_sim::*;";
    let code = crate::lexer::lex(source);
    let heads = heads_of_package(&code, "cenotaph_sim");
    assert_eq!(names(&heads), ["host", "world", "cenotaph_sim", "*"]);
}
