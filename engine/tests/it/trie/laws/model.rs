//! Invariants of the model: ranges and data as plain lists, and at every place a look at all of them.

use std::collections::{BTreeMap, BTreeSet};

use cenotaph_engine::trie::list::{Entry, List};
use cenotaph_engine::trie::range::{Marker, Place, Range, RangeList};

/// Ranges, points, and data with its times.
#[derive(Clone, Debug, Default)]
pub(crate) struct Model {
    pub(crate) ranges: Vec<Range<u32>>,
    pub(crate) points: Vec<(Vec<u8>, u32)>,
    pub(crate) live: BTreeMap<Vec<u8>, u32>,
}

impl Model {
    /// All of several, of which none has deleted from another yet.
    pub(crate) fn together<'a>(models: impl IntoIterator<Item = &'a Model>) -> Model {
        let mut all = Model::default();
        for model in models {
            all.ranges.extend(model.ranges.iter().cloned());
            all.points.extend(model.points.iter().cloned());
            for (key, time) in &model.live {
                let at = all.live.entry(key.clone()).or_default();
                *at = (*at).max(*time);
            }
        }
        all
    }

    /// What is in force just before a place.
    pub(crate) fn left(&self, place: &Place) -> Option<u32> {
        let covers = |range: &&Range<u32>| range.start < *place && *place <= range.end;
        self.ranges
            .iter()
            .filter(covers)
            .map(|range| range.state)
            .max()
    }

    /// What is in force just after a place.
    pub(crate) fn right(&self, place: &Place) -> Option<u32> {
        let covers = |range: &&Range<u32>| range.start <= *place && *place < range.end;
        self.ranges
            .iter()
            .filter(covers)
            .map(|range| range.state)
            .max()
    }

    /// What applies to data at a key.
    pub(crate) fn applicable(&self, key: &[u8]) -> Option<u32> {
        self.point(key).max(self.right(&Place::before(key)))
    }

    fn point(&self, key: &[u8]) -> Option<u32> {
        let here = self.points.iter().filter(|(at, _)| at == key);
        here.map(|(_, state)| *state).max()
    }

    /// Every place at which something changes, and what.
    pub(crate) fn markers(&self) -> Vec<(Place, Marker<u32>)> {
        let ends = self.ranges.iter();
        let mut places: BTreeSet<Place> = ends.clone().map(|range| range.start.clone()).collect();
        places.extend(ends.map(|range| range.end.clone()));
        places.extend(
            self.points
                .iter()
                .map(|(key, _)| Place::before(key.clone())),
        );
        let marker = |place: Place| {
            let mut marker = Marker::boundary(self.left(&place), self.right(&place));
            if !place.is_after {
                marker.point = self.point(&place.key).filter(|p| Some(*p) > marker.right);
            }
            marker.is_change().then_some((place, marker))
        };
        places.into_iter().filter_map(marker).collect()
    }

    /// The data that is not deleted.
    pub(crate) fn live(&self) -> Vec<(Vec<u8>, u32)> {
        let live = self.live.iter();
        live.filter(|(key, time)| Some(**time) > self.applicable(key))
            .map(|(key, time)| (key.clone(), *time))
            .collect()
    }

    /// What is within the intervals of a set.
    pub(crate) fn within(&self, set: &[(Place, Place)]) -> Model {
        let mut cut = Model::default();
        for (start, end) in set {
            for range in &self.ranges {
                cut.ranges.push(Range {
                    start: range.start.clone().max(start.clone()),
                    end: range.end.clone().min(end.clone()),
                    state: range.state,
                });
            }
            let is_in = |key: &[u8]| {
                let place = Place::before(key);
                *start <= place && place < *end
            };
            let points = self.points.iter().filter(|(key, _)| is_in(key));
            cut.points.extend(points.cloned());
            let live = self.live.iter().filter(|(key, _)| is_in(key));
            cut.live
                .extend(live.map(|(key, time)| (key.clone(), *time)));
        }
        cut
    }

    /// What is at a key and below it, with keys that begin there.
    pub(crate) fn branch(&self, key: &[u8]) -> Model {
        let mut branch = self.within(&[(Place::before(key), Place::after(key))]);
        branch.ranges.retain(|range| range.start < range.end);
        for range in &mut branch.ranges {
            range.start.key.drain(..key.len());
            range.end.key.drain(..key.len());
        }
        for (at, _) in &mut branch.points {
            at.drain(..key.len());
        }
        let live = std::mem::take(&mut branch.live).into_iter();
        branch.live = live
            .map(|(at, time)| (at[key.len()..].to_vec(), time))
            .collect();
        branch
    }

    pub(crate) fn range_list(&self) -> RangeList<u32> {
        RangeList::of(self.ranges.clone(), self.points.clone())
    }

    /// Its data alone.
    pub(crate) fn list(&self) -> List<u32> {
        let entries = self
            .live
            .iter()
            .map(|(key, time)| Entry::new(key.clone(), *time));
        List::new(entries.collect()).expect("keys of a map ascend")
    }
}
