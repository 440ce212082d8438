//! Steps of a walk over a sorted list: the entry ahead gives the path, so nothing is kept of the ancestors.
//!
//! 1. An entry is behind once the walk has stopped at the last place it has.
//! 2. To advance: from what the path shares with the key of the first entry ahead, one byte down.
//! 3. To skip: the entries before the target are found by halving, then as in 2.
//! 4. A descending walk meets a node's own data on the way down, though its place comes after the children:
//!    it is looked up whenever the walk comes to a node, and passed over when its place is reached.

use std::cmp::Ordering;
use std::ops::Range;

use super::place::{Placed, Turn, compare_places, shared_size};
use crate::trie::{Direction, Position};

/// A walk over entries that share the first bytes of their keys.
pub(crate) struct Steps<'a, E> {
    entries: &'a [E],
    /// How many bytes of each key lie above the root.
    base: usize,
    position: Position,
    /// How many entries are behind, in the order of the walk.
    behind: usize,
    /// An entry whose key has the current path, in the order of the walk.
    path: usize,
    /// Whether the first entry ahead has its last stop here.
    turns: bool,
    /// Of a descending walk: the entry, by its index, whose own data is met here on the way down.
    early: Option<usize>,
    /// Whether data is met at its place among all keys even when descending.
    ordered: bool,
    /// Whether the walk returns to the root before it ends.
    closes: bool,
}

impl<E> Clone for Steps<'_, E> {
    fn clone(&self) -> Self {
        Steps { ..*self }
    }
}

impl<'a, E: Placed> Steps<'a, E> {
    /// At the root of the branch below the first `base` bytes, which all keys share.
    pub(crate) fn new(
        entries: &'a [E],
        base: usize,
        direction: Direction,
        ordered: bool,
        closes: bool,
    ) -> Self {
        let mut steps = Steps {
            entries,
            base,
            position: Position::root(direction),
            behind: 0,
            path: 0,
            turns: false,
            early: None,
            ordered,
            closes,
        };
        steps.turns = steps.ahead().is_some_and(|entry| {
            steps.rest(entry).is_empty() && steps.turn(entry) == Turn::Descent
        });
        steps.early = steps.find_early(&[]);
        steps
    }

    pub(crate) fn position(&self) -> Position {
        self.position
    }

    pub(crate) fn direction(&self) -> Direction {
        self.position.direction()
    }

