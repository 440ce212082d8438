//! Steps of watching a deletion-aware walk: besides its moves, no branch hangs below another, and each begins and
//! ends with nothing in force.

use super::plain::Verified;
use super::range::VerifiedRange;
use crate::trie::deletion_aware::{DeletionAware, StateOf};
use crate::trie::{Cursor, Direction, Position};

/// A deletion-aware walk that fails where it breaks what is promised of such walks.
#[derive(Clone)]
pub struct VerifiedDeletionAware<C> {
    data: Verified<C>,
    /// The node whose branch the walk is below.
    host: Option<Position>,
}

impl<C: DeletionAware> VerifiedDeletionAware<C> {
    /// Watches a walk that is at its root.
    ///
    /// # Panics
    /// When it is not; later, when it breaks a promise.
    pub fn new(data: C) -> Self {
        let mut verified = VerifiedDeletionAware {
            data: Verified::new(data),
            host: None,
        };
        verified.arrives();
        verified
    }

    /// The walk.
    pub fn inner(&self) -> &C {
        self.data.inner()
    }

    fn arrives(&mut self) -> Position {
        let position = self.data.position();
        assert!(
            !position.is_return(),
            "a walk over data on the return path at {position:?}"
        );
        let has_left = |host: &Position| position.depth() <= host.depth();
        if self.host.as_ref().is_some_and(has_left) {
            self.host = None;
        }
        if position.is_exhausted() {
            return position;
        }
        let branch = self.deletion_branch(position.direction());
        if let Some(mut branch) = branch {
            assert!(
                position.may_have_branch(),
                "deletions at {position:?} without a flag"
            );
            let host = self.host.replace(position);
            assert!(
                host.is_none(),
                "deletions at {position:?} below those at {host:?}"
            );
            branch.skip_to(branch.position().on_return());
        }
        position
    }
}

impl<C: DeletionAware> Cursor for VerifiedDeletionAware<C> {
    type Content = C::Content;

    fn position(&self) -> Position {
        self.data.position()
    }

    fn content(&self) -> Option<C::Content> {
        self.data.content()
    }

    fn advance(&mut self) -> Position {
        self.data.advance();
        self.arrives()
    }

    fn advance_multiple(&mut self, passed: &mut Vec<u8>) -> Position {
        self.data.advance_multiple(passed);
        self.arrives()
    }

    fn skip_to(&mut self, target: Position) -> Position {
        self.data.skip_to(target);
        self.arrives()
    }

    fn tail(&self, direction: Direction) -> Self {
        let tail = Verified::tail(&self.data, direction);
        let mut verified = VerifiedDeletionAware {
            data: tail,
            host: None,
        };
        verified.arrives();
        verified
    }
}

impl<C: DeletionAware> DeletionAware for VerifiedDeletionAware<C> {
    type Deletions = VerifiedRange<C::Deletions>;

    fn deletion_branch(&self, direction: Direction) -> Option<Self::Deletions> {
        let branch = self.data.inner().deletion_branch(direction)?;
        Some(VerifiedRange::new(branch))
    }

    fn branch_deleted_by(&self) -> Option<StateOf<Self>> {
        self.data.inner().branch_deleted_by()
    }

    fn all_deleted_by(&self) -> Option<StateOf<Self>> {
        self.data.inner().all_deleted_by()
    }

    fn is_shadowed(&self) -> bool {
        self.data.inner().is_shadowed()
    }
}
