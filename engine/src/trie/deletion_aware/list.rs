//! Steps of writing a deletion-aware trie down: nodes in order, each with data, deletions, or both; what a node's
//! deletions delete of the data at it and below it is left out, so that a trie never shadows itself.

use std::ops::Range;

use super::cursor::DeletionAware;
use super::newest::Newest;
use crate::trie::list::{Entry, List, ListCursor, ListError};
use crate::trie::range::{Covering, RangeCursor, RangeList, RangeListCursor};
use crate::trie::{Cursor, Direction, Position};

/// What a node holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node<T, S> {
    /// Live data.
    pub live: Option<T>,
    /// What is deleted at the node and below it; keys begin at the node.
    pub deletions: Option<RangeList<S>>,
}

/// A deletion-aware trie written down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeletionAwareList<T, S> {
    nodes: List<Node<T, S>>,
    newest: Option<Newest<S>>,
}

/// Why nodes make no trie.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NodesError {
    /// The nodes are no list.
    #[error(transparent)]
    List(#[from] ListError),
    /// Deletions hang below others.
    #[error("the deletions of node {index} hang below those of node {host}")]
    Nested {
        /// Of the lower node, from 0.
        index: usize,
        /// Of the upper node.
        host: usize,
    },
}

impl<T: Clone, S: Covering> DeletionAwareList<T, S> {
    /// Of nodes whose keys ascend. `delete` says what a state leaves of data.
    ///
    /// # Errors
    /// When keys do not ascend, or deletions hang below others.
    pub fn new(
        mut nodes: Vec<Entry<Node<T, S>>>,
        delete: impl Fn(S, T) -> Option<T>,
    ) -> Result<DeletionAwareList<T, S>, NodesError> {
        let mut host: Option<usize> = None;
        for index in 0..nodes.len() {
            let below = |host: &usize| nodes[index].key.starts_with(&nodes[*host].key);
            host = host.filter(below);
            match host {
                Some(host) if nodes[index].content.deletions.is_some() => {
                    return Err(NodesError::Nested { index, host });
                }
                None if nodes[index].content.deletions.is_some() => host = Some(index),
                _ => {}
            }
            if let Some(host) = host {
                let base = nodes[host].key.len();
                let deletions = nodes[host].content.deletions.as_ref();
                let cursor = deletions.map(|list| list.cursor(Direction::Forward));
                let state = cursor.and_then(|cursor| state_at(cursor, &nodes[index].key[base..]));
                let live = nodes[index].content.live.take();
                nodes[index].content.live = match state {
                    Some(state) => live.and_then(|live| delete(state, live)),
                    None => live,
                };
            }
        }
        nodes.retain(|node| node.content.live.is_some() || node.content.deletions.is_some());
        Ok(DeletionAwareList {
            nodes: List::new(nodes)?,
            newest: None,
        })
    }

    /// Knows of every branch the least state that deletes all of it; `deleted_by` says which one deletes a
    /// node's data.
    #[must_use]
    pub fn dated(mut self, deleted_by: impl Fn(&T) -> S) -> Self {
        let nodes = self.nodes.entries().iter();
        let states = nodes.map(|node| node.content.live.as_ref().map(&deleted_by));
        self.newest = Some(Newest::new(states));
        self
    }

    /// Its nodes in the order of their keys.
    #[must_use]
    pub fn nodes(&self) -> &[Entry<Node<T, S>>] {
        self.nodes.entries()
    }

    /// A walk over its live data.
    #[must_use]
    pub fn cursor(&self, direction: Direction) -> DeletionAwareListCursor<'_, T, S> {
        DeletionAwareListCursor {
            nodes: self.nodes.cursor(direction),
            newest: self.newest.as_ref(),
            span: 0..self.nodes.entries().len(),
        }
    }
}

/// What applies to data at a key.
pub(crate) fn state_at<R: RangeCursor>(mut ranges: R, key: &[u8]) -> Option<R::Covering> {
    if ranges.descend_along(key) {
        ranges.applicable()
    } else {
        ranges.preceding()
    }
}

/// A walk over a deletion-aware trie that is written down.
#[derive(Clone)]
pub struct DeletionAwareListCursor<'a, T, S> {
    nodes: ListCursor<'a, Node<T, S>>,
    newest: Option<&'a Newest<S>>,
    /// Of the entries of this walk, in the whole list.
    span: Range<usize>,
}

impl<'a, T: Clone, S: Covering> DeletionAwareListCursor<'a, T, S> {
    fn node(&self) -> Option<&'a Node<T, S>> {
        self.nodes.entry().map(|entry| &entry.content)
    }

    fn flagged(&self, position: Position) -> Position {
        let mut position = position.unflagged();
        if let Some(node) = self.node() {
            if node.live.is_some() {
                position = position.with_content();
            }
            if node.deletions.is_some() {
                position = position.with_branch();
            }
        }
        position
    }

    fn branch_span(&self) -> Range<usize> {
        let branch = self.nodes.branch_span();
        self.span.start + branch.start..self.span.start + branch.end
    }
}

impl<T: Clone, S: Covering> Cursor for DeletionAwareListCursor<'_, T, S> {
    type Content = T;

    fn position(&self) -> Position {
        self.flagged(self.nodes.position())
    }

    fn content(&self) -> Option<T> {
        self.node()?.live.clone()
    }

    fn advance(&mut self) -> Position {
        let position = self.nodes.advance();
        self.flagged(position)
    }

    fn advance_multiple(&mut self, passed: &mut Vec<u8>) -> Position {
        let position = self.nodes.advance_multiple(passed);
        self.flagged(position)
    }

    fn skip_to(&mut self, target: Position) -> Position {
        let position = self.nodes.skip_to(target);
        self.flagged(position)
    }

    fn tail(&self, direction: Direction) -> Self {
        DeletionAwareListCursor {
            nodes: self.nodes.tail(direction),
            newest: self.newest,
            span: self.branch_span(),
        }
    }
}

impl<'a, T: Clone, S: Covering> DeletionAware for DeletionAwareListCursor<'a, T, S> {
    type Deletions = RangeListCursor<'a, S>;

    fn deletion_branch(&self, direction: Direction) -> Option<RangeListCursor<'a, S>> {
        let deletions = self.node()?.deletions.as_ref()?;
        Some(deletions.cursor(direction))
    }

    fn branch_deleted_by(&self) -> Option<S> {
        self.newest?.within(self.branch_span())
    }

    fn all_deleted_by(&self) -> Option<S> {
        self.newest?.within(self.span.clone())
    }
}
