//! Invariants of merged data: a node is where any source has one; what several hold there goes through the
//! resolver, in no fixed order.

use super::many::Many;
use super::pair::Pair;
use crate::trie::{Cursor, Direction, Position};

/// Two tries as one.
#[derive(Clone)]
pub struct Merge<A, B, F> {
    sources: Parts<A, B>,
    resolve: F,
}

/// Both, or the one that a tail is left with.
#[derive(Clone)]
enum Parts<A, B> {
    Both(Pair<A, B>),
    First(A),
    Second(B),
}

impl<A: Cursor, B: Cursor, F> Merge<A, B, F> {
    /// Of two walks at their roots. What both hold at a node becomes what `resolve` makes of it.
    pub fn new(first: A, second: B, resolve: F) -> Self {
        Merge {
            sources: Parts::Both(Pair::new(first, second)),
            resolve,
        }
    }
}

impl<A: Cursor, B: Cursor, F> Merge<A, B, F> {
    /// The sources that are at this node.
    pub(crate) fn here(&self) -> (Option<&A>, Option<&B>) {
        match &self.sources {
            Parts::First(first) => (Some(first), None),
            Parts::Second(second) => (None, Some(second)),
            Parts::Both(pair) => {
                let (first, second) = pair.at();
                (first.then_some(&pair.first), second.then_some(&pair.second))
            }
        }
    }

    /// The sources that are at this node, to be moved.
    pub(crate) fn here_mut(&mut self) -> (Option<&mut A>, Option<&mut B>) {
        match &mut self.sources {
            Parts::First(first) => (Some(first), None),
            Parts::Second(second) => (None, Some(second)),
            Parts::Both(pair) => {
                let (first, second) = pair.at();
                (
                    first.then_some(&mut pair.first),
                    second.then_some(&mut pair.second),
                )
            }
        }
    }
}

/// Does the same with whichever sources there are.
macro_rules! with_parts {
    ($parts:expr, $sources:ident => $do:expr) => {
        match $parts {
            Parts::Both($sources) => $do,
            Parts::First($sources) => $do,
            Parts::Second($sources) => $do,
        }
    };
}

impl<T, A, B, F> Cursor for Merge<A, B, F>
where
    A: Cursor<Content = T>,
    B: Cursor<Content = T>,
    F: Fn(T, T) -> T + Clone,
{
    type Content = T;

    fn position(&self) -> Position {
        with_parts!(&self.sources, sources => sources.position())
    }

    fn content(&self) -> Option<T> {
        let pair = match &self.sources {
            Parts::Both(pair) => pair,
            Parts::First(first) => return first.content(),
            Parts::Second(second) => return second.content(),
        };
        let (first, second) = pair.at();
        let first = first.then(|| pair.first.content()).flatten();
        let second = second.then(|| pair.second.content()).flatten();
        match (first, second) {
            (Some(first), Some(second)) => Some((self.resolve)(first, second)),
            (first, second) => first.or(second),
        }
    }

    fn advance(&mut self) -> Position {
        with_parts!(&mut self.sources, sources => sources.advance())
    }

    fn advance_multiple(&mut self, passed: &mut Vec<u8>) -> Position {
        with_parts!(&mut self.sources, sources => sources.advance_multiple(passed))
    }

    fn skip_to(&mut self, target: Position) -> Position {
        with_parts!(&mut self.sources, sources => sources.skip_to(target))
    }

    fn tail(&self, direction: Direction) -> Self {
        let sources = match &self.sources {
            Parts::First(first) => Parts::First(first.tail(direction)),
            Parts::Second(second) => Parts::Second(second.tail(direction)),
            Parts::Both(pair) => match pair.tails(direction) {
                (Some(first), Some(second)) => Parts::Both(Pair::new(first, second)),
                (Some(first), None) => Parts::First(first),
                (None, Some(second)) => Parts::Second(second),
                (None, None) => unreachable!("one of the two is where the pair is"),
            },
        };
        Merge {
            sources,
            resolve: self.resolve.clone(),
        }
    }
}

/// Any number of tries as one, one at least.
#[derive(Clone)]
pub struct MergeMany<C, F> {
    sources: Many<C>,
    resolve: F,
}

impl<C: Cursor, F> MergeMany<C, F> {
    /// Of walks at their roots. What several hold at a node becomes what `resolve` makes of it, two at a time.
    ///
    /// # Panics
    /// When there are none.
    pub fn new(sources: impl IntoIterator<Item = C>, resolve: F) -> Self {
        MergeMany {
            sources: Many::new(sources),
            resolve,
        }
    }
}

impl<C, F> MergeMany<C, F> {
    pub(crate) fn sources(&self) -> &Many<C> {
        &self.sources
    }

    pub(crate) fn sources_mut(&mut self) -> &mut Many<C> {
        &mut self.sources
    }
}

impl<C, F> Cursor for MergeMany<C, F>
where
    C: Cursor,
    F: Fn(C::Content, C::Content) -> C::Content + Clone,
{
    type Content = C::Content;

    fn position(&self) -> Position {
        self.sources.position()
    }

    fn content(&self) -> Option<C::Content> {
        let mut merged = None;
        self.sources.each_at(&mut |source| {
            merged = match (merged.take(), source.content()) {
                (Some(merged), Some(content)) => Some((self.resolve)(merged, content)),
                (merged, content) => merged.or(content),
            };
        });
        merged
    }

    fn advance(&mut self) -> Position {
        self.sources.advance()
    }

    fn advance_multiple(&mut self, passed: &mut Vec<u8>) -> Position {
        self.sources.advance_multiple(passed)
    }

    fn skip_to(&mut self, target: Position) -> Position {
        self.sources.skip_to(target)
    }

    fn tail(&self, direction: Direction) -> Self {
        let mut tails = Vec::new();
        self.sources
            .each_at(&mut |source| tails.push(source.tail(direction)));
        MergeMany::new(tails, self.resolve.clone())
    }
}
