//! Vocabulary of functions in a file: their names, first and last lines, and whether they have a body.

use crate::lexer::{Kind, Token};

/// A function as it stands in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Function<'a> {
    pub(crate) name: &'a str,
    /// The line of `fn`; documentation and attributes above it do not count.
    pub(crate) line_first: usize,
    /// The line of the closing brace, or of the semicolon.
    pub(crate) line_last: usize,
    pub(crate) has_body: bool,
}

impl Function<'_> {
    pub(crate) fn line_count(&self) -> usize {
        self.line_last - self.line_first + 1
    }
}

/// All functions, nested ones and those in macros included.
pub(crate) fn functions<'a>(code: &[Token<'a>]) -> Vec<Function<'a>> {
    let named = code.windows(2).enumerate().filter(|(_, pair)| {
        // A pointer to a function has no name.
        pair[0].is_word("fn") && pair[1].kind == Kind::Word
    });
    named
        .filter_map(|(index, pair)| function(&code[index..], pair[1].text))
        .collect()
}

/// `code` begins with `fn`. None when the source ends before the function does.
fn function<'a>(code: &[Token<'a>], name: &'a str) -> Option<Function<'a>> {
    let mut depth = 0_usize;
    for (index, token) in code.iter().enumerate() {
        match token.text {
            "(" | "[" => depth += 1,
            ")" | "]" => depth = depth.checked_sub(1)?,
            ";" if depth == 0 => {
                let line_last = token.line;
                return Some(Function {
                    name,
                    line_first: code[0].line,
                    line_last,
                    has_body: false,
                });
            }
            "{" if depth == 0 => {
                let line_last = code[closing(code, index)?].line;
                return Some(Function {
                    name,
                    line_first: code[0].line,
                    line_last,
                    has_body: true,
                });
            }
            _ => {}
        }
    }
    None
}

/// The index of the brace that closes the one at `open`.
pub(crate) fn closing(code: &[Token<'_>], open: usize) -> Option<usize> {
    assert!(code[open].is_sign("{"), "only braces are matched");
    let mut depth = 0_usize;
    for (index, token) in code.iter().enumerate().skip(open) {
        match token.text {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(index);
        }
    }
    None
}

#[test]
fn signatures_bodies_and_nested_functions_are_told_apart() {
    let source =
        "fn a(x: [u8; 2]) -> fn(u8)\nwhere [u8; 2]: Copy {\n fn b() {}\n}\ntrait T { fn c(); }";
    let code = crate::lexer::lex(source);
    let found: Vec<(&str, usize, bool)> = functions(&code)
        .iter()
        .map(|f| (f.name, f.line_count(), f.has_body))
        .collect();
    assert_eq!(found, [("a", 4, true), ("b", 1, true), ("c", 1, false)]);
}
