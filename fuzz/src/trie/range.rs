//! Invariants of ranges: merged by two and by many, cut to a set, below any key, and on any walk, they are what
//! the list of all of them says.

use arbitrary::{Result, Unstructured};
use cenotaph_engine::trie::range::{
    Marker, Place, Range, RangeCursor, RangeMerge, RangeMergeMany, RangeWithin,
};
use cenotaph_engine::trie::verify::VerifiedRange;
use cenotaph_engine::trie::walk::Entries;
use cenotaph_engine::trie::{Cursor, Direction, Position};

use super::draw::{Shape, direction, set_of};
use super::model::{Interval, Model};
use super::moves::walk;

const SOURCES_COUNT_MAX: usize = 4;

/// Draws ranges from a fuzzer's bytes, and holds all that walks show of them against the model.
///
/// # Panics
/// When they break a law.
pub fn range_trie(input: &[u8]) {
    let mut source = Unstructured::new(input);
    let Ok(case) = RangeCase::draw(&mut source) else {
        return;
    };
    for direction in [Direction::Forward, Direction::Reverse] {
        case.judge(&case.answer(direction));
    }
    case.wander();
}

/// Sources of ranges, a set, a key, and a walk.
#[derive(Clone, Debug)]
pub struct RangeCase {
    sources: Vec<Model>,
    intervals: Vec<Interval>,
    key: Vec<u8>,
    begins: Direction,
    moves: Vec<u8>,
}

/// The markers that walks show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RangeAnswer {
    /// Of all sources, merged at once.
    pub merged: Vec<(Place, Marker<u32>)>,
    /// Of the first two, merged as two.
    pub two: Vec<(Place, Marker<u32>)>,
    /// Of all sources, within the set.
    pub cut: Vec<(Place, Marker<u32>)>,
    /// Of all sources below the key, and what is in force there if there is no node.
    pub branch: std::result::Result<Vec<(Place, Marker<u32>)>, Option<u32>>,
}

impl RangeCase {
    /// Draws a case.
    ///
    /// # Errors
    /// The generator's, when it runs dry where it needs a byte.
    pub fn draw(source: &mut Unstructured<'_>) -> Result<RangeCase> {
        let shape = Shape::draw(source)?;
        let count = source.int_in_range(2..=SOURCES_COUNT_MAX)?;
        let sources: Result<Vec<Model>> = (0..count).map(|_| shape.model(source)).collect();
        let mut key = shape.key(source)?;
        key.truncate(source.int_in_range(0..=shape.size_max())?);
        Ok(RangeCase {
            sources: sources?,
            intervals: shape.intervals(source)?,
            key,
            begins: direction(source)?,
            moves: source.bytes(source.len())?.to_vec(),
        })
    }

    /// Two ranges that overlap, the newer one over the end of the older.
    #[must_use]
    pub fn overlap() -> RangeCase {
        let range = |start: u8, end: u8, state| Model {
            ranges: vec![Range {
                start: Place::before([start]),
                end: Place::before([end]),
                state,
            }],
            ..Model::default()
        };
        RangeCase {
            sources: vec![range(2, 6, 3), range(4, 8, 5)],
            intervals: vec![(Place::before([3]), Place::before([7]))],
            key: vec![4],
            begins: Direction::Forward,
            moves: Vec::new(),
        }
    }

    /// What walks in a direction show.
    #[must_use]
    pub fn answer(&self, direction: Direction) -> RangeAnswer {
        let lists: Vec<_> = self.sources.iter().map(Model::range_list).collect();
        let set = set_of(&self.intervals);
        let cursor = |index: usize| VerifiedRange::new(lists[index].cursor(direction));
        let merge = || VerifiedRange::new(RangeMergeMany::new((0..lists.len()).map(cursor)));
        let mut below = merge();
        let branch = if below.descend_along(&self.key) {
            Ok(places(below.tail(self.begins)))
        } else {
            Err(below.preceding())
        };
        RangeAnswer {
            merged: places(merge()),
            two: places(RangeMerge::new(cursor(0), cursor(1))),
            cut: places(RangeWithin::new(merge(), set.cursor(direction))),
            branch,
        }
    }

    /// Objects unless `answer` is what the lists say.
    ///
    /// # Panics
    /// When it is wrong.
    pub fn judge(&self, answer: &RangeAnswer) {
        let whole = Model::together(&self.sources);
        assert_eq!(answer.merged, whole.markers(), "merged: {self:?}");
        let two = Model::together(&self.sources[..2]);
        assert_eq!(answer.two, two.markers(), "two: {self:?}");
        let cut = whole.within(&self.intervals);
        assert_eq!(answer.cut, cut.markers(), "cut: {self:?}");
        let branch = whole.branch(&self.key).markers();
        match &answer.branch {
            Ok(shown) => assert_eq!(*shown, branch, "branch: {self:?}"),
            Err(None) => assert_eq!(branch, [], "branch without a node: {self:?}"),
            Err(covering) => {
                let ends = [
                    (Place::before([]), Marker::boundary(None, *covering)),
                    (Place::after([]), Marker::boundary(*covering, None)),
                ];
                assert_eq!(branch, ends, "branch covered whole: {self:?}");
            }
        }
    }

    /// Walks as the moves say.
    fn wander(&self) {
        let lists: Vec<_> = self.sources.iter().map(Model::range_list).collect();
        let whole = Model::together(&self.sources);
        let cursors = lists.iter().map(|list| list.cursor(self.begins));
        let merge = VerifiedRange::new(RangeMergeMany::new(cursors));
        walk(merge, &self.moves, |cursor, path, position| {
            if position.depth() > 0 {
                let seen = (cursor.preceding(), cursor.content());
                assert_eq!(seen, whole.met(path, position), "at {path:?}: {self:?}");
            }
        });
    }
}

/// The markers of a walk at their places, in the order of keys.
pub(super) fn places<R: RangeCursor<Covering = u32>>(cursor: R) -> Vec<(Place, Marker<u32>)> {
    let mut entries = Entries::new(VerifiedRange::new(cursor));
    let mut found = Vec::new();
    while let Some(marker) = entries.next_content() {
        let (position, key) = (entries.cursor().position(), entries.path().to_vec());
        found.extend(placed(key, position, marker));
    }
    found.sort_by(|(left, _), (right, _)| left.cmp(right));
    found.dedup_by(|(later, rest), (place, marker)| {
        let is_same = later == place;
        if is_same {
            // A descending walk meets a point before the boundary at its place.
            marker.point = marker.point.max(rest.point);
            let sides = if rest.point.is_some() { *marker } else { *rest };
            (marker.left, marker.right) = (sides.left, sides.right);
        }
        is_same
    });
    found
}

/// What a marker says of the places before and after a key.
fn placed(key: Vec<u8>, position: Position, marker: Marker<u32>) -> Vec<(Place, Marker<u32>)> {
    let is_forward = position.direction() == Direction::Forward;
    let is_after = position.is_return() == is_forward;
    if is_forward || marker.point.is_none() {
        return vec![(Place { key, is_after }, marker)];
    }
    let point = Marker {
        point: marker.point,
        ..Marker::covering(marker.left)
    };
    let sides = Marker::boundary(marker.left, marker.right);
    let mut found = vec![(Place::before(key.clone()), point)];
    found.extend(
        sides
            .if_change()
            .map(|sides| (Place { key, is_after }, sides)),
    );
    found
}
