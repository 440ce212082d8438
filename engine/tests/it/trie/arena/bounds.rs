//! Invariants of write times below split nodes: never less than the greatest, never more than the least.

use cenotaph_engine::trie::arena::{Arena, Root};

use super::support::Item;

#[test]
fn bounds_hold_while_leaves_come_go_and_change() {
    let mut arena = Arena::new();
    let mut root = Root::EMPTY;
    for round in 0..4_i64 {
        for number in 0..800_u32 {
            let time = i64::from(number.wrapping_mul(2_654_435_761) >> 8) * (round - 2);
            let key = (number * 83).to_be_bytes();
            root = if number % 5 == round as u32 {
                arena.remove(root, &key).expect("there is space").0
            } else {
                arena
                    .put(root, &key, Item::Timed(time, number))
                    .expect("there is space")
            };
        }
        assert_eq!(arena.audit(&[root], &[]), Ok(()));
    }
}
