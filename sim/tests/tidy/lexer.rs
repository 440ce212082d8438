//! Vocabulary of tokens: Rust source cut into words, so that no rule trips over a comment or a string.
//!
//! A token is enough for every rule of the house, and it also sees what a parser hides: the bodies
//! of macros.

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A keyword or a name.
    Word,
    /// Punctuation: one character, or `::`.
    Sign,
    /// A number, string, byte string or character, or a lifetime.
    Literal,
    /// A comment of any sort, documentation included.
    Comment,
}

/// A piece of source and the line it begins on, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    pub(crate) kind: Kind,
    pub(crate) text: &'a str,
    pub(crate) line: usize,
}

impl Token<'_> {
    pub(crate) fn is_word(&self, text: &str) -> bool {
        self.kind == Kind::Word && self.text == text
    }

    pub(crate) fn is_sign(&self, text: &str) -> bool {
        self.kind == Kind::Sign && self.text == text
    }
}

/// Cuts a source into tokens; whitespace is dropped.
pub(crate) fn lex(source: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut rest = source;
    let mut line = 1;
    loop {
        let space_size = rest.len() - rest.trim_start().len();
        line += newline_count(&rest[..space_size]);
        rest = &rest[space_size..];
        if rest.is_empty() {
            return tokens;
        }
        let (kind, size) = measure(rest);
        assert!(size > 0, "a token takes at least one byte");
        let text = &rest[..size];
        tokens.push(Token { kind, text, line });
        line += newline_count(text);
        rest = &rest[size..];
    }
}

fn newline_count(text: &str) -> usize {
    text.bytes().filter(|&byte| byte == b'\n').count()
}

/// Kind and size of the token that `rest` begins with; `rest` begins with no space.
fn measure(rest: &str) -> (Kind, usize) {
    if rest.starts_with("//") {
        return (Kind::Comment, rest.find('\n').unwrap_or(rest.len()));
    }
    if rest.starts_with("/*") {
        return (Kind::Comment, block_comment_size(rest));
    }
    if let Some(size) = raw_string_size(rest).or_else(|| string_size(rest)) {
        return (Kind::Literal, size);
    }
    if rest.starts_with('\'') {
        return (Kind::Literal, quote_size(rest));
    }
    if rest.starts_with("::") {
        return (Kind::Sign, 2);
    }
    let first = rest.chars().next().expect("the caller skips the end");
    let word_size = rest
        .find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(rest.len());
    match first {
        '0'..='9' => (Kind::Literal, word_size),
        _ if word_size > 0 => (Kind::Word, word_size),
        _ => (Kind::Sign, first.len_utf8()),
    }
}

/// Block comments nest.
fn block_comment_size(rest: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < rest.len() {
        let tail = &rest.as_bytes()[at..];
        if tail.starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if tail.starts_with(b"*/") {
            depth -= 1;
            at += 2;
        } else {
            at += 1;
        }
        if depth == 0 {
            return at;
        }
    }
    rest.len()
}

/// `r"…"`, `r#"…"#`, and the same after `b` or `c`.
fn raw_string_size(rest: &str) -> Option<usize> {
    let after_r = rest
        .strip_prefix(['b', 'c'])
        .unwrap_or(rest)
        .strip_prefix('r')?;
    let body = after_r.trim_start_matches('#');
    let fence = &after_r[..after_r.len() - body.len()];
    let body = body.strip_prefix('"')?;
    let end = format!("\"{fence}");
    let open_size = rest.len() - body.len();
    Some(
        body.find(&end)
            .map_or(rest.len(), |at| open_size + at + end.len()),
    )
}

/// `"…"`, and the same after `b` or `c`.
fn string_size(rest: &str) -> Option<usize> {
    let body = rest
        .strip_prefix(['b', 'c'])
        .unwrap_or(rest)
        .strip_prefix('"')?;
    let open_size = rest.len() - body.len();
    let mut escaped = false;
    for (at, byte) in body.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return Some(open_size + at + 1),
            _ => {}
        }
    }
    Some(rest.len())
}

/// A character, or else a lifetime.
fn quote_size(rest: &str) -> usize {
    let mut chars = rest.char_indices().skip(1);
    let Some((_, first)) = chars.next() else {
        return rest.len();
    };
    if first == '\\' {
        let _ = chars.next();
        return chars
            .find(|&(_, c)| c == '\'')
            .map_or(rest.len(), |(at, _)| at + 1);
    }
    match chars.next() {
        Some((at, '\'')) => at + 1,
        _ => {
            let name = rest[1..].find(|c: char| !c.is_alphanumeric() && c != '_');
            name.map_or(rest.len(), |size| 1 + size.max(1))
        }
    }
}

#[test]
fn comments_and_strings_hide_what_they_hold() {
    let source = "a // fn x\n/* fn /* y */ */ b r#\"fn \" z\"# b\"\\\" fn\" '\"' 'a c::d";
    let words: Vec<&str> = lex(source)
        .iter()
        .filter(|t| t.kind == Kind::Word)
        .map(|t| t.text)
        .collect();
    assert_eq!(words, ["a", "b", "c", "d"]);
}

#[test]
fn a_token_knows_its_line() {
    let source = "one\n\"two\nthree\" four\n/*\n*/ 'x' '\\'' &'a five";
    let lines: Vec<(&str, usize)> = lex(source)
        .iter()
        .filter(|t| t.kind == Kind::Word)
        .map(|t| (t.text, t.line))
        .collect();
    assert_eq!(lines, [("one", 1), ("four", 3), ("five", 5)]);
}
