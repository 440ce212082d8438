//! Steps of a walk over all deletions of a trie, as one range trie at its root: walk the data until a node has
//! deletions; walk those; go on beyond the node.
//!
//! Where no branch hangs on the root, this walks data to find branches: to be avoided where data is large.

use super::cursor::DeletionAware;
use crate::trie::range::{Marker, RangeCursor};
use crate::trie::{Cursor, Direction, Position};

/// The deletions of a trie, wherever they hang.
#[derive(Clone)]
pub struct DeletionsOnly<C: DeletionAware> {
    /// None in the tail of a branch.
    data: Option<C>,
    branch: Option<(Position, C::Deletions)>,
    /// Where the data is, while no branch is walked.
    position: Position,
}

impl<C: DeletionAware> DeletionsOnly<C> {
    /// Of a walk that is at its root.
    pub fn new(data: C) -> Self {
        let mut deletions = DeletionsOnly {
            position: data.position().unflagged(),
            data: Some(data),
            branch: None,
        };
        deletions.arrive();
        deletions
    }

    /// Takes up the branch of the node where the data is.
    fn arrive(&mut self) -> Position {
        if let Some(data) = &self.data {
            let position = data.position();
            self.position = position.unflagged();
            if position.may_have_branch() {
                let branch = data.deletion_branch(position.direction());
                self.branch = branch.map(|branch| (self.position, branch));
            }
        }
        self.position()
    }

    /// Leaves the branch of `host` for what comes at `target` or later.
    fn leave(&mut self, host: Position, target: Position) -> Position {
        self.branch = None;
        match &mut self.data {
            None => self.position = Position::exhausted(host.direction()),
            Some(data) => {
                data.skip_to(if target > host { target } else { host.beyond() });
            }
        }
        self.arrive()
    }
}

impl<C: DeletionAware> Cursor for DeletionsOnly<C> {
    type Content = Marker<<C::Deletions as RangeCursor>::Covering>;

    fn position(&self) -> Position {
        match &self.branch {
            Some((host, branch)) => branch.position().hung_on(*host),
            None => self.position,
        }
    }

    fn content(&self) -> Option<Self::Content> {
        self.branch
            .as_ref()
            .and_then(|(_, branch)| branch.content())
    }

    fn advance(&mut self) -> Position {
        match (&mut self.branch, &mut self.data) {
            (Some((host, branch)), _) => {
                let host = *host;
                if branch.advance().is_exhausted() {
                    return self.leave(host, host.beyond());
                }
                self.position()
            }
            (None, Some(data)) => {
                data.advance();
                self.arrive()
            }
            (None, None) => unreachable!("the walk is over"),
        }
    }

    fn skip_to(&mut self, target: Position) -> Position {
        match (&mut self.branch, &mut self.data) {
            (Some((host, branch)), _) => {
                let host = *host;
                if branch.skip_to(target.taken_off(host)).is_exhausted() {
                    return self.leave(host, target);
                }
                self.position()
            }
            (None, Some(data)) => {
                data.skip_to(target);
                self.arrive()
            }
            (None, None) => self.position,
        }
    }

    fn tail(&self, direction: Direction) -> Self {
        match (&self.branch, &self.data) {
            (Some((host, branch)), data) if data.is_none() || self.position() != *host => {
                DeletionsOnly {
                    data: None,
                    branch: Some((Position::root(direction), branch.tail(direction))),
                    position: Position::root(direction),
                }
            }
            (_, Some(data)) => DeletionsOnly::new(data.tail(direction)),
            (_, None) => unreachable!("a tail begins where a node is met on the way down"),
        }
    }
}

impl<C: DeletionAware> RangeCursor for DeletionsOnly<C> {
    type Covering = <C::Deletions as RangeCursor>::Covering;

    fn preceding(&self) -> Option<Self::Covering> {
        let (_, branch) = self.branch.as_ref()?;
        branch.preceding()
    }
}
