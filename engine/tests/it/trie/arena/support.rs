//! Vocabulary of tests of the arena: leaves of every form, keys none of which begins another, and an ordered
//! map beside each trie.

use std::collections::BTreeMap;

use cenotaph_engine::trie::arena::{Arena, Leaf, Root, TrieCursor};
use cenotaph_engine::trie::{Cursor, Direction, Position};

/// A leaf of each form: no payload, a number, a time and a number, as much as fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Item {
    Unit,
    Number(u32),
    Timed(i64, u32),
    Wide([u8; 28]),
}

impl Leaf for Item {
    fn tag(self) -> u8 {
        match self {
            Item::Unit => 0,
            Item::Number(_) => 3,
            Item::Timed(..) => 5,
            Item::Wide(_) => 7,
        }
    }

    fn size(tag: u8) -> usize {
        match tag {
            0 => 0,
            3 => 4,
            5 => 12,
            7 => 28,
            _ => panic!("no item has tag {tag}"),
        }
    }

    fn store(self, payload: &mut [u8]) {
        match self {
            Item::Unit => {}
            Item::Number(number) => payload.copy_from_slice(&number.to_le_bytes()),
            Item::Timed(time, number) => {
                payload[..8].copy_from_slice(&time.to_le_bytes());
                payload[8..].copy_from_slice(&number.to_le_bytes());
            }
            Item::Wide(bytes) => payload.copy_from_slice(&bytes),
        }
    }

    fn load(tag: u8, payload: &[u8]) -> Item {
        let number =
            |at: usize| u32::from_le_bytes(payload[at..at + 4].try_into().expect("four bytes"));
        match tag {
            0 => Item::Unit,
            3 => Item::Number(number(0)),
            5 => {
                let time = payload[..8].try_into().expect("eight bytes");
                Item::Timed(i64::from_le_bytes(time), number(8))
            }
            7 => Item::Wide(payload.try_into().expect("as much as fits")),
            _ => panic!("no item has tag {tag}"),
        }
    }

    fn timestamp_max(self) -> i64 {
        match self {
            Item::Timed(time, _) => time,
            _ => i64::MIN,
        }
    }

    fn timestamp_min(self) -> i64 {
        match self {
            Item::Timed(time, _) => time,
            _ => i64::MIN,
        }
    }
}

/// A leaf of one of the forms.
pub(crate) fn item(number: u32) -> Item {
    match number % 6 {
        0 => Item::Unit,
        1 => Item::Number(number),
        2 => Item::Wide([number as u8; 28]),
        _ => Item::Timed(i64::from(number % 300), number),
    }
}

/// A trie and what it ought to be.
pub(crate) type Model = BTreeMap<Vec<u8>, Item>;

/// Bytes in place of a key: the first says how long it is, so that no key begins another one.
pub(crate) fn key(shape: u8, bytes: &[u8]) -> Vec<u8> {
    const SIZES: [usize; 8] = [0, 1, 2, 3, 5, 31, 70, 300];
    let shape = shape % 8;
    let size = SIZES[usize::from(shape)];
    let mut key = vec![shape * 36];
    let fill = bytes.first().map_or(0, |&byte| byte & 0x80);
    key.resize(1 + size, if fill == 0 { 0 } else { 0xFF });
    for (index, &byte) in bytes.iter().enumerate().take(size) {
        // Some at the beginning and some at the end, so that long prefixes are shared.
        let at = if index % 2 == 0 {
            1 + index / 2
        } else {
            size - index / 2
        };
        key[at] = byte;
    }
    key
}

/// Asserts that a trie has the keys of the model and no others, by every way to ask.
pub(crate) fn assert_same(arena: &Arena<Item>, root: Root, model: &Model) {
    let mut found = Vec::new();
    let mut from = Vec::new();
    for (key, &leaf) in model {
        assert_eq!(arena.get(root, key), Some(leaf), "get {key:02x?}");
        let first = arena.first_at_or_after(root, &from, &mut found);
        assert_eq!((first, &found), (Some(leaf), key), "after {from:02x?}");
        from.clone_from(&found);
        from.push(0);
    }
    assert_eq!(arena.first_at_or_after(root, &from, &mut found), None);
    let mut to = vec![0xFF; 400];
    for (key, &leaf) in model.iter().rev() {
        let last = arena.last_before(root, &to, &mut found);
        assert_eq!((last, &found), (Some(leaf), key), "before {to:02x?}");
        to.clone_from(&found);
    }
    assert_eq!(arena.last_before(root, &to, &mut found), None);
    assert_eq!(root.is_empty(), model.is_empty());
    for direction in [Direction::Forward, Direction::Reverse] {
        let mut expected: Vec<(Vec<u8>, Item)> = pairs(model).collect();
        if direction.is_reverse() {
            expected.reverse();
        }
        for is_fast in [false, true] {
            let walked = walk(arena.cursor(root, direction), is_fast);
            assert_eq!(walked, expected, "{direction:?}");
        }
    }
}

