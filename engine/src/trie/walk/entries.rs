//! Steps of listing what a walk meets: keep the path, and stop wherever something is held.

use crate::trie::{Cursor, Position};

/// The keys of a walk and what they lead to, from where the walk is on.
pub struct Entries<C> {
    cursor: C,
    /// The bytes from where the walk was first given.
    path: Vec<u8>,
    /// Whether the current position has been looked at.
    is_seen: bool,
}

impl<C: Cursor> Entries<C> {
    /// Of a walk that is at its root.
    pub fn new(cursor: C) -> Self {
        Entries {
            cursor,
            path: Vec::new(),
            is_seen: false,
        }
    }

    /// Goes down to `key`, or to the first position after it when there is no such node, before anything was
    /// listed. What the nodes on the way hold is passed over. True when the node was found.
    pub fn seek(&mut self, key: &[u8]) -> bool {
        for &byte in key {
            let target = self.cursor.position().child(byte);
            let found = self.cursor.skip_to(target);
            step_path(&mut self.path, found);
            if found != target {
                return false;
            }
        }
        true
    }

    /// The key that leads to the current position.
    pub fn path(&self) -> &[u8] {
        &self.path
    }

    /// The walk.
    pub fn cursor(&self) -> &C {
        &self.cursor
    }

    /// The walk, to change what it shows without moving it.
    pub fn cursor_mut(&mut self) -> &mut C {
        &mut self.cursor
    }

    /// Goes to the next position that holds something, and tells what; `None` at the end. The key is
    /// [`path`](Entries::path).
    pub fn next_content(&mut self) -> Option<C::Content> {
        let mut position = self.cursor.position();
        loop {
            if self.is_seen && !position.is_exhausted() {
                position = self.cursor.advance_multiple(&mut self.path);
                step_path(&mut self.path, position);
            }
            self.is_seen = true;
            if position.is_exhausted() {
                return None;
            }
            if position.may_have_content()
                && let Some(content) = self.cursor.content()
            {
                return Some(content);
            }
        }
    }

    /// Leaves out what is below the current node.
    pub fn skip_branch(&mut self) {
        let here = self.cursor.position();
        if !here.is_exhausted() {
            let position = self.cursor.skip_to(here.beyond());
            step_path(&mut self.path, position);
            self.is_seen = false;
        }
    }
}

impl<C: Cursor> Iterator for Entries<C> {
    type Item = (Vec<u8>, C::Content);

    fn next(&mut self) -> Option<Self::Item> {
        let content = self.next_content()?;
        Some((self.path.clone(), content))
    }
}

/// Cuts a path to where a step has led, and appends the byte that led there.
pub(crate) fn step_path(path: &mut Vec<u8>, position: Position) {
    let depth = usize::try_from(position.depth()).unwrap_or(0);
    path.truncate(depth.saturating_sub(1));
    path.extend(position.byte());
}
