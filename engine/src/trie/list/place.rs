//! Vocabulary of places: before or after all keys that begin with a key.

use std::cmp::Ordering;

use crate::trie::Direction;

/// When a walk stops for an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    /// On the way down to its node.
    Descent,
    /// After the children of its node.
    Return,
    /// Both: part of it is met on the way down, and its place among all keys is after the children.
    Both,
}

/// Something that has a place in a list.
pub(crate) trait Placed {
    /// Its key.
    fn key(&self) -> &[u8];

    /// Whether it comes after all keys that begin with its own.
    fn is_after(&self) -> bool;

    /// When a walk in this direction stops for it.
    fn turn(&self, direction: Direction) -> Turn;
}

/// The order of two places among all keys.
pub(crate) fn compare_places(left: (&[u8], bool), right: (&[u8], bool)) -> Ordering {
    let shared = shared_size(left.0, right.0);
    match (left.0.get(shared), right.0.get(shared)) {
        (Some(left), Some(right)) => left.cmp(right),
        (None, None) => left.1.cmp(&right.1),
        (None, Some(_)) if left.1 => Ordering::Greater,
        (None, Some(_)) => Ordering::Less,
        (Some(_), None) if right.1 => Ordering::Less,
        (Some(_), None) => Ordering::Greater,
    }
}

/// Whether entries ascend by place, and no two have one place.
pub(crate) fn is_sorted<E: Placed>(entries: &[E]) -> bool {
    entries.windows(2).all(|pair| {
        let [left, right] = pair else { return true };
        let (left, right) = (
            (left.key(), left.is_after()),
            (right.key(), right.is_after()),
        );
        compare_places(left, right).is_lt()
    })
}

/// How many bytes both begin with.
pub(crate) fn shared_size(left: &[u8], right: &[u8]) -> usize {
    left.iter().zip(right).take_while(|(l, r)| l == r).count()
}
