//! Invariants of limits: a full arena says so and goes on; keys may be as long as any; no walk is recursive.

use cenotaph_engine::trie::arena::{Arena, ArenaFull, Root, SIZE_MAX_BYTES};

use super::support::{Item, Model, assert_same, item};

#[test]
fn a_trie_at_its_size_limit_refuses_a_put_and_stays_as_it_was() {
    let mut arena = Arena::with_size_max(4096);
    let (mut root, mut model) = (Root::EMPTY, Model::new());
    let full = loop {
        let number = model.len() as u32;
        let key = number.to_be_bytes().to_vec();
        match arena.put(root, &key, item(number)) {
            Ok(new) => root = new,
            Err(full) => break full,
        }
        model.insert(key, item(number));
    };
    assert_eq!(
        full,
        ArenaFull {
            size_max_bytes: 4096
        }
    );
    assert_eq!(
        full.to_string(),
        "the trie has no space left: it may take 4096 bytes"
    );
    assert!(model.len() > 100);
    assert_same(&arena, root, &model);
    assert_eq!(arena.audit(&[root], &[]), Ok(()));
    root = arena.remove(root, &[0; 4]).expect("none is needed").0;
    model.remove(&vec![0; 4]);
    root = arena.put(root, &[0; 4], Item::Unit).expect("some is free");
    model.insert(vec![0; 4], Item::Unit);
    assert_same(&arena, root, &model);
}

#[test]
#[should_panic(expected = "is larger than 2147483392")]
fn an_arena_of_two_gibibytes_is_refused() {
    let _ = Arena::<Item>::with_size_max(SIZE_MAX_BYTES + 1);
}

/// `40`, a number below 2^21 in as few bytes as hold it, `38`: as a clustering of one bigint.
fn bigint_key(number: u32) -> Vec<u8> {
    let bytes = number.to_be_bytes();
    let mut key = match number {
        0..0x40 => vec![0x40, 0x80 | bytes[3]],
        0x40..0x2000 => vec![0x40, 0xC0 | bytes[2], bytes[3]],
        _ => vec![0x40, 0xE0 | bytes[1], bytes[2], bytes[3]],
    };
    key.push(0x38);
    key
}

#[test]
fn a_marker_takes_less_than_48_bytes_however_its_keys_are_spread() {
    for (tries, count) in [(1, 200_000), (3, 300_000), (999, 999_000)] {
        let mut arena = Arena::new();
        let mut roots = vec![Root::EMPTY; tries];
        for number in 0..count {
            let root = &mut roots[number as usize % tries];
            let marker = Item::Timed(i64::from(number), number);
            let put = arena.put(*root, &bigint_key(number), marker);
            *root = put.expect("there is space");
        }
        let count = u64::from(count);
        assert!(arena.used_bytes() <= 48 * count, "{tries} {arena:?}");
        assert!(arena.allocated_bytes() <= 64 * count, "{tries} {arena:?}");
        let mut mutation = arena.begin();
        for root in roots {
            mutation.clear(root, |_| {});
        }
        mutation.finish();
        assert_eq!(arena.used_bytes(), 0);
    }
}

#[test]
fn keys_may_be_longer_than_any_in_a_table() {
    let mut arena = Arena::new();
    let (mut root, mut model) = (Root::EMPTY, Model::new());
    for number in 0..24_u32 {
        let mut key = vec![(number % 4) as u8; 70_000];
        key[(number * 2_900) as usize] = 0xFF;
        root = arena.put(root, &key, item(number)).expect("there is space");
        model.insert(key, item(number));
        assert_eq!(arena.audit(&[root], &[]), Ok(()));
    }
    assert_same(&arena, root, &model);
    for key in model.keys() {
        root = arena.remove(root, key).expect("there is space").0;
    }
    assert_eq!((root, arena.used_bytes()), (Root::EMPTY, 0));
}

#[test]
fn a_node_at_every_byte_of_a_long_key_needs_no_recursion() {
    let mut arena = Arena::new();
    let mut root = Root::EMPTY;
    let deep = 65_535;
    for depth in (0..deep).rev() {
        let mut key = vec![9; depth];
        key.push(1);
        root = arena.put(root, &key, Item::Unit).expect("there is space");
    }
    assert_eq!(arena.audit(&[root], &[]), Ok(()));
    let mut found = Vec::new();
    let first = arena.first_at_or_after(root, &[9; 60_000], &mut found);
    assert_eq!((first, found.len()), (Some(Item::Unit), 60_001));
    let mut count = 0;
    let mut mutation = arena.begin();
    mutation.clear(root, |_| count += 1);
    mutation.finish();
    assert_eq!((count, arena.used_bytes()), (deep, 0));
}
