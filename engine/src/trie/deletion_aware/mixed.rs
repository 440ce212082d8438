//! Steps of a walk over live data and deletions as one: the branch of a node is walked in step with the data below
//! it, and dropped when it ends.
//!
//! To stop issuing deletions drops the branch, and no other is taken up. Where the walk stood in the branch alone,
//! the data is already at the next live node: the next move goes there. That costs nothing, however many
//! deletions are passed over.

use super::cursor::{DeletionAware, StateOf};
use super::live::LiveOnly;
use crate::trie::range::{Covered, Marker, Part, RangeCursor};
use crate::trie::{Cursor, Direction, Position};

/// What a node holds, one of the two at least.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mixed<T, S> {
    /// Live data.
    pub live: Option<T>,
    /// What changes here of what is deleted.
    pub marker: Option<Marker<S>>,
}

/// A walk over live data and deletions, which may issue deletions.
#[derive(Clone)]
pub struct LiveAndDeletions<C: DeletionAware> {
    /// None in a tail of deletions below which there is no data.
    data: Option<C>,
    side: Side<C::Deletions>,
    is_issuing: bool,
    direction: Direction,
}

/// The deletions beside the data.
#[derive(Clone)]
enum Side<R: RangeCursor> {
    /// No branch is open.
    None,
    /// A branch, and the node that it hangs on.
    Open(Part<R>, Position),
    /// Where the walk stood in a branch when it was dropped.
    Left(Position),
}

impl<C: DeletionAware> LiveAndDeletions<C> {
    /// Of a walk that is at its root.
    pub fn new(data: C) -> Self {
        let mut mixed = LiveAndDeletions {
            direction: data.position().direction(),
            data: Some(data),
            side: Side::None,
            is_issuing: true,
        };
        mixed.settle();
        mixed
    }

    /// What is deleted just before this position, in the order of the walk, by the branch that is open.
    pub fn preceding_deletion(&self) -> Option<StateOf<C>> {
        match &self.side {
            Side::Open(branch, _) => branch.preceding(),
            Side::None | Side::Left(_) => None,
        }
    }

    /// From here on, only live data is shown. What is shown where the walk stands changes with it, but the walk
    /// does not move.
    pub fn stop_issuing_deletions(&mut self) {
        self.is_issuing = false;
        if let Side::Open(..) = self.side {
            let (in_data, _) = self.at();
            self.side = if in_data {
                Side::None
            } else {
                Side::Left(self.position().unflagged())
            };
        }
    }

    /// The same walk as one that cannot issue deletions.
    pub fn into_live_only(mut self) -> LiveOnly<C> {
        self.stop_issuing_deletions();
        let left = match self.side {
            Side::Left(position) => Some(position),
            _ => None,
        };
        LiveOnly::of(self.data, left, self.direction)
    }

    fn data_position(&self) -> Position {
        match &self.data {
            Some(data) => data.position(),
            None => Position::exhausted(self.direction),
        }
    }

    fn side_position(&self) -> Position {
        match &self.side {
            Side::None => Position::exhausted(self.direction),
            Side::Open(branch, host) => branch.position().hung_on(*host),
            Side::Left(position) => *position,
        }
    }

    /// Whether the data and the deletions are where the walk is.
    fn at(&self) -> (bool, bool) {
        let (data, side) = (self.data_position(), self.side_position());
        (data <= side, side <= data)
    }

    /// Drops a branch that has ended, and takes up that of the node where the data is.
    fn settle(&mut self) -> Position {
        if let Side::Open(branch, _) = &self.side
            && branch.position().is_exhausted()
        {
            self.side = Side::None;
        }
        if let (true, Side::None, Some(data)) = (self.is_issuing, &self.side, &self.data) {
            let position = data.position();
            if !position.is_exhausted() && position.may_have_branch() {
                let branch = data.deletion_branch(self.direction);
                if let Some(branch) = branch {
                    self.side = Side::Open(Part::Walk(branch), position.unflagged());
                }
            }
        }
        self.position()
    }

    /// Moves whichever are here.
    fn step(&mut self, target: Option<Position>) -> Position {
        let (in_data, in_side) = self.at();
        if let Some(data) = &mut self.data {
            match target {
                Some(target) if in_data => data.skip_to(target),
                Some(target) => data.skip_to_when_ahead(target),
                None if in_data => data.advance(),
                None => data.position(),
            };
        }
        match &mut self.side {
            Side::None => {}
            Side::Left(_) => self.side = Side::None,
            Side::Open(branch, host) => match target {
                Some(target) if in_side || branch.position().hung_on(*host) < target => {
                    branch.skip_to(target.taken_off(*host));
                }
                None if in_side => {
                    branch.advance();
                }
                _ => {}
            },
        }
        self.settle()
    }
}

impl<C: DeletionAware> Cursor for LiveAndDeletions<C> {
    type Content = Mixed<C::Content, StateOf<C>>;

    fn position(&self) -> Position {
        let (data, side) = (self.data_position(), self.side_position());
        match self.at() {
            (true, true) => data.with_flags_of(side),
            (true, false) => data,
            (false, _) => side,
        }
    }

    fn content(&self) -> Option<Self::Content> {
        let (in_data, in_side) = self.at();
        let data = self.data.as_ref().filter(|_| in_data);
        let live = data.and_then(Cursor::content);
        let marker = match &self.side {
            Side::Open(branch, _) if in_side => branch.content(),
            _ => None,
        };
        let is_held = live.is_some() || marker.is_some();
        is_held.then_some(Mixed { live, marker })
    }

    fn advance(&mut self) -> Position {
        assert!(!self.position().is_exhausted(), "the walk is over");
        self.step(None)
    }

    fn advance_multiple(&mut self, passed: &mut Vec<u8>) -> Position {
        match (&mut self.data, &self.side) {
            (Some(data), Side::None) => {
                data.advance_multiple(passed);
                self.settle()
            }
            _ => self.advance(),
        }
    }

    fn skip_to(&mut self, target: Position) -> Position {
        self.step(Some(target))
    }

    fn tail(&self, direction: Direction) -> Self {
        let (in_data, in_side) = self.at();
        let data = self.data.as_ref().filter(|_| in_data);
        let data = data.map(|data| data.tail(direction));
        let root = Position::root(direction);
        let side = match &self.side {
            Side::Open(branch, _) if in_side => Side::Open(branch.tail(direction), root),
            Side::Open(branch, _) => {
                let covered = Covered::new(branch.preceding(), direction);
                Side::Open(Part::Covered(covered), root)
            }
            Side::Left(_) => Side::Left(root),
            Side::None => Side::None,
        };
        let mut tail = LiveAndDeletions {
            data,
            side,
            is_issuing: self.is_issuing,
            direction,
        };
        tail.settle();
        tail
    }
}
