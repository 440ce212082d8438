//! Invariants of tries: an arena answers as ordered maps do, whatever is done to it, and every step leaves it
//! sound; readers see what they saw.

use cenotaph_engine::trie::arena::{Arena, Fate, Guard, Leaf, Mutation, Reach, Root};
use proptest::prelude::*;

use super::support::{Item, Model, assert_same, assert_skips, item, key};
use crate::laws;

#[derive(Clone, Debug)]
enum Step {
    Put(usize, Vec<u8>, Item),
    Remove(usize, Vec<u8>),
    RemoveNearest(usize, Vec<u8>),
    Clear(usize),
    RemoveRange(usize, Vec<u8>, Vec<u8>, Reach),
    Seek(usize, Vec<u8>),
    Read,
    Leave(usize),
    Abort(Vec<Step>),
}

/// From few bytes, so that keys meet; from all, so that nodes grow to 256 children.
fn keys() -> impl Strategy<Value = Vec<u8>> {
    let few = prop::sample::select(vec![0_u8, 1, 0x7F, 0x80, 0xFE, 0xFF]);
    let bytes = prop_oneof![
        3 => prop::collection::vec(few, 0..6),
        2 => prop::collection::vec(any::<u8>(), 1..3),
        1 => prop::collection::vec(any::<u8>(), 0..300),
    ];
    (0_u8..8, bytes).prop_map(|(shape, bytes)| key(shape, &bytes))
}

/// Times of the leaves are spread over this.
const TIMES: std::ops::Range<i64> = -5..305;

fn reaches() -> impl Strategy<Value = Reach> {
    (TIMES, TIMES).prop_map(|(one, other)| Reach {
        dropped_to: one.min(other),
        visited_to: one.max(other),
    })
}

/// What a deletion does to a leaf that it is asked about.
fn fate(leaf: Item) -> Fate<Item> {
    match leaf {
        Item::Timed(time, number) if number % 3 == 0 => Fate::Replace(Item::Timed(time + 7, 1)),
        Item::Timed(_, number) if number % 3 == 1 => Fate::Replace(Item::Number(number)),
        Item::Timed(..) => Fate::Remove,
        _ => Fate::Keep,
    }
}

/// What `remove_range` ought to do: the leaves that are asked about, and those that are dropped.
fn remove_range(
    model: &mut Model,
    (start, end): (&[u8], &[u8]),
    reach: Reach,
) -> (Vec<(Vec<u8>, Item)>, Vec<Item>) {
    let (mut visited, mut dropped) = (Vec::new(), Vec::new());
    if start >= end {
        return (visited, dropped);
    }
    let range = model.range(start.to_vec()..end.to_vec());
    let range: Vec<(Vec<u8>, Item)> = range.map(|(key, &leaf)| (key.clone(), leaf)).collect();
    for (key, leaf) in range {
        if leaf.timestamp_max() <= reach.dropped_to {
            model.remove(&key);
            dropped.push(leaf);
        } else if leaf.timestamp_min() <= reach.visited_to {
            match fate(leaf) {
                Fate::Keep => {}
                Fate::Replace(other) => drop(model.insert(key.clone(), other)),
                Fate::Remove => drop(model.remove(&key)),
            }
            visited.push((key, leaf));
        }
    }
    (visited, dropped)
}

fn changes() -> impl Strategy<Value = Step> {
    prop_oneof![
        12 => (0..2_usize, keys(), any::<u32>()).prop_map(|(trie, key, number)| {
            Step::Put(trie, key, item(number))
        }),
        4 => (0..2_usize, keys()).prop_map(|(trie, key)| Step::Remove(trie, key)),
        6 => (0..2_usize, keys()).prop_map(|(trie, key)| Step::RemoveNearest(trie, key)),
        1 => (0..40_usize).prop_map(Step::Clear),
        4 => (0..2_usize, keys(), keys(), reaches()).prop_map(|(trie, one, other, reach)| {
            Step::RemoveRange(trie, one.clone().min(other.clone()), one.max(other), reach)
        }),
    ]
}

fn steps() -> impl Strategy<Value = Step> {
    prop_oneof![
        20 => changes(),
        4 => (0..2_usize, keys()).prop_map(|(trie, key)| Step::Seek(trie, key)),
        1 => Just(Step::Read),
        1 => any::<usize>().prop_map(Step::Leave),
        2 => prop::collection::vec(changes(), 1..5).prop_map(Step::Abort),
    ]
}

/// What a reader holds.
struct Reader {
    _guard: Guard,
    roots: [Root; 2],
    models: [Model; 2],
}

struct Tries {
    arena: Arena<Item>,
    roots: [Root; 2],
    models: [Model; 2],
    readers: Vec<Reader>,
}

impl Tries {
    fn new() -> Tries {
        Tries {
            arena: Arena::new(),
            roots: [Root::EMPTY; 2],
            models: Default::default(),
            readers: Vec::new(),
        }
    }

    fn nearest(&self, trie: usize, key: &[u8]) -> Option<Vec<u8>> {
        let after = self.models[trie].range(key.to_vec()..).next();
        after.map(|(key, _)| key.clone())
    }