    /// The entry whose place is here.
    pub(crate) fn turning(&self) -> Option<&'a E> {
        self.turns.then(|| self.ahead()).flatten()
    }

    /// The entry whose own data is met here, before its place.
    pub(crate) fn early(&self) -> Option<&'a E> {
        self.early.map(|index| &self.entries[index])
    }

    /// The first entry that is not behind.
    pub(crate) fn ahead(&self) -> Option<&'a E> {
        (self.behind < self.entries.len()).then(|| self.nth(self.behind))
    }

    /// The path to the current node.
    pub(crate) fn path(&self) -> &'a [u8] {
        let depth = self.depth();
        if depth == 0 {
            return &[];
        }
        &self.rest(self.nth(self.path))[..depth]
    }

    pub(crate) fn advance(&mut self) -> Position {
        assert!(!self.position.is_exhausted(), "the walk is over");
        if self.turns {
            self.behind += 1;
        }
        let stem = self.path();
        if self.position.depth() == 0 && self.position.is_return() {
            return self.end();
        }
        self.settle(stem, None)
    }

    /// Down to the next stop at which something is held, unless something is held between.
    pub(crate) fn advance_multiple(&mut self, passed: &mut Vec<u8>) -> Position {
        let before = self.position;
        self.advance();
        if self.position.is_exhausted() || self.position.depth() <= before.depth() {
            return self.position;
        }
        while !self.turns && self.early.is_none() {
            let byte = self.position.byte().expect("it has descended");
            let stem = self.path();
            let target = self.ahead().expect("the walk is on the way to an entry");
            let (depth, rest) = (stem.len(), self.rest(target));
            if rest.len() == depth + 1 && self.turn(target) == Turn::Return {
                break;
            }
            passed.push(byte);
            self.settle(stem, None);
        }
        self.position
    }

    pub(crate) fn skip_to(&mut self, target: Position) -> Position {
        assert!(
            self.position.can_skip_to(target),
            "{:?} cannot skip to {target:?}",
            self.position
        );
        if target.is_exhausted() {
            self.behind = self.entries.len();
            (self.turns, self.early) = (false, None);
            self.position = target.unflagged();
            return self.position;
        }
        let level = target.depth().cast_unsigned() as usize;
        let stem = &self.path()[..level.saturating_sub(1)];
        if self.turns {
            self.behind += 1;
        }
        let is_before = |entry: &E| self.is_before(entry, target, stem);
        if self.ahead().is_some_and(is_before) {
            let count = self.entries.len();
            self.behind = match self.direction() {
                Direction::Forward => {
                    self.behind + self.entries[self.behind..].partition_point(is_before)
                }
                Direction::Reverse => {
                    let left = &self.entries[..count - self.behind];
                    count - left.partition_point(|entry| !is_before(entry))
                }
            };
        }
        self.settle(stem, Some(target))
    }

    /// The entries below the current node and at it, in the order of keys.
    pub(crate) fn branch(&self) -> &'a [E] {
        &self.entries[self.branch_span()]
    }

    /// The indices of [`branch`](Steps::branch).
    pub(crate) fn branch_span(&self) -> Range<usize> {
        assert!(
            !self.position.is_return() && !self.position.is_exhausted(),
            "a tail begins where a node is met on the way down"
        );
        let path = self.path();
        let end = self
            .entries
            .partition_point(|entry| self.compare(entry, path, true).is_le());
        self.first_at(path)..end
    }

    /// How many bytes of the keys of [`branch`](Steps::branch) lie above its root.
    pub(crate) fn branch_base(&self) -> usize {
        self.base + self.depth()
    }

    /// What is left of a key below the root.
    pub(crate) fn rest(&self, entry: &'a E) -> &'a [u8] {
        &entry.key()[self.base..]
    }

    fn depth(&self) -> usize {
        usize::try_from(self.position.depth()).unwrap_or(0)
    }

    fn nth(&self, index: usize) -> &'a E {
        match self.direction() {
            Direction::Forward => &self.entries[index],
            Direction::Reverse => &self.entries[self.entries.len() - 1 - index],
        }
    }

    fn turn(&self, entry: &E) -> Turn {
        let turn = entry.turn(self.direction());
        if self.ordered && self.direction().is_reverse() && !entry.is_after() {
            return Turn::Return;
        }
        turn
    }

    fn end(&mut self) -> Position {
        (self.turns, self.early) = (false, None);
        let root = Position::root(self.direction());
        let at_return = self.position.depth() == 0 && self.position.is_return();
        self.position = if self.closes && !at_return && !self.position.is_exhausted() {
            root.on_return()
        } else {
            Position::exhausted(self.direction())
        };
        self.position
    }

    /// Goes on to the first entry ahead, from the nodes of `stem`, which have been met. What is before
    /// `target` is not stopped at.
    fn settle(&mut self, stem: &[u8], target: Option<Position>) -> Position {
        let direction = self.direction();
        loop {
            let Some(entry) = self.ahead() else {
                return self.end();
            };
            let (rest, turn) = (self.rest(entry), self.turn(entry));
            let shared = shared_size(stem, rest);
            self.early = None;
            if rest.len() == shared {
                if turn == Turn::Descent {
                    // Its data was met when the walk came to its node.
                    self.behind += 1;
                    continue;
                }
                self.turns = true;
                let node = match rest.last() {
                    Some(&byte) => Position::node(shared as u32, byte, direction),
                    None => Position::root(direction),
                };
                self.position = node.on_return();
            } else {
                let node = Position::node(shared as u32 + 1, rest[shared], direction);
                let is_last = rest.len() == shared + 1;
                let was_met = target.is_some_and(|target| node < target);
                let returns = is_last && (turn == Turn::Return || turn == Turn::Both && was_met);
                self.turns = is_last && (returns || turn == Turn::Descent);
                self.position = if returns { node.on_return() } else { node };
            }
            self.path = self.behind;
            if !self.position.is_return() {
                self.early = self.find_early(&rest[..=shared]);
            }
            return self.position;
        }
    }

    /// Whether an entry's last stop comes before `target`; `stem` leads to the node above it.
    fn is_before(&self, entry: &E, target: Position, stem: &[u8]) -> bool {
        let rest = &entry.key()[self.base..];
        if target.depth() == 0 {
            return !rest.is_empty() || self.turn(entry) == Turn::Descent;
        }
        if !rest.starts_with(stem) {
            return false;
        }
        let Some(&byte) = rest.get(stem.len()) else {
            return false;
        };
        let node = Position::node(stem.len() as u32 + 1, byte, self.direction());
        if node.on_return() == target {
            return rest.len() > stem.len() + 1 || self.turn(entry) == Turn::Descent;
        }
        node < target
    }

    fn find_early(&self, path: &[u8]) -> Option<usize> {
        if self.ordered || !self.direction().is_reverse() {
            return None;
        }
        let index = self.first_at(path);
        let entry = self.entries.get(index)?;
        let meets = !entry.is_after() && entry.turn(Direction::Reverse) != Turn::Return;
        (meets && self.rest(entry) == path).then_some(index)
    }

    /// The index of the first entry at the node that `path` leads to, or below it, or beyond.
    fn first_at(&self, path: &[u8]) -> usize {
        self.entries
            .partition_point(|entry| self.compare(entry, path, false).is_lt())
    }

    fn compare(&self, entry: &E, path: &[u8], is_after: bool) -> Ordering {
        let place = (&entry.key()[self.base..], entry.is_after());
        compare_places(place, (path, is_after))
    }
}
