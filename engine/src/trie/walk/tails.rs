//! Steps of listing branches: stop at content that begins one, hand out the branch, and go on beyond it.

use super::entries::Entries;
use crate::trie::{Cursor, Direction};

/// The branches of a walk below the nodes whose content a predicate tells.
pub struct Tails<C, P> {
    entries: Entries<C>,
    begins: P,
    direction: Direction,
}

impl<C: Cursor, P: FnMut(&C::Content) -> bool> Tails<C, P> {
    /// Of a walk that is at its root. The branches are walked in `direction`.
    pub fn new(cursor: C, direction: Direction, begins: P) -> Self {
        Tails {
            entries: Entries::new(cursor),
            begins,
            direction,
        }
    }
}

impl<C: Cursor, P: FnMut(&C::Content) -> bool> Iterator for Tails<C, P> {
    type Item = (Vec<u8>, C);

    fn next(&mut self) -> Option<(Vec<u8>, C)> {
        loop {
            let content = self.entries.next_content()?;
            if (self.begins)(&content) {
                let found = (
                    self.entries.path().to_vec(),
                    self.entries.cursor().tail(self.direction),
                );
                self.entries.skip_branch();
                return Some(found);
            }
        }
    }
}