    /// Makes the change and says how the roots are then.
    fn change(
        mutation: &mut Mutation<'_, Item>,
        roots: &mut [Root; 2],
        step: &Step,
    ) -> Option<Item> {
        match step {
            Step::Put(trie, key, leaf) => {
                let put = mutation.replace(roots[*trie], key, *leaf);
                let (root, before) = put.expect("there is space");
                roots[*trie] = root;
                before
            }
            Step::Remove(trie, key) => {
                let removed = mutation.remove(roots[*trie], key);
                let (root, before) = removed.expect("there is space");
                roots[*trie] = root;
                before
            }
            Step::RemoveRange(trie, start, end, reach) => {
                let range = &start[..]..&end[..];
                let removed = mutation.remove_range(
                    roots[*trie],
                    range,
                    *reach,
                    |_, leaf| fate(leaf),
                    |_| {},
                );
                roots[*trie] = removed.expect("there is space");
                None
            }
            Step::Clear(trie) if *trie < 2 => {
                mutation.clear(roots[*trie], |_| {});
                roots[*trie] = Root::EMPTY;
                None
            }
            _ => None,
        }
    }

    fn apply(&mut self, step: &Step) {
        let step = match step {
            Step::RemoveNearest(trie, key) => match self.nearest(*trie, key) {
                Some(key) => &Step::Remove(*trie, key),
                None => return,
            },
            step => step,
        };
        let mut roots = self.roots;
        match step {
            Step::Seek(trie, key) => return self.assert_seeks(*trie, key),
            Step::Read => {
                return self.readers.push(Reader {
                    _guard: self.arena.read(),
                    roots,
                    models: self.models.clone(),
                });
            }
            Step::Leave(index) => {
                if !self.readers.is_empty() {
                    self.readers.remove(index % self.readers.len());
                }
                return;
            }
            Step::Abort(steps) => {
                let mut mutation = self.arena.begin();
                for step in steps {
                    Tries::change(&mut mutation, &mut roots, step);
                }
                return;
            }
            _ => {}
        }
        if let Step::RemoveRange(trie, start, end, reach) = step {
            return self.remove_range(*trie, (start, end), *reach);
        }
        let mut mutation = self.arena.begin();
        let before = Tries::change(&mut mutation, &mut roots, step);
        mutation.finish();
        self.roots = roots;
        let was = match step {
            Step::Put(trie, key, leaf) => self.models[*trie].insert(key.clone(), *leaf),
            Step::Remove(trie, key) => self.models[*trie].remove(key),
            Step::Clear(trie) if *trie < 2 => {
                self.models[*trie].clear();
                None
            }
            _ => None,
        };
        assert_eq!(before, was, "{step:?}");
    }

    fn remove_range(&mut self, trie: usize, range: (&[u8], &[u8]), reach: Reach) {
        let expected = remove_range(&mut self.models[trie], range, reach);
        let (mut visited, mut dropped) = (Vec::new(), Vec::new());
        let mut mutation = self.arena.begin();
        let visit = |key: &[u8], leaf| {
            visited.push((key.to_vec(), leaf));
            fate(leaf)
        };
        let range = range.0..range.1;
        let root = mutation.remove_range(self.roots[trie], range, reach, visit, |leaf| {
            dropped.push(leaf);
        });
        self.roots[trie] = root.expect("there is space");
        mutation.finish();
        assert_eq!((visited, dropped), expected);
    }

    fn assert_seeks(&self, trie: usize, key: &[u8]) {
        let (root, model) = (self.roots[trie], &self.models[trie]);
        let mut found = Vec::new();
        let after = self.arena.first_at_or_after(root, key, &mut found);
        let expected = model.range(key.to_vec()..).next();
        let after = after.map(|leaf| (found.clone(), leaf));
        assert_eq!(after, expected.map(|(key, &leaf)| (key.clone(), leaf)));
        let before = self.arena.last_before(root, key, &mut found);
        let expected = model.range(..key.to_vec()).next_back();
        let before = before.map(|leaf| (found.clone(), leaf));
        assert_eq!(before, expected.map(|(key, &leaf)| (key.clone(), leaf)));
        assert_eq!(self.arena.get(root, key), model.get(key).copied());
        assert_skips(&self.arena, root, model, key);
    }

    fn assert_sound(&self) {
        let seen: Vec<Root> = self
            .readers
            .iter()
            .flat_map(|reader| reader.roots)
            .collect();
        assert_eq!(self.arena.audit(&self.roots, &seen), Ok(()));
    }

    fn assert_all(&self) {
        for trie in 0..2 {
            assert_same(&self.arena, self.roots[trie], &self.models[trie]);
            for reader in &self.readers {
                assert_same(&self.arena, reader.roots[trie], &reader.models[trie]);
            }
        }
    }
}

proptest! {
    #![proptest_config(laws::config(200))]

    #[test]
    fn an_arena_answers_as_ordered_maps_do(steps in prop::collection::vec(steps(), 0..100)) {
        let mut tries = Tries::new();
        for step in &steps {
            tries.apply(step);
            tries.assert_sound();
        }
        tries.assert_all();
        tries.readers.clear();
        for trie in 0..2 {
            while let Some(key) = tries.nearest(trie, &[]) {
                tries.apply(&Step::Remove(trie, key));
                tries.assert_sound();
            }
        }
        prop_assert_eq!(tries.arena.used_bytes(), 0);
    }

    #[test]
    fn a_trie_of_many_keys_answers_as_an_ordered_map_does(
        keys in prop::collection::vec(keys(), 0..600),
        order in any::<u64>(),
    ) {
        let mut tries = Tries::new();
        for (number, key) in keys.iter().enumerate() {
            tries.apply(&Step::Put(0, key.clone(), item(number as u32)));
        }
        tries.assert_sound();
        tries.assert_all();
        let mut at = order;
        while let Some(first) = tries.nearest(0, &[at as u8]).or_else(|| tries.nearest(0, &[])) {
            tries.apply(&Step::Remove(0, first));
            at = at.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(17);
            if at % 64 == 0 {
                tries.assert_all();
            }
            tries.assert_sound();
        }
        prop_assert_eq!(tries.arena.used_bytes(), 0);
    }
}
