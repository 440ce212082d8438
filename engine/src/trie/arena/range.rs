//! Steps of removing what a deletion covers: walk the range; leave out what is too new for it, drop whole what
//! is all too old, ask about the rest; on the way up, give each node the form for what is left.

use std::ops::Range;

use super::bounds::{NOTHING, joined, of_leaf};
use super::chain;
use super::leaf::Leaf;
use super::node::{Kind, Node};
use super::space::ArenaFull;
use super::split;
use super::undo::Store;

/// How far a deletion reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// What was last written at this time or before is dropped, no question asked.
    pub dropped_to: i64,
    /// What may have been written at this time or before is asked about.
    pub visited_to: i64,
}

/// What becomes of a leaf that a deletion may reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate<L> {
    /// It stays.
    Keep,
    /// Another takes its place.
    Replace(L),
    /// It goes.
    Remove,
}

/// A node of the walk whose children are on the way.
struct Frame {
    node: Node,
    /// The child that the walk is in, as it was, and its byte.
    child: Node,
    byte: u8,
    /// Bytes that lead here.
    depth: usize,
    next: Option<u8>,
    last: u8,
    edges: Edges,
    has_fewer: bool,
    /// Times of leaves that took the place of others.
    times: (i64, i64),
}

/// Whether all bytes so far are those of the range's start, and of its end.
#[derive(Clone, Copy)]
struct Edges {
    start: bool,
    end: bool,
}

/// What has become of a node.
struct Outcome {
    node: Node,
    times: (i64, i64),
}

impl Outcome {
    fn unchanged(node: Node) -> Entered {
        let times = NOTHING;
        Entered::Left(Outcome { node, times })
    }
}

enum Entered {
    Left(Outcome),
    Within(Frame),
}

/// A range on its way through a trie.
pub(super) struct Sweep<'a, V, D> {
    pub(super) range: Range<&'a [u8]>,
    pub(super) reach: Reach,
    pub(super) visit: V,
    pub(super) dropped: D,
    path: Vec<u8>,
    frames: Vec<Frame>,
}

impl<'a, V, D> Sweep<'a, V, D> {
    pub(super) fn new(range: Range<&'a [u8]>, reach: Reach, visit: V, dropped: D) -> Self {
        Sweep {
            range,
            reach,
            visit,
            dropped,
            path: Vec::new(),
            frames: Vec::new(),
        }
    }

    /// What is left of the range's start and end at a depth; an end that is none has no edge.
    fn rest(&self, edges: Edges, depth: usize) -> (Option<&'a [u8]>, Option<&'a [u8]>) {
        let start = edges.start.then(|| &self.range.start[depth..]);
        let end = edges.end.then(|| &self.range.end[depth..]);
        (start, end)
    }

    /// Which edges the way still follows after these bytes; none when it leaves the range.
    fn edges_after(&self, edges: Edges, depth: usize, bytes: &[u8]) -> Option<Edges> {
        let (start, end) = self.rest(edges, depth);
        let follows_start = start.is_some_and(|start| start.starts_with(bytes));
        let follows_end = end.is_some_and(|end| end.starts_with(bytes));
        let is_before = !follows_start && start.is_some_and(|start| bytes < start);
        let is_after = !follows_end && end.is_some_and(|end| bytes > end);
        (!is_before && !is_after).then_some(Edges {
            start: follows_start,
            end: follows_end,
        })
    }
}

impl Store {
    /// Removes what the sweep reaches, and gives the root.
    pub(super) fn sweep<L, V, D>(
        &mut self,
        root: Node,
        sweep: &mut Sweep<'_, V, D>,
    ) -> Result<Node, ArenaFull>
    where
        L: Leaf,
        V: FnMut(&[u8], L) -> Fate<L>,
        D: FnMut(L),
    {
        assert!(
            sweep.reach.dropped_to <= sweep.reach.visited_to,
            "what is dropped may be visited"
        );
        if root.is_none() || sweep.range.start >= sweep.range.end {
            return Ok(root);
        }
        let (start, end) = (true, true);
        let mut entered = self.enter(sweep, root, Edges { start, end })?;
        loop {
            let outcome = match entered {
                Entered::Left(outcome) => outcome,
                Entered::Within(mut frame) => match self.next_child(sweep, &mut frame) {
                    Some((child, edges)) => {
                        sweep.frames.push(frame);
                        entered = self.enter(sweep, child, edges)?;
                        continue;
                    }
                    None => self.leave::<L>(frame)?,
                },
            };
            let Some(frame) = sweep.frames.pop() else {
                return Ok(outcome.node);
            };
            entered = Entered::Within(self.receive::<L>(frame, outcome)?);
        }
    }

