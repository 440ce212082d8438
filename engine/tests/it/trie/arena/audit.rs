//! Invariants of the audit: it sees what is lost, what has two owners, and what a reader sees though it is free.

use cenotaph_engine::trie::arena::{Arena, Root};

use super::support::{Item, filled};

fn told(arena: &Arena<Item>, roots: &[Root], seen: &[Root]) -> String {
    let unsound = arena.audit(roots, seen).expect_err("something is wrong");
    unsound.to_string()
}

#[test]
fn cells_that_no_trie_has_are_lost() {
    let mut arena = Arena::new();
    let (root, _) = filled(&mut arena, &[vec![1], vec![2]]);
    assert_eq!(arena.audit(&[root], &[]), Ok(()));
    assert_eq!(told(&arena, &[], &[]), "0 bytes are taken, 64 are counted");
}

#[test]
fn cells_of_two_tries_have_an_owner_too_many() {
    let mut arena = Arena::new();
    let (root, _) = filled(&mut arena, &[vec![1]]);
    assert_eq!(
        told(&arena, &[root, root], &[]),
        "cell 1 is of a trie, and something else"
    );
}

#[test]
fn a_trie_that_is_free_is_none_that_a_reader_may_see() {
    let mut arena = Arena::new();
    let (root, _) = filled(&mut arena, &[vec![1], vec![2]]);
    let mut mutation = arena.begin();
    mutation.clear(root, |_| {});
    mutation.finish();
    assert_eq!(arena.audit(&[], &[]), Ok(()));
    assert_eq!(
        told(&arena, &[], &[root]),
        "cell 2 is free, and a reader sees it"
    );
}
