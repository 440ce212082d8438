//! Vocabulary of trie tests: keys as text, walks as text.

use std::fmt::Debug;

use cenotaph_engine::trie::list::{Entry, List};
use cenotaph_engine::trie::range::Place;
use cenotaph_engine::trie::verify::Verified;
use cenotaph_engine::trie::walk::Entries;
use cenotaph_engine::trie::{Cursor, Direction, Position};

pub(crate) const BOTH: [Direction; 2] = [Direction::Forward, Direction::Reverse];

/// Keys in words, each with its index from 1.
pub(crate) fn words(keys: &str) -> List<u32> {
    let mut keys: Vec<&str> = keys.split_whitespace().collect();
    keys.sort_unstable();
    let entries = keys.iter().zip(1..);
    list(&entries.map(|(key, n)| (*key, n)).collect::<Vec<_>>())
}

/// Keys and what they lead to; `.` is the empty key.
pub(crate) fn list<T: Clone>(entries: &[(&str, T)]) -> List<T> {
    let entries = entries
        .iter()
        .map(|(key, content)| Entry::new(key.trim_matches('.'), content.clone()));
    List::new(entries.collect()).expect("the test's keys ascend")
}

/// What a walk meets, as keys and content, with every step watched.
pub(crate) fn entries<C: Cursor>(cursor: C) -> Vec<(String, C::Content)> {
    Entries::new(Verified::new(cursor))
        .map(|(key, content)| (String::from_utf8_lossy(&key).into_owned(), content))
        .collect()
}

/// The keys of a walk, in one line; `.` is the empty key.
pub(crate) fn keys<C: Cursor>(cursor: C) -> String {
    let keys = entries(cursor)
        .into_iter()
        .map(|(key, _)| match key.as_str() {
            "" => ".".to_owned(),
            _ => key,
        });
    keys.collect::<Vec<_>>().join(" ")
}

/// Every stop of a walk: depth, byte, `↑`, and `*` for content; in one line.
pub(crate) fn stops<C: Cursor>(cursor: C) -> String {
    let mut cursor = Verified::new(cursor);
    let mut stops = Vec::new();
    while !cursor.position().is_exhausted() {
        let star = if cursor.content().is_some() { "*" } else { "" };
        stops.push(stop(cursor.position()) + star);
        cursor.advance();
    }
    stops.join(" ")
}

/// A position as depth and byte.
pub(crate) fn stop(position: Position) -> String {
    if position.is_exhausted() {
        return "end".to_owned();
    }
    let returns = if position.is_return() { "↑" } else { "" };
    match position.byte() {
        None => format!("(0){returns}"),
        Some(byte) if byte.is_ascii_graphic() => {
            format!("({},{}){returns}", position.depth(), char::from(byte))
        }
        Some(byte) => format!("({},{byte:02x}){returns}", position.depth()),
    }
}

/// Content in one line: `key=content ..`.
pub(crate) fn held<C: Cursor>(cursor: C) -> String
where
    C::Content: Debug,
{
    let entries = entries(cursor).into_iter();
    let texts = entries.map(|(key, content)| format!("{key}={content:?}"));
    texts.collect::<Vec<_>>().join(" ")
}

/// A place as text: `abc` before all that begins with it, `abc↑` after; `.` is the empty key.
pub(crate) fn place(text: &str) -> Place {
    match text.strip_suffix('↑') {
        Some(key) => Place::after(key.trim_matches('.')),
        None => Place::before(text.trim_matches('.')),
    }
}

/// Goes down to the node of `path`, which is there.
pub(crate) fn descend<C: Cursor>(cursor: &mut C, path: &str) {
    assert!(cursor.descend_along(path.as_bytes()), "no node at {path}");
}
