//! Steps of drawing a case: keys of one shape, then ranges, points and data on them.
//!
//! A key is a number of six bits, cut into bytes of one to six bits each, so that one number is a path through six
//! levels of two children, or one level of sixty-four; or it is any few bytes, so that keys begin one another.

use cenotaph_engine::trie::Direction;
use cenotaph_engine::trie::range::{Place, Range};
use proptest::prelude::*;

use super::model::Model;

/// How keys are made of numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shape {
    /// Bytes of so many bits each.
    Split(&'static [u32]),
    /// Up to three bytes of few values.
    Free,
}

pub(crate) const ALL_SHAPES: [Shape; 6] = [
    Shape::Split(&[6]),
    Shape::Split(&[1, 5]),
    Shape::Split(&[3, 3]),
    Shape::Split(&[2, 2, 2]),
    Shape::Split(&[1, 1, 1, 1, 1, 1]),
    Shape::Free,
];

impl Shape {
    /// The key of a number below 64.
    pub(crate) fn key(self, number: u8) -> Vec<u8> {
        match self {
            Shape::Split(widths) => {
                let mut left = 6;
                let chunk = |width: &u32| {
                    left -= width;
                    number >> left & ((1_u8 << width) - 1)
                };
                widths.iter().map(chunk).collect()
            }
            Shape::Free => {
                let bytes = [0x00, 0x01, 0xFF];
                let digits = [number % 3, number / 3 % 3, number / 9 % 3];
                let size = usize::from(number) % 4;
                let digits = digits.iter().take(size);
                digits.map(|digit| bytes[usize::from(*digit)]).collect()
            }
        }
    }

    /// A place at a key, or at what it begins with.
    fn place(self, number: u8, cut: usize, is_after: bool) -> Place {
        let mut key = self.key(number);
        key.truncate(cut);
        Place { key, is_after }
    }
}

/// Sources whose keys have one shape.
#[derive(Clone, Debug)]
pub(crate) struct World {
    pub(crate) shape: Shape,
    pub(crate) sources: Vec<Model>,
}

impl World {
    pub(crate) fn whole(&self) -> Model {
        Model::together(&self.sources)
    }
}

type RawPlace = (u8, usize, bool);

fn raw_place() -> impl Strategy<Value = RawPlace> {
    let cut = prop_oneof![3 => Just(6_usize), 1 => 0_usize..6];
    (0_u8..64, cut, any::<bool>())
}

fn any_source(shape: Shape) -> impl Strategy<Value = Model> {
    let range = (raw_place(), raw_place(), 1_u32..10);
    let points = match shape {
        Shape::Split(_) => 0..5,
        Shape::Free => 0..1,
    };
    (
        prop::collection::vec(range, 0..5),
        prop::collection::vec((0_u8..64, 1_u32..10), points),
        prop::collection::vec((0_u8..64, 1_u32..10), 0..8),
    )
        .prop_map(move |(ranges, points, live)| {
            let place = |(number, cut, is_after): RawPlace| shape.place(number, cut, is_after);
            let range = |(one, other, state)| {
                let (one, other) = (place(one), place(other));
                Range {
                    start: one.clone().min(other.clone()),
                    end: one.max(other),
                    state,
                }
            };
            let keyed = |(number, state)| (shape.key(number), state);
            Model {
                ranges: ranges.into_iter().map(range).collect(),
                points: points.into_iter().map(keyed).collect(),
                live: live.into_iter().map(keyed).collect(),
            }
        })
}

pub(crate) fn any_world(count: std::ops::RangeInclusive<usize>) -> impl Strategy<Value = World> {
    prop::sample::select(&ALL_SHAPES[..]).prop_flat_map(move |shape| {
        let sources = prop::collection::vec(any_source(shape), count.clone());
        sources.prop_map(move |sources| World { shape, sources })
    })
}

/// Some intervals of a set, in order and apart, as bounds; drawn on numbers below 64.
pub(crate) fn any_intervals() -> impl Strategy<Value = Vec<RawPlace>> {
    prop::collection::vec(raw_place(), 0..6)
}

/// The bounds of intervals on keys of a shape, an even number of places that ascend.
pub(crate) fn bounds(shape: Shape, raw: &[RawPlace]) -> Vec<Place> {
    let mut places: Vec<Place> = raw
        .iter()
        .map(|(number, cut, is_after)| shape.place(*number, *cut, *is_after))
        .collect();
    places.sort();
    places.truncate(places.len() / 2 * 2);
    places
}

/// Bounds by twos.
pub(crate) fn intervals(bounds: &[Place]) -> Vec<(Place, Place)> {
    let pairs = bounds.chunks(2);
    pairs
        .map(|pair| (pair[0].clone(), pair[1].clone()))
        .collect()
}

pub(crate) fn any_direction() -> impl Strategy<Value = Direction> {
    prop::sample::select(&[Direction::Forward, Direction::Reverse][..])
}
