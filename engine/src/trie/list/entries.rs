//! Invariants of a list: keys ascend, and no two are equal.

use super::cursor::ListCursor;
use super::place::{Placed, Turn, is_sorted};
use crate::trie::Direction;

/// A key and what it leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry<T> {
    /// Any bytes; the empty key is the root.
    pub key: Vec<u8>,
    /// What the node holds.
    pub content: T,
}

impl<T> Entry<T> {
    /// What `key` leads to.
    pub fn new(key: impl Into<Vec<u8>>, content: T) -> Entry<T> {
        Entry {
            key: key.into(),
            content,
        }
    }
}

impl<T> Placed for Entry<T> {
    fn key(&self) -> &[u8] {
        &self.key
    }

    fn is_after(&self) -> bool {
        false
    }

    fn turn(&self, _direction: Direction) -> Turn {
        Turn::Descent
    }
}

/// Why something written down is no list.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ListError {
    /// Keys must ascend.
    #[error("entry {index} does not come after the one before it")]
    OutOfOrder {
        /// Of the entry, from 0.
        index: usize,
    },
    /// Each side of a boundary must be what the one before it says.
    #[error("the deletion before entry {index} is not what the one before it leaves in force")]
    Torn {
        /// Of the entry, from 0; the number of entries when the last leaves a range open.
        index: usize,
    },
}

/// A trie written down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List<T> {
    entries: Vec<Entry<T>>,
}

impl<T: Clone> List<T> {
    /// Of entries whose keys ascend.
    ///
    /// # Errors
    /// When they do not.
    pub fn new(entries: Vec<Entry<T>>) -> Result<List<T>, ListError> {
        check_order(&entries)?;
        Ok(List { entries })
    }

    /// Its entries in the order of their keys.
    #[must_use]
    pub fn entries(&self) -> &[Entry<T>] {
        &self.entries
    }

    /// A walk that meets each node's content before its children.
    #[must_use]
    pub fn cursor(&self, direction: Direction) -> ListCursor<'_, T> {
        ListCursor::new(&self.entries, direction, false)
    }

    /// A walk that meets content in the order of keys, or exactly the other way round.
    #[must_use]
    pub fn ordered_cursor(&self, direction: Direction) -> ListCursor<'_, T> {
        ListCursor::new(&self.entries, direction, true)
    }
}

/// Refuses entries whose places do not ascend.
pub(crate) fn check_order<E: Placed>(entries: &[E]) -> Result<(), ListError> {
    let broken = entries.windows(2).position(|pair| !is_sorted(pair));
    match broken {
        Some(index) => Err(ListError::OutOfOrder { index: index + 1 }),
        None => Ok(()),
    }
}
