//! Vocabulary of tests of the arena: leaves of every form, keys none of which begins another, and an ordered
//! map beside each trie.

use std::collections::BTreeMap;

use cenotaph_engine::trie::arena::{Arena, Leaf, Root};

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
        _ => Item::Timed(i64::from(number) * 3, number),
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
