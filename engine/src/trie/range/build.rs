//! Steps of writing ranges down: cut all keys at every edge of a range; in each piece the largest range is in
//! force; points that say no more than that are left out.

use std::collections::BTreeMap;

use super::list::{RangeEntry, RangeList};
use super::marker::{Covering, Marker};
use crate::trie::list::compare_places;

/// Before all keys that begin with a key, or after them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The key.
    pub key: Vec<u8>,
    /// After.
    pub is_after: bool,
}

impl Place {
    /// Before all keys that begin with `key`.
    pub fn before(key: impl Into<Vec<u8>>) -> Place {
        Place {
            key: key.into(),
            is_after: false,
        }
    }

    /// After all keys that begin with `key`.
    pub fn after(key: impl Into<Vec<u8>>) -> Place {
        Place {
            key: key.into(),
            is_after: true,
        }
    }
}

impl PartialOrd for Place {
    fn partial_cmp(&self, other: &Place) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Place {
    fn cmp(&self, other: &Place) -> std::cmp::Ordering {
        compare_places((&self.key, self.is_after), (&other.key, other.is_after))
    }
}

/// All keys between two places, and what covers them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range<S> {
    /// Where it begins.
    pub start: Place,
    /// Where it ends; a range that ends where it begins, or before, covers nothing.
    pub end: Place,
    /// What covers it.
    pub state: S,
}

/// What changes at one place.
struct Edge<S> {
    opens: Vec<S>,
    closes: Vec<S>,
    point: Option<S>,
}

impl<S: Covering> RangeList<S> {
    /// Of any ranges and of points at single keys: in every place the largest that covers it.
    pub fn of(
        ranges: impl IntoIterator<Item = Range<S>>,
        points: impl IntoIterator<Item = (Vec<u8>, S)>,
    ) -> RangeList<S> {
        let entries = sweep(edges(ranges, points));
        RangeList::new(entries).expect("a sweep leaves no gap")
    }
}

fn edges<S: Covering>(
    ranges: impl IntoIterator<Item = Range<S>>,
    points: impl IntoIterator<Item = (Vec<u8>, S)>,
) -> BTreeMap<Place, Edge<S>> {
    let empty = || Edge {
        opens: Vec::new(),
        closes: Vec::new(),
        point: None,
    };
    let mut edges = BTreeMap::new();
    for range in ranges {
        if range.start < range.end {
            let start = edges.entry(range.start).or_insert_with(empty);
            start.opens.push(range.state);
            let end = edges.entry(range.end).or_insert_with(empty);
            end.closes.push(range.state);
        }
    }
    for (key, point) in points {
        let edge = edges.entry(Place::before(key)).or_insert_with(empty);
        edge.point = edge.point.max(Some(point));
    }
    edges
}

fn sweep<S: Covering>(edges: BTreeMap<Place, Edge<S>>) -> Vec<RangeEntry<S>> {
    let mut open: BTreeMap<S, usize> = BTreeMap::new();
    let mut entries = Vec::new();
    let mut left = None;
    for (place, edge) in edges {
        for state in edge.opens {
            *open.entry(state).or_default() += 1;
        }
        for state in edge.closes {
            let count = open.get_mut(&state).expect("what closes has opened");
            *count -= 1;
            if *count == 0 {
                open.remove(&state);
            }
        }
        let right = open.last_key_value().map(|(state, _)| *state);
        let marker = Marker {
            left,
            right,
            point: edge.point.filter(|point| Some(*point) > right),
        };
        if marker.is_change() {
            entries.push(RangeEntry {
                key: place.key,
                is_after: place.is_after,
                marker,
            });
        }
        left = right;
    }
    entries
}
