//! Invariants of planted bugs: each plant of the catalogue has one site in the engine, and no more.

use super::rule::Rule;
use crate::functions::closing;
use crate::lexer::{Kind, Token};
use crate::tree::{Finding, Tree};

pub(crate) const PLANTS: Rule = Rule {
    name: "plants",
    mend: "plant the bug at exactly one line, `planted::on(Plant::…)`, or take it off the catalogue.",
    check,
    offence: &[
        (
            "engine/src/planted.rs",
            "pub enum Plant {\n    P01,\n    P02,\n}\n",
        ),
        (
            "engine/src/node.rs",
            "fn f() { planted::on(Plant::P01); }\n",
        ),
    ],
    offends_at: ("engine/src/planted.rs", 3),
};

fn check(tree: &Tree<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let is_catalogue = |path: &str| path.starts_with("engine/src/planted");
    for file in tree
        .under("engine/src")
        .filter(|file| is_catalogue(file.path))
    {
        for plant in catalogue(&file.code) {
            let sites = tree
                .under("engine/src")
                .filter(|site| !is_catalogue(site.path));
            let sites: Vec<_> = sites
                .flat_map(|site| {
                    lines_of(&site.code, plant.text)
                        .into_iter()
                        .map(move |line| (site, line))
                })
                .collect();
            if sites.is_empty() {
                findings.push(file.finding(plant.line, format!("`{}` has no site", plant.text)));
            }
            for (site, line) in sites.iter().skip(1) {
                let what = format!("`{}` is planted a second time", plant.text);
                findings.push(site.finding(*line, what));
            }
        }
    }
    findings
}

/// The variants of `enum Plant`.
fn catalogue<'a>(code: &[Token<'a>]) -> Vec<Token<'a>> {
    let Some(start) = code.windows(3).position(|three| {
        three[0].is_word("enum") && three[1].is_word("Plant") && three[2].is_sign("{")
    }) else {
        return Vec::new();
    };
    let open = start + 2;
    let end = closing(code, open).unwrap_or(code.len());
    let mut depth = 0_usize;
    let mut starts_variant = true;
    let mut variants = Vec::new();
    for token in &code[open + 1..end] {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            "," if depth == 0 => starts_variant = true,
            _ if depth == 0 && starts_variant && token.kind == Kind::Word => {
                variants.push(*token);
                starts_variant = false;
            }
            _ => {}
        }
    }
    variants
}

/// Lines of `on(Plant::NAME)`, with or without a path before `Plant`.
fn lines_of(code: &[Token<'_>], plant: &str) -> Vec<usize> {
    let calls = code
        .windows(2)
        .enumerate()
        .filter(|(_, pair)| pair[0].is_word("on") && pair[1].is_sign("("));
    let named = calls.filter(|(index, _)| {
        let inside = code[index + 2..]
            .iter()
            .take_while(|token| !token.is_sign(")"));
        inside.last().is_some_and(|token| token.is_word(plant))
    });
    named.map(|(_, pair)| pair[0].line).collect()
}

#[test]
fn a_second_site_is_named() {
    let tree = Tree::new([
        (
            "engine/src/planted/plant.rs",
            "pub enum Plant { #[doc(alias = \"a\")] P01, P02 = 2 }",
        ),
        ("engine/src/a.rs", "fn f() { if on(Plant::P01) {} }\n"),
        (
            "engine/src/b.rs",
            "fn f() {\n planted::on(planted::Plant::P01); planted::on(Plant::P02) }",
        ),
    ]);
    let findings = check(&tree);
    assert_eq!(findings.len(), 1);
    assert_eq!(
        (findings[0].path.as_str(), findings[0].line),
        ("engine/src/b.rs", 2)
    );
}
