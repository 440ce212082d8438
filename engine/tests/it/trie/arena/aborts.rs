//! Invariants of mutations that fail: whichever cell cannot be had, all is as it was, with readers or without.

use cenotaph_engine::trie::arena::{Arena, ArenaFull, Fate, Reach, Root};

use super::support::{Item, Model, assert_same, filled, item, key};

fn keys() -> Vec<Vec<u8>> {
    let numbers = (0..120_u8).map(|number| key(number % 8, &[number, number ^ 0x55, 0xFF]));
    numbers.collect()
}

/// A mutation of every kind of step, over two tries.
fn mutate(arena: &mut Arena<Item>, roots: &[Root; 2]) -> Result<[Root; 2], ArenaFull> {
    let mut mutation = arena.begin();
    let [mut one, mut other] = *roots;
    for number in 0..60_u8 {
        let new = key(number, &[number, 0, number]);
        one = mutation.put(one, &new, item(u32::from(number)))?;
        other = mutation.put(other, &new, Item::Wide([number; 28]))?;
    }
    for key in keys().iter().step_by(3) {
        one = mutation.remove(one, key)?.0;
        other = mutation.put(other, key, Item::Number(7))?;
    }
    let reach = Reach {
        dropped_to: 20,
        visited_to: 90,
    };
    let wider = |_: &[u8], _| Fate::Replace(Item::Wide([1; 28]));
    let range = &[1][..]..&[200][..];
    one = mutation.remove_range(one, range, reach, wider, |_| {})?;
    mutation.clear(other, |_| {});
    mutation.finish();
    Ok([one, Root::EMPTY])
}

#[test]
fn a_mutation_that_fails_at_any_cell_leaves_everything_as_it_was() {
    for with_reader in [false, true] {
        let mut failures = 0;
        for cells in 0.. {
            let mut arena = Arena::new();
            let (one, one_model) = filled(&mut arena, &keys());
            let (other, other_model) = filled(&mut arena, &keys()[..40]);
            let guard = with_reader.then(|| arena.read());
            let used = arena.used_bytes();
            arena.set_size_max(used.next_multiple_of(32) + cells * 32);
            let roots = [one, other];
            if mutate(&mut arena, &roots).is_ok() {
                break;
            }
            failures += 1;
            assert_eq!(arena.used_bytes(), used, "{cells} cells");
            assert_eq!(arena.audit(&roots, &[]), Ok(()), "{cells} cells");
            assert_same(&arena, one, &one_model);
            assert_same(&arena, other, &other_model);
            drop(guard);
            arena.set_size_max(1 << 20);
            let after = mutate(&mut arena, &roots).expect("there is space");
            assert_eq!(arena.audit(&after, &[]), Ok(()));
        }
        assert!(failures > 60, "{failures} failures");
    }
}

#[test]
fn a_mutation_that_is_dropped_is_undone() {
    let mut arena = Arena::new();
    let (root, model) = filled(&mut arena, &keys());
    let used = arena.used_bytes();
    let mut mutation = arena.begin();
    mutation.clear(root, |_| {});
    drop(mutation);
    assert_eq!(arena.used_bytes(), used);
    assert_same(&arena, root, &model);
    assert_eq!(arena.audit(&[root], &[]), Ok(()));
}

#[test]
fn a_key_that_begins_another_is_refused_and_nothing_changes() {
    let long = [7; 100];
    for (there, new) in [
        (&long[..], &long[..60]),
        (&long[..60], &long[..]),
        (&[1, 2, 3], &[1, 2]),
        (&[1, 2], &[1, 2, 3]),
        (&[], &[1]),
        (&[1], &[]),
    ] {
        let mut arena = Arena::new();
        let root = arena
            .put(Root::EMPTY, there, Item::Unit)
            .expect("there is space");
        let put = std::panic::AssertUnwindSafe(|| arena.put(root, new, Item::Unit));
        assert!(std::panic::catch_unwind(put).is_err(), "{there:?} {new:?}");
        let model = Model::from([(there.to_vec(), Item::Unit)]);
        assert_same(&arena, root, &model);
        assert_eq!(arena.audit(&[root], &[]), Ok(()));
    }
}
