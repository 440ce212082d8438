//! Invariants of the greatest state of a span: a tree of maxima over the entries of a list, two nodes an entry.

use std::ops::Range;

/// Maxima over spans of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Newest<S> {
    /// Node `n` has the children `2n` and `2n + 1`; the entries are the second half.
    nodes: Vec<Option<S>>,
}

impl<S: Copy + Ord> Newest<S> {
    pub(crate) fn new(leaves: impl ExactSizeIterator<Item = Option<S>>) -> Self {
        let count = leaves.len();
        let mut nodes = vec![None; count];
        nodes.extend(leaves);
        for index in (1..count).rev() {
            nodes[index] = nodes[2 * index].max(nodes[2 * index + 1]);
        }
        Newest { nodes }
    }

    pub(crate) fn within(&self, span: Range<usize>) -> Option<S> {
        let count = self.nodes.len() / 2;
        let (mut first, mut end) = (span.start + count, span.end + count);
        let mut newest = None;
        while first < end {
            if first % 2 == 1 {
                newest = newest.max(self.nodes[first]);
                first += 1;
            }
            if end % 2 == 1 {
                end -= 1;
                newest = newest.max(self.nodes[end]);
            }
            (first, end) = (first / 2, end / 2);
        }
        newest
    }
}
