//! Steps of a prefix before a deletion-aware trie: branches hang where they hung, below it; or, prefixed
//! separately, all deletions hang on the new root, with the prefix before their keys too.

use super::cursor::{DeletionAware, StateOf};
use super::deletions::DeletionsOnly;
use crate::trie::view::Prefixed;
use crate::trie::{Cursor, Direction, Position};

impl<C: DeletionAware> DeletionAware for Prefixed<'_, C> {
    type Deletions = C::Deletions;

    fn deletion_branch(&self, direction: Direction) -> Option<C::Deletions> {
        self.branch()?.deletion_branch(direction)
    }

    fn branch_deleted_by(&self) -> Option<StateOf<Self>> {
        self.rest().branch_deleted_by()
    }

    fn all_deleted_by(&self) -> Option<StateOf<Self>> {
        self.rest().all_deleted_by()
    }

    fn is_shadowed(&self) -> bool {
        self.branch().is_some_and(DeletionAware::is_shadowed)
    }
}

/// A deletion-aware trie all of whose keys are preceded by a prefix, and all of whose deletions hang on the root.
#[derive(Clone)]
pub struct SeparatelyPrefixed<'a, C> {
    prefix: &'a [u8],
    data: Prefixed<'a, C>,
    /// The trie at its root, for its deletions; none in a tail below the root.
    deletions: Option<C>,
}

impl<'a, C: DeletionAware> SeparatelyPrefixed<'a, C> {
    /// `branch`, which is at its root, below `prefix`.
    pub fn new(prefix: &'a [u8], branch: C) -> Self {
        let deletions = Some(branch.tail(branch.position().direction()));
        SeparatelyPrefixed {
            prefix,
            data: Prefixed::new(prefix, branch),
            deletions,
        }
    }
}

impl<C: DeletionAware> Cursor for SeparatelyPrefixed<'_, C> {
    type Content = C::Content;

    fn position(&self) -> Position {
        let position = self.data.position();
        if position.depth() == 0 && self.deletions.is_some() {
            position.with_branch()
        } else {
            position
        }
    }

    fn content(&self) -> Option<C::Content> {
        self.data.content()
    }

    fn advance(&mut self) -> Position {
        self.data.advance()
    }

    fn advance_multiple(&mut self, passed: &mut Vec<u8>) -> Position {
        self.data.advance_multiple(passed)
    }

    fn skip_to(&mut self, target: Position) -> Position {
        self.data.skip_to(target)
    }

    fn tail(&self, direction: Direction) -> Self {
        let is_root = self.position().depth() == 0;
        let deletions = self.deletions.as_ref().filter(|_| is_root);
        SeparatelyPrefixed {
            prefix: self.prefix,
            data: self.data.tail(direction),
            deletions: deletions.map(|branch| branch.tail(direction)),
        }
    }
}

impl<'a, C: DeletionAware> DeletionAware for SeparatelyPrefixed<'a, C> {
    type Deletions = Prefixed<'a, DeletionsOnly<C>>;

    fn deletion_branch(&self, direction: Direction) -> Option<Self::Deletions> {
        let at_root = self.data.position().depth() == 0;
        let trie = self.deletions.as_ref().filter(|_| at_root)?;
        let deletions = DeletionsOnly::new(trie.tail(direction));
        Some(Prefixed::new(self.prefix, deletions))
    }
}
