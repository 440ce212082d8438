//! Vocabulary of the source tree: files by path, their tokens, and what a rule has to say of them.

use std::fmt;
use std::path::Path;

use crate::lexer::{Kind, Token, lex};

/// A text file; `path` is relative to the top level, with `/`.
pub(crate) struct File<'a> {
    pub(crate) path: &'a str,
    pub(crate) text: &'a str,
    /// Tokens that are no comments; empty unless the file is Rust.
    pub(crate) code: Vec<Token<'a>>,
    /// Comments; empty unless the file is Rust.
    pub(crate) comments: Vec<Token<'a>>,
}

impl<'a> File<'a> {
    fn new(path: &'a str, text: &'a str) -> File<'a> {
        let tokens = if path.ends_with(".rs") {
            lex(text)
        } else {
            Vec::new()
        };
        let (comments, code) = tokens
            .into_iter()
            .partition(|token| token.kind == Kind::Comment);
        File {
            path,
            text,
            code,
            comments,
        }
    }

    pub(crate) fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }

    /// The last component of the path.
    pub(crate) fn name(&self) -> &'a str {
        self.path
            .rsplit('/')
            .next()
            .expect("splitting yields at least one part")
    }

    /// The path of the folder, without a slash at its end; empty at the top level.
    pub(crate) fn folder(&self) -> &'a str {
        self.path.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    /// The first component: the package, for all that is in one.
    pub(crate) fn package(&self) -> &'a str {
        self.path
            .split('/')
            .next()
            .expect("splitting yields at least one part")
    }

    /// The room of a source file: the folder or file under `src`; none for `lib.rs`, `main.rs` and all else.
    pub(crate) fn room(&self) -> Option<&'a str> {
        let (_, inside) = self.path.split_once('/')?;
        let first = inside.strip_prefix("src/")?.split('/').next()?;
        let room = first.strip_suffix(".rs").unwrap_or(first);
        (room != "lib" && room != "main").then_some(room)
    }

    /// A finding in this file.
    pub(crate) fn finding(&self, line: usize, what: impl Into<String>) -> Finding {
        Finding {
            path: self.path.to_owned(),
            line,
            what: what.into(),
        }
    }
}

/// All files that belong to the workspace, sorted by path.
pub(crate) struct Tree<'a> {
    pub(crate) files: Vec<File<'a>>,
}

impl<'a> Tree<'a> {
    pub(crate) fn new(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Tree<'a> {
        let mut files: Vec<File<'a>> = files
            .into_iter()
            .map(|(path, text)| File::new(path, text))
            .collect();
        files.sort_by_key(|file| file.path);
        Tree { files }
    }

    pub(crate) fn rust(&self) -> impl Iterator<Item = &File<'a>> {
        self.files.iter().filter(|file| file.is_rust())
    }

    pub(crate) fn find(&self, path: &str) -> Option<&File<'a>> {
        let index = self
            .files
            .binary_search_by_key(&path, |file| file.path)
            .ok()?;
        Some(&self.files[index])
    }

    /// Files in a folder and in those under it.
    pub(crate) fn under(&self, folder: &str) -> impl Iterator<Item = &File<'a>> {
        let prefix = format!("{folder}/");
        self.files
            .iter()
            .filter(move |file| file.path.starts_with(&prefix))
    }
}

/// What is wrong, and where; the rule's name and mend are added when it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) path: String,
    /// Counted from 1; 1 also for what concerns the whole file.
    pub(crate) line: usize,
    pub(crate) what: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}: {}", self.path, self.line, self.what)
    }
}

/// Path and text of every file that `.gitignore` does not name and that is UTF-8.
pub(crate) fn read(top: &Path) -> Vec<(String, String)> {
    let ignored = text_of(&top.join(".gitignore")).expect("the workspace has a .gitignore");
    let ignored: Vec<&str> = ignored.lines().chain(["/.git"]).collect();
    let mut files = Vec::new();
    walk(top, "", &ignored, &mut files);
    assert!(
        files.len() > 20,
        "the tree under {} is not this workspace",
        top.display()
    );
    files
}

#[expect(
    clippy::disallowed_methods,
    reason = "tidy reads the source tree itself"
)]
fn walk(top: &Path, folder: &str, ignored: &[&str], files: &mut Vec<(String, String)>) {
    let entries = std::fs::read_dir(top.join(folder)).expect("a folder of the tree is readable");
    for entry in entries {
        let entry = entry.expect("an entry of the tree is readable");
        let name = entry
            .file_name()
            .into_string()
            .expect("names in the tree are UTF-8");
        let path = if folder.is_empty() {
            name
        } else {
            format!("{folder}/{name}")
        };
        if ignored.iter().any(|pattern| ignores(pattern, &path)) {
            continue;
        }
        if entry.path().is_dir() {
            walk(top, &path, ignored, files);
        } else if let Some(text) = text_of(&entry.path()) {
            files.push((path, text));
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "tidy reads the source tree itself"
)]
fn text_of(path: &Path) -> Option<String> {
    String::from_utf8(std::fs::read(path).expect("a file of the tree is readable")).ok()
}

/// The two forms that the workspace's `.gitignore` uses: `/path` and `*.extension`.
fn ignores(pattern: &str, path: &str) -> bool {
    match pattern.strip_prefix('/') {
        Some(exact) => path == exact,
        None => pattern
            .strip_prefix('*')
            .is_some_and(|suffix| path.ends_with(suffix)),
    }
}

#[test]
fn the_ignored_are_not_read() {
    assert!(ignores("/target", "target"));
    assert!(!ignores("/target", "sim/target"));
    assert!(ignores("*.snap.new", "snapshots/a.snap.new"));
    assert!(!ignores("", "anything"));
}

#[test]
fn a_room_is_what_stands_under_src() {
    let room = |path| File::new(path, "").room();
    assert_eq!(room("engine/src/record/read.rs"), Some("record"));
    assert_eq!(room("engine/src/limits.rs"), Some("limits"));
    assert_eq!(room("engine/src/lib.rs"), None);
    assert_eq!(room("engine/tests/it/record.rs"), None);
}
