//! Invariants of readers: a paused reader sees its tries whatever is done meanwhile, and holds up no more
//! memory than what it sees.

use cenotaph_engine::trie::arena::{Arena, Root};

use super::support::{Item, assert_same, filled, item};

fn key(number: u32) -> Vec<u8> {
    number.to_be_bytes().to_vec()
}

#[test]
fn a_paused_reader_sees_its_trie_while_it_is_rewritten_a_thousand_times() {
    let mut arena = Arena::new();
    let keys: Vec<Vec<u8>> = (0..500).map(|number| key(number * 7)).collect();
    let (mut root, model) = filled(&mut arena, &keys);
    let alone = arena.used_bytes();
    let (guard, seen) = (arena.read(), root);
    let mut used_max = 0;
    for round in 1..=1_000 {
        for key in &keys {
            root = if round % 3 == 0 {
                arena.remove(root, key).expect("there is space").0
            } else {
                arena.put(root, key, item(round)).expect("there is space")
            };
        }
        used_max = used_max.max(arena.used_bytes());
        if round % 100 == 0 {
            assert_eq!(arena.audit(&[root], &[seen]), Ok(()));
            assert_same(&arena, seen, &model);
        }
    }
    assert!(used_max < alone * 3, "{used_max} of {alone} bytes");
    drop(guard);
    let mutation = arena.begin();
    mutation.finish();
    assert_eq!(arena.audit(&[root], &[]), Ok(()));
    assert!(arena.used_bytes() < alone * 2);
}

#[test]
fn what_only_readers_see_is_used_until_the_last_of_them_leaves() {
    let mut arena = Arena::new();
    let (root, model) = filled(&mut arena, &[key(1), key(2)]);
    let used = arena.used_bytes();
    let first = arena.read();
    let second = first.clone();
    let mut mutation = arena.begin();
    mutation.clear(root, |_| {});
    mutation.finish();
    assert_eq!(arena.used_bytes(), used);
    drop(first);
    assert_eq!(arena.used_bytes(), used);
    assert_same(&arena, root, &model);
    drop(second);
    assert_eq!(arena.used_bytes(), 0);
    assert_eq!(arena.audit(&[], &[]), Ok(()));
}

#[test]
fn a_later_reader_does_not_hold_what_was_released_before_it_came() {
    let mut arena = Arena::<Item>::new();
    let (root, _) = filled(&mut arena, &[key(1), key(2)]);
    let early = arena.read();
    let mut mutation = arena.begin();
    mutation.clear(root, |_| {});
    mutation.finish();
    let late = arena.read();
    assert!(arena.used_bytes() > 0);
    drop(early);
    assert_eq!(arena.used_bytes(), 0);
    drop(late);
}

#[test]
fn each_reader_sees_the_trie_of_when_it_came() {
    let mut arena = Arena::new();
    let keys: Vec<Vec<u8>> = (0..300).map(key).collect();
    let (mut root, mut model) = filled(&mut arena, &keys);
    let mut readers = Vec::new();
    for round in 0..10 {
        readers.push((arena.read(), root, model.clone()));
        for key in keys.iter().skip(round).step_by(7) {
            let new = Item::Timed(round as i64, 9);
            root = arena.put(root, key, new).expect("there is space");
            model.insert(key.clone(), new);
        }
        let seen: Vec<Root> = readers.iter().map(|&(_, root, _)| root).collect();
        assert_eq!(arena.audit(&[root], &seen), Ok(()));
        for (_, root, model) in &readers {
            assert_same(&arena, *root, model);
        }
    }
}

#[test]
fn without_readers_nothing_is_copied() {
    let mut arena = Arena::new();
    let keys: Vec<Vec<u8>> = (0..2_000).map(key).collect();
    let (mut root, _) = filled(&mut arena, &keys);
    for key in &keys {
        root = arena.put(root, key, Item::Unit).expect("there is space");
        root = arena.remove(root, key).expect("there is space").0;
    }
    assert_eq!(arena.counters().cells_copied(), 0);
    assert_eq!((root, arena.used_bytes()), (Root::EMPTY, 0));
}

#[test]
fn keys_put_in_and_taken_out_for_ever_take_bounded_memory() {
    let mut arena = Arena::new();
    let mut root = Root::EMPTY;
    for number in 0..100_000_u32 {
        root = arena
            .put(root, &key(number), item(number))
            .expect("there is space");
        let guard = (number % 10 == 0).then(|| arena.read());
        if let Some(old) = number.checked_sub(100) {
            root = arena.remove(root, &key(old)).expect("there is space").0;
        }
        drop(guard);
    }
    assert!(arena.allocated_bytes() <= 32_768, "{arena:?}");
    assert_eq!(arena.audit(&[root], &[]), Ok(()));
}