fn pairs(model: &Model) -> impl Iterator<Item = (Vec<u8>, Item)> {
    model.iter().map(|(key, &leaf)| (key.clone(), leaf))
}

/// All that a cursor comes by from where it is, by keys below its root.
pub(crate) fn walk(mut cursor: TrieCursor<'_, Item>, is_fast: bool) -> Vec<(Vec<u8>, Item)> {
    let (mut path, mut walked) = (Vec::new(), Vec::new());
    while !cursor.position().is_exhausted() {
        let position = cursor.position();
        assert_eq!(path.len() as i32, position.depth());
        assert_eq!(position.may_have_content(), cursor.content().is_some());
        walked.extend(cursor.content().map(|leaf| (path.clone(), leaf)));
        let mut passed = Vec::new();
        let next = if is_fast {
            cursor.advance_multiple(&mut passed)
        } else {
            cursor.advance()
        };
        assert!(position < next || next.depth() > position.depth());
        take(&mut path, &passed, next);
    }
    walked
}

/// What whoever follows a cursor does at each step.
pub(crate) fn take(path: &mut Vec<u8>, passed: &[u8], next: Position) {
    let kept = next.depth().max(1).cast_unsigned() as usize - 1 - passed.len();
    assert!(kept <= path.len(), "no step skips a level");
    path.truncate(kept);
    path.extend_from_slice(passed);
    path.extend(next.byte());
}

/// Asserts that a cursor that follows a key as far as it goes comes to what lies beyond it, either way.
pub(crate) fn assert_skips(arena: &Arena<Item>, root: Root, model: &Model, key: &[u8]) {
    for direction in [Direction::Forward, Direction::Reverse] {
        let mut cursor = arena.cursor(root, direction);
        let mut path = Vec::new();
        let mut is_found = true;
        for &byte in key {
            let target = cursor.position().child(byte);
            let next = cursor.skip_to(target);
            if next.is_exhausted() {
                path.clear();
            } else {
                take(&mut path, &[], next);
            }
            if next != target {
                is_found = false;
                break;
            }
        }
        let mut expected: Vec<(Vec<u8>, Item)> = if direction.is_reverse() {
            pairs(model)
                .filter(|(other, _)| &other[..] < key || other.starts_with(key))
                .collect()
        } else {
            pairs(model)
                .filter(|(other, _)| &other[..] >= key)
                .collect()
        };
        if direction.is_reverse() {
            expected.reverse();
        }
        assert_rest(cursor.clone(), path.clone(), &expected);
        if is_found && !key.is_empty() {
            let below = pairs(model).filter(|(other, _)| other.starts_with(key));
            let below: Vec<(Vec<u8>, Item)> = below
                .map(|(other, leaf)| (other[key.len()..].to_vec(), leaf))
                .collect();
            assert_eq!(walk(cursor.tail(Direction::Forward), true), below);
            expected.retain(|(other, _)| !other.starts_with(key));
            let next = cursor.skip_to(cursor.position().beyond());
            if !next.is_exhausted() {
                take(&mut path, &[], next);
            }
            assert_rest(cursor, path, &expected);
        }
    }
}

fn assert_rest(mut cursor: TrieCursor<'_, Item>, mut path: Vec<u8>, expected: &[(Vec<u8>, Item)]) {
    let mut rest = Vec::new();
    while !cursor.position().is_exhausted() {
        rest.extend(cursor.content().map(|leaf| (path.clone(), leaf)));
        let mut passed = Vec::new();
        let next = cursor.advance_multiple(&mut passed);
        if !next.is_exhausted() {
            take(&mut path, &passed, next);
        }
    }
    assert_eq!(rest, expected);
}

/// Puts keys into a new trie of an arena and of the model.
pub(crate) fn filled(arena: &mut Arena<Item>, keys: &[Vec<u8>]) -> (Root, Model) {
    let (mut root, mut model) = (Root::EMPTY, Model::new());
    for (number, key) in keys.iter().enumerate() {
        let leaf = item(number as u32);
        root = arena.put(root, key, leaf).expect("there is space");
        model.insert(key.clone(), leaf);
    }
    (root, model)
}
