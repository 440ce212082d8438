//! Steps from bytes to a case: keys of one shape; ranges, points and data on them; the bounds of a set.
//!
//! A key is six bits, cut into bytes of one to six bits each, or a few bytes, so that keys begin one another. In
//! the latter shape there are no points, below whose keys nothing may change.

use arbitrary::{Result, Unstructured};
use cenotaph_engine::trie::Direction;
use cenotaph_engine::trie::range::{Place, Range};
use cenotaph_engine::trie::set::Set;

use super::model::{Interval, Model};

/// How many bits each byte of a key has.
const SPLITS: [&[u32]; 5] = [&[6], &[1, 5], &[3, 3], &[2, 2, 2], &[1, 1, 1, 1, 1, 1]];
const BYTES: [u8; 3] = [0x00, 0x01, 0xFF];
const FREE_SIZE_MAX: usize = 3;
const COUNT_MAX: usize = 6;
pub(super) const STATE_MAX: u32 = 9;

/// How keys are drawn.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shape {
    Split(&'static [u32]),
    Free,
}

impl Shape {
    pub(super) fn draw(source: &mut Unstructured<'_>) -> Result<Shape> {
        let index = source.int_in_range(0..=SPLITS.len())?;
        Ok(SPLITS
            .get(index)
            .map_or(Shape::Free, |widths| Shape::Split(widths)))
    }

    /// How many bytes the longest keys have.
    pub(super) fn size_max(self) -> usize {
        match self {
            Shape::Split(widths) => widths.len(),
            Shape::Free => FREE_SIZE_MAX,
        }
    }

    pub(super) fn key(self, source: &mut Unstructured<'_>) -> Result<Vec<u8>> {
        match self {
            Shape::Split(widths) => {
                let number: u8 = source.arbitrary()?;
                let mut left = 6;
                let chunk = |width: &u32| {
                    left -= width;
                    number >> left & ((1 << width) - 1)
                };
                Ok(widths.iter().map(chunk).collect())
            }
            Shape::Free => {
                let size = source.int_in_range(0..=FREE_SIZE_MAX)?;
                (0..size).map(|_| source.choose(&BYTES).copied()).collect()
            }
        }
    }

    fn place(self, source: &mut Unstructured<'_>) -> Result<Place> {
        let mut key = self.key(source)?;
        // Most bounds are at whole keys.
        key.truncate(source.int_in_range(0..=15)?);
        Ok(Place {
            key,
            is_after: source.arbitrary()?,
        })
    }

    fn range(self, source: &mut Unstructured<'_>) -> Result<Range<u32>> {
        let (one, other) = (self.place(source)?, self.place(source)?);
        Ok(Range {
            start: one.clone().min(other.clone()),
            end: one.max(other),
            state: source.int_in_range(1..=STATE_MAX)?,
        })
    }

    pub(super) fn model(self, source: &mut Unstructured<'_>) -> Result<Model> {
        let mut model = Model::default();
        for _ in 0..source.int_in_range(0..=COUNT_MAX)? {
            model.ranges.push(self.range(source)?);
        }
        for _ in 0..source.int_in_range(0..=COUNT_MAX)? {
            let point = (self.key(source)?, source.int_in_range(1..=STATE_MAX)?);
            if matches!(self, Shape::Split(_)) {
                model.points.push(point);
            }
        }
        for _ in 0..source.int_in_range(0..=COUNT_MAX)? {
            let key = self.key(source)?;
            model.live.insert(key, source.int_in_range(1..=STATE_MAX)?);
        }
        Ok(model)
    }

    /// Places by twos, in order.
    pub(super) fn intervals(self, source: &mut Unstructured<'_>) -> Result<Vec<Interval>> {
        let count = 2 * source.int_in_range(0..=COUNT_MAX / 2)?;
        let places: Result<Vec<Place>> = (0..count).map(|_| self.place(source)).collect();
        let mut places = places?;
        places.sort();
        let pairs = places.chunks(2);
        Ok(pairs
            .map(|pair| (pair[0].clone(), pair[1].clone()))
            .collect())
    }
}

/// The set of some intervals.
pub(super) fn set_of(intervals: &[Interval]) -> Set {
    if intervals.is_empty() {
        return Set::empty();
    }
    let bounds = intervals.iter().flat_map(|(start, end)| [start, end]);
    let bounds: Vec<Option<Place>> = bounds.cloned().map(Some).collect();
    Set::of(&bounds).expect("the bounds were sorted")
}

pub(super) fn direction(source: &mut Unstructured<'_>) -> Result<Direction> {
    Ok(match source.arbitrary()? {
        false => Direction::Forward,
        true => Direction::Reverse,
    })
}