    fn enter<L, V, D>(
        &mut self,
        sweep: &mut Sweep<'_, V, D>,
        node: Node,
        edges: Edges,
    ) -> Result<Entered, ArenaFull>
    where
        L: Leaf,
        V: FnMut(&[u8], L) -> Fate<L>,
        D: FnMut(L),
    {
        let depth = sweep.path.len();
        let (start, end) = sweep.rest(edges, depth);
        if end.is_some_and(<[u8]>::is_empty) {
            return Ok(Outcome::unchanged(node));
        }
        let edges = Edges {
            start: start.is_some_and(|start| !start.is_empty()),
            ..edges
        };
        let cell = *self.space.at(node.cell());
        let mut frame = Frame {
            node,
            child: Node::NONE,
            byte: 0,
            depth,
            next: Some(0),
            last: u8::MAX,
            edges,
            has_fewer: false,
            times: NOTHING,
        };
        match node.kind() {
            Kind::Leaf(_) => return self.meet(sweep, node, edges).map(Entered::Left),
            Kind::Chain(offset) => {
                let bytes = chain::bytes(&cell, offset);
                let Some(edges) = sweep.edges_after(edges, depth, bytes) else {
                    return Ok(Outcome::unchanged(node));
                };
                frame.edges = edges;
                return Ok(Entered::Within(frame));
            }
            Kind::Split => {
                let (max, min) = split::times(&cell);
                if min > sweep.reach.visited_to {
                    return Ok(Outcome::unchanged(node));
                }
                if max <= sweep.reach.dropped_to && !edges.start && !edges.end {
                    self.release_tree(node, &mut sweep.dropped);
                    return Ok(Outcome::unchanged(Node::NONE));
                }
            }
            Kind::Sparse => {}
        }
        let (start, end) = sweep.rest(edges, depth);
        frame.next = Some(start.map_or(0, |start| start[0]));
        frame.last = end.map_or(u8::MAX, |end| end[0]);
        Ok(Entered::Within(frame))
    }

    /// Decides what becomes of a leaf.
    fn meet<L, V, D>(
        &mut self,
        sweep: &mut Sweep<'_, V, D>,
        node: Node,
        edges: Edges,
    ) -> Result<Outcome, ArenaFull>
    where
        L: Leaf,
        V: FnMut(&[u8], L) -> Fate<L>,
        D: FnMut(L),
    {
        let depth = sweep.path.len();
        let stored = self.stored::<L>(node);
        let leaf: L = stored.load();
        let (start, end) = sweep.rest(edges, depth);
        let is_within = start.is_none_or(|start| stored.tail() >= start)
            && end.is_none_or(|end| stored.tail() < end);
        let (max, min) = of_leaf(leaf);
        let kept = Outcome {
            node,
            times: NOTHING,
        };
        if !is_within || min > sweep.reach.visited_to && max > sweep.reach.dropped_to {
            return Ok(kept);
        }
        let fate = if max <= sweep.reach.dropped_to {
            (sweep.dropped)(leaf);
            Fate::Remove
        } else {
            sweep.path.extend_from_slice(stored.tail());
            (sweep.visit)(&sweep.path, leaf)
        };
        match fate {
            Fate::Keep => Ok(kept),
            Fate::Replace(other) => Ok(Outcome {
                node: self.rewrite(node, other, &sweep.path[depth..])?,
                times: of_leaf(other),
            }),
            Fate::Remove => {
                let block = self.leaf_block::<L>(node);
                self.release(block);
                let node = Node::NONE;
                Ok(Outcome { node, ..kept })
            }
        }
    }

    /// The next child of the frame that is in the range, and the edges that it follows.
    fn next_child<V, D>(
        &self,
        sweep: &mut Sweep<'_, V, D>,
        frame: &mut Frame,
    ) -> Option<(Node, Edges)> {
        let next = frame.next?;
        sweep.path.truncate(frame.depth);
        if let Kind::Chain(offset) = frame.node.kind() {
            let cell = self.space.at(frame.node.cell());
            sweep.path.extend_from_slice(chain::bytes(cell, offset));
            frame.next = None;
            frame.child = chain::child(cell);
            return Some((frame.child, frame.edges));
        }
        let (byte, child) = self.space.child_at_or_after(frame.node, next)?;
        if byte > frame.last {
            return None;
        }
        frame.byte = byte;
        frame.child = child;
        frame.next = byte.checked_add(1);
        let edges = sweep.edges_after(frame.edges, frame.depth, &[byte])?;
        sweep.path.push(byte);
        Some((child, edges))
    }

    /// Lets the frame's node lead to what its child has become.
    fn receive<L: Leaf>(&mut self, mut frame: Frame, outcome: Outcome) -> Result<Frame, ArenaFull> {
        frame.times = joined(frame.times, outcome.times);
        if outcome.node == frame.child {
            return Ok(frame);
        }
        frame.node = match frame.node.kind() {
            Kind::Chain(_) => self.lead_to::<L>(frame.node, outcome.node)?,
            _ if outcome.node.is_none() => {
                frame.has_fewer = true;
                self.unlink(frame.node, frame.byte)?
            }
            _ => self.relink(frame.node, frame.byte, outcome.node)?,
        };
        Ok(frame)
    }

    /// Gives the node its form when all children in the range are done.
    fn leave<L: Leaf>(&mut self, frame: Frame) -> Result<Outcome, ArenaFull> {
        let Frame {
            mut node, times, ..
        } = frame;
        if frame.has_fewer {
            node = self.settle::<L>(node)?;
        }
        if !node.is_none() && node.kind() == Kind::Split {
            let before = split::times(self.space.at(node.cell()));
            let after = joined(before, times);
            if after != before {
                node = self.own(node)?;
                split::set_times(self.change(node.cell()), after);
            }
        }
        Ok(Outcome { node, times })
    }
}
