//! Invariants of tries in memory: whatever bytes say, an arena answers as ordered maps do, is sound after every
//! step, gives all back in the end, and shows readers what they saw.
//!
//! The first byte of a key says how long it is, so that no key begins another one.

use std::collections::BTreeMap;

use arbitrary::{Result, Unstructured};
use cenotaph_engine::trie::arena::{Arena, Fate, Guard, Leaf, Mutation, Reach, Root};

const STEPS_MAX: usize = 200;
const READERS_MAX: usize = 3;
const TRIES: usize = 2;
const KEY_SIZES: [usize; 8] = [0, 1, 2, 2, 3, 9, 31, 90];
const SIZE_MAX_BYTES: u64 = 1 << 20;
/// As little as a full arena may have: so that puts fail.
const SIZE_MIN_BYTES: u64 = 256;

/// A time and a number, or less, in as many bytes as the tag says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Item {
    tag: u8,
    time: i64,
}

impl Leaf for Item {
    fn tag(self) -> u8 {
        self.tag
    }

    fn size(tag: u8) -> usize {
        [1, 8, 12, 28][usize::from(tag)]
    }

    fn store(self, payload: &mut [u8]) {
        let bytes = self.time.to_le_bytes();
        let size = payload.len().min(bytes.len());
        payload[..size].copy_from_slice(&bytes[..size]);
    }

    fn load(tag: u8, payload: &[u8]) -> Item {
        let mut bytes = [0; 8];
        let size = payload.len().min(bytes.len());
        bytes[..size].copy_from_slice(&payload[..size]);
        let time = i64::from_le_bytes(bytes);
        Item { tag, time }
    }

    fn timestamp_max(self) -> i64 {
        self.time
    }

    fn timestamp_min(self) -> i64 {
        self.time - i64::from(self.tag)
    }
}

type Model = BTreeMap<Vec<u8>, Item>;

/// Does what a fuzzer's bytes say to two tries in one arena, and to two ordered maps; says whether the bytes
/// mean anything.
///
/// # Panics
/// When the arena breaks a law.
pub fn trie_ops(input: &[u8]) -> bool {
    drawn(&mut Unstructured::new(input)).is_ok()
}

fn drawn(source: &mut Unstructured<'_>) -> Result<()> {
    let mut tries = Tries {
        arena: Arena::with_size_max(SIZE_MAX_BYTES),
        now: Shown::default(),
        readers: Vec::new(),
    };
    let mut outcome = Ok(());
    for _ in 0..STEPS_MAX {
        if source.is_empty() {
            break;
        }
        outcome = tries.step(source);
        tries.assert_sound();
        if outcome.is_err() {
            break;
        }
    }
    tries.assert_same();
    tries.readers.clear();
    let mut mutation = tries.arena.begin();
    for root in tries.now.roots {
        mutation.clear(root, |_| {});
    }
    mutation.finish();
    assert_eq!(tries.arena.used_bytes(), 0, "all is given back");
    outcome
}

/// Tries and what they ought to be.
#[derive(Clone)]
struct Shown {
    roots: [Root; TRIES],
    models: [Model; TRIES],
}

impl Default for Shown {
    fn default() -> Shown {
        Shown {
            roots: [Root::EMPTY; TRIES],
            models: Default::default(),
        }
    }
}

struct Tries {
    arena: Arena<Item>,
    now: Shown,
    readers: Vec<(Guard, Shown)>,
}

fn draw_key(source: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let first: u8 = source.arbitrary()?;
    let size = KEY_SIZES[usize::from(first % 8)];
    let mut key = vec![first & 0xC7];
    key.resize(1 + size, first);
    // A few bytes make the difference, from both ends.
    for index in 0..size.min(4) {
        let at = if index % 2 == 0 {
            1 + index / 2
        } else {
            size - index / 2
        };
        key[at] = source.arbitrary()?;
    }
    Ok(key)
}

fn draw_item(source: &mut Unstructured<'_>) -> Result<Item> {
    let byte: u8 = source.arbitrary()?;
    let (tag, time) = (byte % 4, i64::from(byte / 4));
    Ok(Item { tag, time })
}

fn draw_reach(source: &mut Unstructured<'_>) -> Result<Reach> {
    let [one, other]: [u8; 2] = source.arbitrary()?;
    let (dropped_to, visited_to) = (i64::from(one.min(other)), i64::from(one.max(other)));
    Ok(Reach {
        dropped_to: dropped_to / 4,
        visited_to: visited_to / 4,
    })
}

fn fate(item: Item) -> Fate<Item> {
    match item.time % 3 {
        0 => Fate::Keep,
        1 => Fate::Remove,
        _ => Fate::Replace(Item {
            tag: 3 - item.tag,
            time: item.time + 1,
        }),
    }
}

impl Tries {
    fn step(&mut self, source: &mut Unstructured<'_>) -> Result<()> {
        match source.arbitrary::<u8>()? % 16 {
            0..=12 => self.mutate(source),
            13 => {
                if self.readers.len() < READERS_MAX {
                    self.readers.push((self.arena.read(), self.now.clone()));
                }
                Ok(())
            }
            14 => {
                if !self.readers.is_empty() {
                    let index: u8 = source.arbitrary()?;
                    let index = usize::from(index) % self.readers.len();
                    self.readers.swap_remove(index);
                }
                Ok(())
            }
            _ => {
                let key = draw_key(source)?;
                self.now.assert_seeks(&self.arena, &key);
                Ok(())
            }
        }
    }

