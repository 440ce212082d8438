//! Invariants of slots: a value is dropped when it was released and no reader can have it; a mutation that is
//! aborted leaves them as they were.

use std::rc::Rc;

use cenotaph_engine::trie::arena::{Arena, Slots};

use super::support::Item;

#[test]
fn a_released_slot_is_dropped_at_once_without_readers_and_after_them_otherwise() {
    let arena = Arena::<Item>::new();
    let mut slots = Slots::new(arena.readers());
    let value = Rc::new(());
    let first = slots.insert(Rc::clone(&value));
    slots.finish();
    slots.release(first);
    assert_eq!(
        Rc::strong_count(&value),
        2,
        "the mutation may yet be aborted"
    );
    slots.finish();
    assert_eq!(Rc::strong_count(&value), 1);

    let second = slots.insert(Rc::clone(&value));
    assert_eq!(second, first, "its number is used again");
    slots.finish();
    let guard = arena.read();
    let third = slots.replace(second, Rc::clone(&value));
    slots.finish();
    assert_eq!(slots.audit([third]), Ok(()));
    assert_eq!(Rc::strong_count(slots.get(second)), 3, "the reader has it");
    let fourth = slots.replace(third, Rc::clone(&value));
    slots.finish();
    assert_eq!(Rc::strong_count(&value), 3, "no reader can have the third");
    drop(guard);
    slots.reclaim();
    assert_eq!(Rc::strong_count(&value), 2);
    assert_eq!(slots.audit([fourth]), Ok(()));
}

#[test]
fn a_reader_who_comes_before_the_mutation_is_finished_keeps_what_it_releases() {
    let arena = Arena::<Item>::new();
    let mut slots = Slots::new(arena.readers());
    let early = arena.read();
    let old = slots.insert("old");
    slots.finish();
    let new = slots.insert("new");
    let late = arena.read();
    slots.release(old);
    slots.finish();
    assert_eq!(*slots.get(old), "old");
    drop(early);
    slots.reclaim();
    assert_eq!(*slots.get(old), "old");
    drop(late);
    slots.reclaim();
    assert_eq!(slots.audit([new]), Ok(()));
    assert_eq!(slots.len(), 1);
}

#[test]
fn an_aborted_mutation_leaves_the_slots_as_they_were() {
    let arena = Arena::<Item>::new();
    let mut slots = Slots::new(arena.readers());
    let kept = slots.insert("kept");
    slots.finish();
    let other = slots.replace(kept, "other");
    assert_eq!(*slots.get(other), "other");
    slots.abort();
    assert_eq!((slots.len(), *slots.get(kept)), (1, "kept"));
    assert_eq!(slots.audit([kept]), Ok(()));
}

#[test]
fn an_audit_names_a_slot_that_is_lost_or_used_twice() {
    let arena = Arena::<Item>::new();
    let mut slots = Slots::new(arena.readers());
    let slot = slots.insert(());
    slots.finish();
    assert_eq!(slots.audit([]), Err("slot 0 has 0 owners".to_owned()));
    assert_eq!(
        slots.audit([slot, slot]),
        Err("slot 0 has 2 owners".to_owned())
    );
    assert_eq!(
        slots.audit([slot, 9]),
        Err("slot 9 was never made".to_owned())
    );
}
