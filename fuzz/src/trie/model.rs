//! Invariants of the model: ranges, points and data are plain lists, and whatever is asked of a place is answered
//! by a look at all of them.

use std::collections::{BTreeMap, BTreeSet};

use cenotaph_engine::trie::range::{Marker, Place, Range, RangeList};
use cenotaph_engine::trie::{Direction, Position};

/// What is written: ranges, points at single keys, and data by its times.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    /// Whatever the order; a later state supersedes an earlier one.
    pub ranges: Vec<Range<u32>>,
    /// Deletions of one key each.
    pub points: Vec<(Vec<u8>, u32)>,
    /// Data, deleted or not.
    pub live: BTreeMap<Vec<u8>, u32>,
}

/// What is between two places.
pub(super) type Interval = (Place, Place);

impl Model {
    /// All that several models have.
    #[must_use]
    pub fn together(models: &[Model]) -> Model {
        let mut all = Model::default();
        for model in models {
            all.ranges.extend(model.ranges.iter().cloned());
            all.points.extend(model.points.iter().cloned());
            for (key, time) in &model.live {
                let newest = all.live.get(key).copied();
                all.live.insert(key.clone(), newest.unwrap_or(0).max(*time));
            }
        }
        all
    }

    /// What is in force on both sides of a place, and at its key.
    #[must_use]
    pub fn marker(&self, place: &Place) -> Marker<u32> {
        let newest = |covers: &dyn Fn(&Range<u32>) -> bool| {
            let ranges = self.ranges.iter().filter(|range| covers(range));
            ranges.map(|range| range.state).max()
        };
        let mut marker = Marker::boundary(
            newest(&|range| range.start < *place && *place <= range.end),
            newest(&|range| range.start <= *place && *place < range.end),
        );
        if !place.is_after {
            let points = self.points.iter().filter(|(key, _)| *key == place.key);
            let point = points.map(|(_, state)| *state).max();
            marker.point = point.filter(|_| point > marker.right);
        }
        marker
    }

    /// Every change, in the order of places.
    #[must_use]
    pub fn markers(&self) -> Vec<(Place, Marker<u32>)> {
        let mut places = BTreeSet::new();
        for range in &self.ranges {
            places.extend([range.start.clone(), range.end.clone()]);
        }
        places.extend(
            self.points
                .iter()
                .map(|(key, _)| Place::before(key.clone())),
        );
        let markers = places.into_iter().map(|place| {
            let marker = self.marker(&place);
            (place, marker)
        });
        markers.filter(|(_, marker)| marker.is_change()).collect()
    }

    /// The data at a key, unless it is deleted.
    #[must_use]
    pub fn live_at(&self, key: &[u8]) -> Option<u32> {
        let marker = self.marker(&Place::before(key));
        let time = self.live.get(key).copied()?;
        (Some(time) > marker.point.max(marker.right)).then_some(time)
    }

    /// All data that is not deleted.
    #[must_use]
    pub fn live(&self) -> Vec<(Vec<u8>, u32)> {
        let keys = self.live.keys();
        keys.filter_map(|key| Some((key.clone(), self.live_at(key)?)))
            .collect()
    }

    /// What a walk at the end of `path` leaves behind it, and what it meets there.
    #[must_use]
    pub fn met(&self, path: &[u8], position: Position) -> (Option<u32>, Option<Marker<u32>>) {
        let (first, last) = (
            self.marker(&Place::before(path)),
            self.marker(&Place::after(path)),
        );
        let direction = position.direction();
        let met = match (direction, position.is_return()) {
            (Direction::Forward, false) => first,
            (Direction::Reverse, true) => Marker::boundary(first.left, first.right),
            (Direction::Forward, true) => last,
            (Direction::Reverse, false) => Marker {
                point: first.point,
                ..last
            },
        };
        (met.preceding(direction), met.if_change())
    }

    /// What there is between the places of some intervals.
    pub(super) fn within(&self, intervals: &[Interval]) -> Model {
        let mut cut = Model::default();
        for (start, end) in intervals {
            let ranges = self.ranges.iter().map(|range| Range {
                start: start.max(&range.start).clone(),
                end: end.min(&range.end).clone(),
                state: range.state,
            });
            cut.ranges
                .extend(ranges.filter(|range| range.start < range.end));
            let has = |key: &Vec<u8>| {
                let place = Place::before(key.clone());
                *start <= place && place < *end
            };
            let points = self.points.iter().filter(|(key, _)| has(key));
            cut.points.extend(points.cloned());
            let live = self.live.iter().filter(|(key, _)| has(key));
            cut.live
                .extend(live.map(|(key, time)| (key.clone(), *time)));
        }
        cut
    }

    /// What there is at `key` and below it, by what follows the key.
    pub(super) fn branch(&self, key: &[u8]) -> Model {
        let cut = self.within(&[(Place::before(key), Place::after(key))]);
        let rest = |at: &[u8]| at[key.len()..].to_vec();
        let place = |at: &Place| Place {
            key: rest(&at.key),
            is_after: at.is_after,
        };
        let ranges = cut.ranges.iter().map(|range| Range {
            start: place(&range.start),
            end: place(&range.end),
            state: range.state,
        });
        Model {
            ranges: ranges.collect(),
            points: cut
                .points
                .iter()
                .map(|(at, state)| (rest(at), *state))
                .collect(),
            live: cut
                .live
                .iter()
                .map(|(at, time)| (rest(at), *time))
                .collect(),
        }
    }

    /// Its ranges and points, written down.
    pub(super) fn range_list(&self) -> RangeList<u32> {
        RangeList::of(self.ranges.clone(), self.points.clone())
    }
}
