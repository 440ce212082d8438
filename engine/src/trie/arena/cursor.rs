//! Steps of a walk over a trie in memory: the nodes above that branch are kept, each with the byte taken last;
//! where the way does not branch, nothing is.

use std::fmt;

use super::super::cursor::Cursor;
use super::super::direction::Direction;
use super::super::position::Position;
use super::chain::{self, CHAIN_SIZE};
use super::counters::add;
use super::leaf::Leaf;
use super::map::Arena;
use super::node::{Kind, Node, Root};
use super::split;
use super::stack::Stack;

/// Nodes that branch above most keys.
const NEAR: usize = 12;

/// A node, or a place within one that has several bytes on the way.
#[derive(Clone, Copy)]
struct Place {
    node: Node,
    /// How many bytes of a leaf's tail lie above.
    tail_passed: usize,
}

/// A node above that branches, and the child that the walk is in.
#[derive(Clone, Copy)]
struct Branch {
    node: Node,
    depth: i32,
    byte: u8,
}

/// A walk over a trie of an arena. It stops at each node once, on the way down.
pub struct TrieCursor<'a, L> {
    arena: &'a Arena<L>,
    position: Position,
    place: Place,
    above: Stack<Branch, NEAR>,
}

impl<L> Clone for TrieCursor<'_, L> {
    fn clone(&self) -> Self {
        TrieCursor {
            arena: self.arena,
            position: self.position,
            place: self.place,
            above: self.above.clone(),
        }
    }
}

impl<L> fmt::Debug for TrieCursor<'_, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TrieCursor").field(&self.position).finish()
    }
}

impl<L: Leaf> Arena<L> {
    /// A walk over all of a trie.
    #[must_use]
    pub fn cursor(&self, root: Root, direction: Direction) -> TrieCursor<'_, L> {
        let place = Place {
            node: root.0,
            tail_passed: 0,
        };
        TrieCursor::new(self, place, direction)
    }
}

impl<'a, L: Leaf> TrieCursor<'a, L> {
    fn new(arena: &'a Arena<L>, place: Place, direction: Direction) -> TrieCursor<'a, L> {
        let blank = Branch {
            node: Node::NONE,
            depth: 0,
            byte: 0,
        };
        let mut cursor = TrieCursor {
            arena,
            position: Position::root(direction),
            place,
            above: Stack::new(blank),
        };
        cursor.go(Position::root(direction), place);
        cursor
    }

    /// No leaf here or below was written later; `i64::MAX` when that is not known here.
    #[must_use]
    pub fn timestamp_max_below(&self) -> i64 {
        let store = &self.arena.store;
        if self.place.node.is_none() {
            return i64::MIN;
        }
        match self.place.node.kind() {
            Kind::Split => split::times(store.space.at(self.place.node.cell())).0,
            Kind::Leaf(_) => store
                .stored::<L>(self.place.node)
                .load::<L>()
                .timestamp_max(),
            Kind::Sparse | Kind::Chain(_) => i64::MAX,
        }
    }

    fn go(&mut self, position: Position, place: Place) -> Position {
        self.place = place;
        self.position = position;
        add(&self.arena.store.counters.cells_visited, 1);
        if self.content().is_some() {
            self.position = position.with_content();
        }
        self.position
    }

    fn end(&mut self) -> Position {
        self.place.node = Node::NONE;
        self.position = Position::exhausted(self.position.direction());
        self.position
    }

    fn is_branch(&self) -> bool {
        let node = self.place.node;
        !node.is_none() && matches!(node.kind(), Kind::Sparse | Kind::Split)
    }

    /// The only child of a place that does not branch.
    fn only_child(&self) -> Option<(u8, Place)> {
        let store = &self.arena.store;
        let Place { node, tail_passed } = self.place;
        if node.is_none() {
            return None;
        }
        match node.kind() {
            Kind::Chain(offset) => {
                let cell = store.space.at(node.cell());
                let next = if offset + 1 < CHAIN_SIZE {
                    Node::chain(node.cell(), offset + 1)
                } else {
                    chain::child(cell)
                };
                let place = Place {
                    node: next,
                    tail_passed: 0,
                };
                Some((cell.bytes()[offset], place))
            }
            Kind::Leaf(_) => {
                let byte = *store.stored::<L>(node).tail().get(tail_passed)?;
                let tail_passed = tail_passed + 1;
                Some((byte, Place { node, tail_passed }))
            }
            Kind::Sparse | Kind::Split => None,
        }
    }

    /// The first child of a node that branches at `byte` or beyond it, as the walk goes.
    fn child_from(&self, node: Node, byte: u8) -> Option<(u8, Place)> {
        let space = &self.arena.store.space;
        let found = if self.position.direction().is_reverse() {
            space.child_from::<false>(node, byte)
        } else {
            space.child_from::<true>(node, byte)
        };
        let (byte, node) = found?;
        let place = Place {
            node,
            tail_passed: 0,
        };
        Some((byte, place))
    }

    /// The first byte, as the walk goes.
    fn first_byte(&self) -> u8 {
        if self.position.direction().is_reverse() {
            u8::MAX
        } else {
            0
        }
    }

    fn byte_after(&self, byte: u8) -> Option<u8> {
        if self.position.direction().is_reverse() {
            byte.checked_sub(1)
        } else {
            byte.checked_add(1)
        }
    }

    /// The first byte that leads to `target` or beyond it.
    fn byte_of(&self, target: Position) -> Option<u8> {
        let byte = target.byte()?;
        if target.is_return() {
            self.byte_after(byte)
        } else {
            Some(byte)
        }
    }

    /// Goes down to the first child at `byte` or beyond it, if there is one.
    fn descend_from(&mut self, byte: Option<u8>) -> Option<Position> {
        let from = byte?;
        let node = self.place.node;
        if !self.is_branch() {
            let (byte, place) = self.only_child()?;
            let is_beyond = if self.position.direction().is_reverse() {
                byte <= from
            } else {
                byte >= from
            };
            return is_beyond.then(|| self.go(self.position.child(byte), place));
        }
        let (byte, place) = self.child_from(node, from)?;
        let depth = self.position.depth();
        self.above.push(Branch { node, depth, byte });
        Some(self.go(self.position.child(byte), place))
    }

    /// Goes to the next sibling of the nearest node above that has one.
    fn ascend(&mut self) -> Position {
        while let Some(branch) = self.above.pop() {
            let next = self.byte_after(branch.byte);
            if let Some((byte, place)) = next.and_then(|next| self.child_from(branch.node, next)) {
                return self.go_aside(branch, byte, place);
            }
        }
        self.end()
    }

    fn go_aside(&mut self, branch: Branch, byte: u8, place: Place) -> Position {
        self.above.push(Branch { byte, ..branch });
        let depth = branch.depth.cast_unsigned() + 1;
        let direction = self.position.direction();
        self.go(Position::node(depth, byte, direction), place)
    }
}

impl<L: Leaf> Cursor for TrieCursor<'_, L> {
    type Content = L;

