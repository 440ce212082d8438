//! Invariants of forms: each node is the least that holds its children, and shrinks as they go.

use cenotaph_engine::trie::arena::{Arena, Root};

use super::support::{Item, Model, assert_same};

/// A trie with a leaf at each of these bytes, which fits half a cell.
fn fan(arena: &mut Arena<Item>, bytes: impl Iterator<Item = u8>) -> (Root, Model) {
    let keys: Vec<Vec<u8>> = bytes.map(|byte| vec![byte]).collect();
    let (mut root, mut model) = (Root::EMPTY, Model::new());
    for key in keys {
        root = arena.put(root, &key, Item::Unit).expect("there is space");
        model.insert(key, Item::Unit);
    }
    (root, model)
}

#[test]
fn the_empty_trie_has_no_key_and_takes_nothing() {
    let arena = Arena::new();
    assert_same(&arena, Root::EMPTY, &Model::new());
    assert_eq!((arena.used_bytes(), arena.allocated_bytes()), (0, 0));
}

#[test]
fn the_empty_key_is_a_key() {
    let mut arena = Arena::new();
    let root = arena
        .put(Root::EMPTY, &[], Item::Unit)
        .expect("there is space");
    assert_same(&arena, root, &Model::from([(vec![], Item::Unit)]));
    let (root, removed) = arena.remove(root, &[]).expect("there is space");
    assert_eq!((root, removed), (Root::EMPTY, Some(Item::Unit)));
}

#[test]
fn a_marker_of_twelve_bytes_with_a_short_tail_takes_half_a_cell() {
    let mut arena = Arena::new();
    let root = arena
        .put(Root::EMPTY, &[1, 2, 3], Item::Timed(5, 6))
        .expect("there is space");
    assert_eq!(arena.used_bytes(), 16);
    let other = arena
        .put(Root::EMPTY, &[1, 2, 3], Item::Timed(5, 6))
        .expect("there is space");
    assert_eq!(arena.used_bytes(), 32);
    assert_eq!(arena.audit(&[root, other], &[]), Ok(()));
}

#[test]
fn a_split_node_shrinks_to_a_sparse_one_at_four_children() {
    let mut arena = Arena::new();
    let (mut root, mut model) = fan(&mut arena, (0..7).map(|number| number * 40));
    let split = arena.used_bytes();
    for (gone, is_split) in [(1, true), (2, true), (3, false), (4, false)] {
        root = arena.remove(root, &[gone * 40]).expect("there is space").0;
        model.remove(&vec![gone * 40]);
        assert_same(&arena, root, &model);
        assert_eq!(arena.audit(&[root], &[]), Ok(()));
        let leaves = model.len() as u64 * 16;
        assert_eq!(arena.used_bytes() - leaves > 32, is_split, "{gone}");
    }
    assert!(split > arena.used_bytes() + 7 * 32);
}

#[test]
fn six_of_seven_children_go_and_the_last_stays() {
    let mut arena = Arena::new();
    let (mut root, _) = fan(&mut arena, 0..7);
    for byte in 0..6 {
        root = arena.remove(root, &[byte]).expect("there is space").0;
        assert_eq!(arena.audit(&[root], &[]), Ok(()));
    }
    assert_same(&arena, root, &Model::from([(vec![6], Item::Unit)]));
    assert_eq!(arena.used_bytes(), 16);
}

#[test]
fn a_sparse_node_of_three_loses_one_and_of_two_becomes_the_tail_of_the_other() {
    let mut arena = Arena::new();
    let (root, _) = fan(&mut arena, 1..4);
    assert_eq!(arena.used_bytes(), 32 + 3 * 16);
    let root = arena.remove(root, &[2]).expect("there is space").0;
    assert_eq!(arena.used_bytes(), 32 + 2 * 16);
    let root = arena.remove(root, &[1]).expect("there is space").0;
    assert_eq!(arena.used_bytes(), 16);
    assert_same(&arena, root, &Model::from([(vec![3], Item::Unit)]));
}

#[test]
fn a_fork_that_goes_leaves_the_chain_as_it_was() {
    for size in [4, 20, 60, 200] {
        for fork in [0, 1, size / 2, size - 1] {
            let mut arena = Arena::new();
            let key = vec![5; size];
            let root = arena
                .put(Root::EMPTY, &key, Item::Timed(1, 1))
                .expect("there is space");
            let alone = arena.used_bytes();
            let mut other = key.clone();
            other[fork] = 6;
            let root = arena
                .put(root, &other, Item::Timed(2, 2))
                .expect("there is space");
            assert_eq!(arena.audit(&[root], &[]), Ok(()));
            let root = arena.remove(root, &other).expect("there is space").0;
            assert_eq!(arena.audit(&[root], &[]), Ok(()));
            let back = arena.used_bytes();
            assert!(back <= alone + 32, "{size} {fork}: {back} after {alone}");
            assert_same(&arena, root, &Model::from([(key, Item::Timed(1, 1))]));
        }
    }
}

#[test]
fn all_bytes_lead_to_children_of_one_node() {
    let mut arena = Arena::new();
    let (mut root, mut model) = fan(&mut arena, (0..=255_u8).rev());
    assert_same(&arena, root, &model);
    assert_eq!(arena.used_bytes(), 37 * 32 + 256 * 16);
    for byte in (0..=255_u8).step_by(2) {
        root = arena.remove(root, &[byte]).expect("there is space").0;
        model.remove(&vec![byte]);
    }
    assert_same(&arena, root, &model);
    assert_eq!(arena.audit(&[root], &[]), Ok(()));
}

#[test]
fn the_same_again_and_older_after_newer_take_nothing_more() {
    let mut arena = Arena::new();
    let (mut root, model) = fan(&mut arena, 0..100);
    let used = arena.used_bytes();
    for key in model.keys().chain(model.keys().rev()) {
        root = arena.put(root, key, Item::Unit).expect("there is space");
    }
    assert_eq!(arena.used_bytes(), used);
    assert_same(&arena, root, &model);
}