    /// A mutation of some steps, which may be aborted, or fail for want of space.
    fn mutate(&mut self, source: &mut Unstructured<'_>) -> Result<()> {
        let [steps, fails]: [u8; 2] = source.arbitrary()?;
        let size_max_bytes = match fails {
            0..16 => self.arena.used_bytes() + SIZE_MIN_BYTES * u64::from(fails),
            _ => SIZE_MAX_BYTES,
        };
        self.arena.set_size_max(size_max_bytes);
        let mut next = self.now.clone();
        let mut mutation = self.arena.begin();
        let mut outcome = Ok(true);
        for _ in 0..=steps % 4 {
            outcome = next.change(&mut mutation, source);
            if !matches!(outcome, Ok(true)) {
                break;
            }
        }
        if matches!(outcome, Ok(true)) && fails < 240 {
            mutation.finish();
            self.now = next;
        }
        outcome.map(drop)
    }

    fn assert_sound(&self) {
        let seen = self.readers.iter().flat_map(|(_, shown)| shown.roots);
        let seen: Vec<Root> = seen.collect();
        let sound = self.arena.audit(&self.now.roots, &seen);
        assert_eq!(sound, Ok(()), "after a step");
    }

    fn assert_same(&self) {
        self.now.assert_same(&self.arena);
        for (_, shown) in &self.readers {
            shown.assert_same(&self.arena);
        }
    }
}

impl Shown {
    /// One step, on a trie and its model; false when there was no space.
    fn change(
        &mut self,
        mutation: &mut Mutation<'_, Item>,
        source: &mut Unstructured<'_>,
    ) -> Result<bool> {
        let byte: u8 = source.arbitrary()?;
        let (root, model) = (
            &mut self.roots[usize::from(byte & 1)],
            &mut self.models[usize::from(byte & 1)],
        );
        let key = draw_key(source)?;
        let done = match byte >> 1 & 7 {
            0..4 => {
                let item = draw_item(source)?;
                let put = mutation.replace(*root, &key, item);
                put.map(|(new, before)| {
                    assert_eq!(before, model.insert(key, item), "what was there before");
                    new
                })
            }
            4..6 => {
                let nearest = model.range(key.clone()..).next();
                let key = nearest.map_or(key, |(key, _)| key.clone());
                let removed = mutation.remove(*root, &key);
                removed.map(|(new, before)| {
                    assert_eq!(before, model.remove(&key), "what is removed");
                    new
                })
            }
            6 => {
                let (end, reach) = (draw_key(source)?, draw_reach(source)?);
                let (start, end) = (key.clone().min(end.clone()), key.max(end));
                let range = &start[..]..&end[..];
                let removed =
                    mutation.remove_range(*root, range, reach, |_, item| fate(item), |_| {});
                remove_range(model, start..end, reach);
                removed
            }
            _ if key.len() == 1 => {
                let mut told = Vec::new();
                mutation.clear(*root, |item| told.push(item));
                let items: Vec<Item> = model.values().copied().collect();
                assert_eq!(told, items, "each leaf is told of in order");
                model.clear();
                Ok(Root::EMPTY)
            }
            _ => Ok(*root),
        };
        Ok(done.map(|new| *root = new).is_ok())
    }

    fn assert_seeks(&self, arena: &Arena<Item>, key: &[u8]) {
        let mut found = Vec::new();
        for (&root, model) in self.roots.iter().zip(&self.models) {
            let after = arena.first_at_or_after(root, key, &mut found);
            let after = after.map(|item| (found.clone(), item));
            let expected = model.range(key.to_vec()..).next();
            assert_eq!(after, expected.map(|(key, &item)| (key.clone(), item)));
            let before = arena.last_before(root, key, &mut found);
            let before = before.map(|item| (found.clone(), item));
            let expected = model.range(..key.to_vec()).next_back();
            assert_eq!(before, expected.map(|(key, &item)| (key.clone(), item)));
        }
    }

    fn assert_same(&self, arena: &Arena<Item>) {
        let mut found = Vec::new();
        for (&root, model) in self.roots.iter().zip(&self.models) {
            let mut from = Vec::new();
            for (key, &item) in model {
                assert_eq!(arena.get(root, key), Some(item), "{key:02x?}");
                let first = arena.first_at_or_after(root, &from, &mut found);
                assert_eq!((first, &found), (Some(item), key), "after {from:02x?}");
                from.clone_from(&found);
                from.push(0);
            }
            let last = arena.first_at_or_after(root, &from, &mut found);
            assert_eq!(last, None, "after {from:02x?}");
        }
    }
}

fn remove_range(model: &mut Model, range: std::ops::Range<Vec<u8>>, reach: Reach) {
    if range.start >= range.end {
        return;
    }
    let items = model.range(range).map(|(key, &item)| (key.clone(), item));
    let items: Vec<(Vec<u8>, Item)> = items.collect();
    for (key, item) in items {
        let fate = if item.timestamp_max() <= reach.dropped_to {
            Fate::Remove
        } else if item.timestamp_min() <= reach.visited_to {
            fate(item)
        } else {
            Fate::Keep
        };
        match fate {
            Fate::Keep => {}
            Fate::Remove => drop(model.remove(&key)),
            Fate::Replace(other) => drop(model.insert(key, other)),
        }
    }
}
