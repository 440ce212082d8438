//! Steps of many walks in step: the one that is behind stands apart, the others form a heap by position. To
//! advance moves all that are equal to it, from the leaves of the heap up, so that each sinks once.

use crate::trie::{Cursor, Position};

/// Walks in step, of one type.
#[derive(Clone)]
pub(crate) struct Many<C> {
    head: C,
    heap: Vec<C>,
}

impl<C: Cursor> Many<C> {
    /// Of walks that are at their roots and go in one direction.
    ///
    /// # Panics
    /// When there are none.
    pub(crate) fn new(sources: impl IntoIterator<Item = C>) -> Self {
        let mut sources = sources.into_iter();
        let head = sources.next().expect("there is something to merge");
        let heap: Vec<C> = sources.collect();
        let root = head.position();
        assert!(
            heap.iter().all(|source| source.position() == root),
            "walks in step begin at one root and go one way"
        );
        Many { head, heap }
    }

    pub(crate) fn position(&self) -> Position {
        let mut position = self.head.position();
        self.each_here(0, position, &mut |source| {
            position = position.with_flags_of(source.position());
        });
        position
    }

    /// Whether no other walk is where the head is.
    pub(crate) fn is_single(&self) -> bool {
        let here = self.head.position();
        self.heap.first().is_none_or(|next| next.position() != here)
    }

    pub(crate) fn head(&self) -> &C {
        &self.head
    }

    /// Calls `found` with each walk that is here.
    pub(crate) fn each_at(&self, found: &mut impl FnMut(&C)) {
        found(&self.head);
        self.each_here(0, self.head.position(), found);
    }

    /// All walks, also those that are ahead.
    pub(crate) fn all(&self) -> impl Iterator<Item = &C> {
        std::iter::once(&self.head).chain(&self.heap)
    }

    pub(crate) fn advance(&mut self) -> Position {
        self.move_here(&mut |source| {
            source.advance();
        })
    }

    /// Has `step` move each walk that is here, or leave it.
    pub(crate) fn move_here(&mut self, step: &mut impl FnMut(&mut C)) -> Position {
        self.move_where(0, self.head.position(), step);
        step(&mut self.head);
        self.settle_head()
    }

    pub(crate) fn advance_multiple(&mut self, passed: &mut Vec<u8>) -> Position {
        if !self.is_single() {
            return self.advance();
        }
        self.head.advance_multiple(passed);
        self.settle_head()
    }

    pub(crate) fn skip_to(&mut self, target: Position) -> Position {
        self.skip_below(0, self.head.position(), target);
        self.head.skip_to(target);
        self.settle_head()
    }

    /// Calls `found` with each walk of the heap at `here`; they form its top. The depth of the recursion is
    /// that of the heap.
    fn each_here(&self, index: usize, here: Position, found: &mut impl FnMut(&C)) {
        let is_here = |source: &&C| source.position() == here;
        if let Some(source) = self.heap.get(index).filter(is_here) {
            found(source);
            self.each_here(2 * index + 1, here, found);
            self.each_here(2 * index + 2, here, found);
        }
    }

    fn move_where(&mut self, index: usize, here: Position, step: &mut impl FnMut(&mut C)) {
        let is_here = |source: &C| source.position() == here;
        if self.heap.get(index).is_some_and(is_here) {
            self.move_where(2 * index + 1, here, step);
            self.move_where(2 * index + 2, here, step);
            step(&mut self.heap[index]);
            self.sink(index);
        }
    }

    /// Moves those that are here, to which `target` may lie below, and those that are ahead but before it.
    fn skip_below(&mut self, index: usize, here: Position, target: Position) {
        let Some(source) = self.heap.get(index) else {
            return;
        };
        let position = source.position();
        if position == here || position < target {
            self.skip_below(2 * index + 1, here, target);
            self.skip_below(2 * index + 2, here, target);
            self.heap[index].skip_to(target);
            self.sink(index);
        }
    }

    fn sink(&mut self, mut index: usize) {
        loop {
            let child = 2 * index + 1;
            let Some(left) = self.heap.get(child) else {
                return;
            };
            let least = match self.heap.get(child + 1) {
                Some(right) if right.position() < left.position() => child + 1,
                _ => child,
            };
            if self.heap[index].position() <= self.heap[least].position() {
                return;
            }
            self.heap.swap(index, least);
            index = least;
        }
    }

    fn settle_head(&mut self) -> Position {
        if let Some(first) = self.heap.first_mut()
            && first.position() < self.head.position()
        {
            std::mem::swap(first, &mut self.head);
            self.sink(0);
        }
        self.position()
    }
}
