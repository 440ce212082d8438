//! Steps of going to one key: down the data until a node has a branch; from there down both. What is found is data,
//! deletions, or both; where the deletions have no node of their own, what covers the key.

use super::cursor::{DeletionAware, StateOf};
use super::uncovered::Uncovered;
use crate::trie::range::{Covered, Marker, Part, RangeCursor};
use crate::trie::{Cursor, Direction, Position};

/// What applies to data at `key`, in the trie of a walk that is at its root. Data with a deletion newer than that
/// is not held.
pub fn applicable_deletion<C: DeletionAware>(data: C, key: &[u8]) -> Option<StateOf<C>> {
    let (_, branch) = descend(data, key);
    let (branch, is_found) = branch?;
    if is_found {
        branch.applicable()
    } else {
        branch.preceding()
    }
}

/// Goes down to `key`: the data there, if any; and the branch met on the way, at the key or just after it.
fn descend<C: DeletionAware>(mut data: C, key: &[u8]) -> (Option<C>, Option<(C::Deletions, bool)>) {
    let direction = data.position().direction();
    let mut branch = data.deletion_branch(direction).map(|branch| (branch, true));
    let mut has_data = true;
    for &byte in key {
        if let Some((branch, is_found)) = &mut branch
            && *is_found
        {
            let target = branch.position().child(byte);
            *is_found = branch.skip_to(target) == target;
        }
        if has_data {
            let target = data.position().child(byte);
            has_data = data.skip_to(target) == target;
        }
        if has_data && branch.is_none() {
            let own = data.deletion_branch(direction);
            branch = own.map(|branch| (branch, true));
        }
    }
    (has_data.then_some(data), branch)
}

/// The branch below one key of a trie.
#[derive(Clone)]
pub struct DeepTail<C: DeletionAware> {
    /// None when there is only a deletion.
    data: Option<C>,
    /// What hangs on the root; then the data has no other.
    branch: Option<Uncovered<Part<C::Deletions>>>,
    /// Where the walk is when there is no data.
    position: Position,
}

/// What there is at `key` and below it, in the trie of a walk that is at its root; `None` when that is nothing.
/// The deletion that covers all of it is part of it, or left out.
pub fn tail_at<C: DeletionAware>(
    data: C,
    key: &[u8],
    direction: Direction,
    includes_covering: bool,
) -> Option<DeepTail<C>> {
    let (data, branch) = descend(data, key);
    let branch = branch.and_then(|(branch, is_found)| {
        let tail = if is_found {
            Part::Walk(branch.tail(direction))
        } else {
            let state = branch.preceding()?;
            Part::Covered(Covered::new(Some(state), direction))
        };
        let dropped = covering_of(&tail).filter(|_| !includes_covering);
        Some(Uncovered::new(tail, dropped))
    });
    let data = data.map(|data| data.tail(direction));
    (data.is_some() || branch.is_some()).then(|| DeepTail {
        data,
        branch,
        position: Position::root(direction),
    })
}

/// What covers a branch at its root's own key, apart from a point.
fn covering_of<R: RangeCursor>(branch: &R) -> Option<R::Covering> {
    let root = branch.tail(Direction::Forward);
    let marker: Marker<R::Covering> = root.state();
    marker.succeeding(Direction::Forward)
}

impl<C: DeletionAware> DeepTail<C> {
    fn at_root(&self) -> bool {
        let position = self.data.as_ref().map_or(self.position, Cursor::position);
        position.depth() == 0
    }
}

impl<C: DeletionAware> Cursor for DeepTail<C> {
    type Content = C::Content;

    fn position(&self) -> Position {
        let position = self.data.as_ref().map_or(self.position, Cursor::position);
        if self.at_root() && self.branch.is_some() {
            position.with_branch()
        } else {
            position
        }
    }

    fn content(&self) -> Option<C::Content> {
        self.data.as_ref()?.content()
    }

    fn advance(&mut self) -> Position {
        match &mut self.data {
            Some(data) => data.advance(),
            None => {
                assert!(!self.position.is_exhausted(), "the walk is over");
                self.position = Position::exhausted(self.position.direction());
                self.position
            }
        }
    }

    fn advance_multiple(&mut self, passed: &mut Vec<u8>) -> Position {
        match &mut self.data {
            Some(data) => data.advance_multiple(passed),
            None => self.advance(),
        }
    }

    fn skip_to(&mut self, target: Position) -> Position {
        match &mut self.data {
            Some(data) => data.skip_to(target),
            None => {
                self.position = Position::exhausted(target.direction());
                self.position
            }
        }
    }

    fn tail(&self, direction: Direction) -> Self {
        let branch = self.branch.as_ref().filter(|_| self.at_root());
        DeepTail {
            data: self.data.as_ref().map(|data| data.tail(direction)),
            branch: branch.map(|branch| branch.tail(direction)),
            position: Position::root(direction),
        }
    }
}

impl<C: DeletionAware> DeletionAware for DeepTail<C> {
    type Deletions = Uncovered<Part<C::Deletions>>;

    fn deletion_branch(&self, direction: Direction) -> Option<Self::Deletions> {
        match &self.branch {
            Some(branch) => self.at_root().then(|| branch.tail(direction)),
            None => {
                let own = self.data.as_ref()?.deletion_branch(direction)?;
                Some(Uncovered::new(Part::Walk(own), None))
            }
        }
    }

    fn branch_deleted_by(&self) -> Option<StateOf<Self>> {
        self.data.as_ref()?.branch_deleted_by()
    }

    fn all_deleted_by(&self) -> Option<StateOf<Self>> {
        self.data.as_ref()?.all_deleted_by()
    }

    fn is_shadowed(&self) -> bool {
        self.data.as_ref().is_some_and(DeletionAware::is_shadowed)
    }
}