    fn position(&self) -> Position {
        self.position
    }

    fn content(&self) -> Option<L> {
        let Place { node, tail_passed } = self.place;
        if node.is_none() || !matches!(node.kind(), Kind::Leaf(_)) {
            return None;
        }
        let stored = self.arena.store.stored::<L>(node);
        (stored.tail().len() == tail_passed).then(|| stored.load())
    }

    fn advance(&mut self) -> Position {
        assert!(!self.position.is_exhausted(), "the walk is over");
        match self.descend_from(Some(self.first_byte())) {
            Some(position) => position,
            None => self.ascend(),
        }
    }

    fn advance_multiple(&mut self, passed: &mut Vec<u8>) -> Position {
        let depth = self.position.depth();
        let mut position = self.advance();
        if position.depth() <= depth {
            return position;
        }
        while let Some((byte, place)) = self.only_child() {
            passed.extend(position.byte());
            position = self.go(position.child(byte), place);
        }
        position
    }

    fn skip_to(&mut self, target: Position) -> Position {
        let depth = target.depth();
        let is_ahead = self.position < target || depth > self.position.depth();
        assert!(is_ahead, "{target:?} is not ahead of {:?}", self.position);
        if depth <= 0 {
            return self.end();
        }
        assert!(
            depth <= self.position.depth() + 1,
            "{target:?} is more than one level below"
        );
        let byte = self.byte_of(target);
        if depth > self.position.depth() {
            return match self.descend_from(byte) {
                Some(position) => position,
                None => self.ascend(),
            };
        }
        while let Some(&mut branch) = self.above.last_mut() {
            if branch.depth < depth - 1 {
                break;
            }
            self.above.pop();
            if branch.depth == depth - 1
                && let Some((byte, place)) =
                    byte.and_then(|byte| self.child_from(branch.node, byte))
            {
                return self.go_aside(branch, byte, place);
            }
        }
        self.ascend()
    }

    fn tail(&self, direction: Direction) -> Self {
        assert!(!self.position.is_exhausted(), "the walk is over");
        TrieCursor::new(self.arena, self.place, direction)
    }
}
