//! Vocabulary of trie tests: keys as text, walks as text.

use std::collections::BTreeMap;
use std::fmt::Debug;

use cenotaph_engine::trie::list::{Entry, List};
use cenotaph_engine::trie::range::{Covering, Marker, Place, Range, RangeCursor, RangeList};
use cenotaph_engine::trie::verify::{Verified, VerifiedRange};
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

/// A place as text: `abc` before all that begins with it, `abc↑` after; the empty key is `.`, or `_` where a dot
/// would be read as another.
pub(crate) fn place(text: &str) -> Place {
    let text = text.trim_start_matches('_');
    match text.strip_suffix('↑') {
        Some(key) => Place::after(key.trim_matches('.')),
        None => Place::before(text.trim_matches('.')),
    }
}

/// Goes down to the node of `path`, which is there.
pub(crate) fn descend<C: Cursor>(cursor: &mut C, path: &str) {
    assert!(cursor.descend_along(path.as_bytes()), "no node at {path}");
}

/// A walk over ranges in notation: `c:-→10 h:10→-`, and ` ·7` for a point.
pub(crate) fn markers<R: RangeCursor>(cursor: R) -> String
where
    R::Covering: Debug,
{
    let found = places(cursor).into_iter();
    let texts = found.map(|(place, marker)| {
        let key = match place.key.as_slice() {
            [] => "root".to_owned(),
            key => String::from_utf8_lossy(key).into_owned(),
        };
        let side = if place.is_after { "↑" } else { "" };
        format!("{key}{side}:{marker:?}").replace(' ', "")
    });
    texts.collect::<Vec<_>>().join(" ")
}

/// The markers of a walk at their places, in the order of keys whatever its direction.
pub(crate) fn places<R: RangeCursor>(cursor: R) -> Vec<(Place, Marker<R::Covering>)> {
    let mut entries = Entries::new(VerifiedRange::new(cursor));
    let mut found = BTreeMap::new();
    while let Some(marker) = entries.next_content() {
        let (position, key) = (entries.cursor().position(), entries.path().to_vec());
        let returns = position.is_return();
        if position.direction() == Direction::Forward {
            let is_after = returns;
            found.insert(Place { key, is_after }, marker);
        } else {
            keep_reversed(&mut found, key, returns, marker);
        }
    }
    found.into_iter().collect()
}

/// What a descending walk meets on the way down is after the key, but for a point, which is at it.
fn keep_reversed<S: Covering>(
    found: &mut BTreeMap<Place, Marker<S>>,
    key: Vec<u8>,
    returns: bool,
    marker: Marker<S>,
) {
    let sides = Marker::boundary(marker.left, marker.right);
    if marker.point.is_some() {
        let mut pointed = Marker::covering(marker.left);
        pointed.point = marker.point;
        found.insert(Place::before(key.clone()), pointed);
    }
    if sides.is_change() {
        let is_after = !returns;
        let at = found.entry(Place { key, is_after }).or_insert(sides);
        (at.left, at.right) = (sides.left, sides.right);
    }
}

/// The markers of a walk that is made in either direction, which are the same.
pub(crate) fn both<R: RangeCursor>(walk: impl Fn(Direction) -> R) -> String {
    let forward = markers(walk(Direction::Forward));
    assert_eq!(markers(walk(Direction::Reverse)), forward, "descending");
    forward
}

/// Ranges in words: `c..h@10` from before c to before h, `c..h↑@10` to after h, `r·7` a point.
pub(crate) fn ranges(text: &str) -> RangeList<u32> {
    let (mut ranges, mut points) = (Vec::new(), Vec::new());
    for word in text.split_whitespace() {
        if let Some((key, state)) = word.split_once('·') {
            points.push((key.as_bytes().to_vec(), number(state)));
        } else {
            ranges.push(range(word));
        }
    }
    RangeList::of(ranges, points)
}

pub(crate) fn range(word: &str) -> Range<u32> {
    let (ends, state) = word.split_once('@').expect("a range has a state");
    let (start, end) = ends.split_once("..").expect("a range has two ends");
    Range {
        start: place(start),
        end: place(end),
        state: number(state),
    }
}

fn number(text: &str) -> u32 {
    text.parse().expect("a state is a number")
}

/// All orders of some things.
pub(crate) fn orders<T: Clone>(things: &[T]) -> Vec<Vec<T>> {
    if things.is_empty() {
        return vec![Vec::new()];
    }
    let mut found = Vec::new();
    for index in 0..things.len() {
        let mut rest = things.to_vec();
        let first = rest.remove(index);
        for mut order in orders(&rest) {
            order.insert(0, first.clone());
            found.push(order);
        }
    }
    found
}
