//! Invariants of deletion-aware tries: merged by two and by many, their live data, their deletions and both as one
//! are what the lists say; so is what a slice leaves of them, what lies below any key, what is met on any walk,
//! and what is live once deletions are no longer issued.

use std::collections::{BTreeMap, BTreeSet};

use arbitrary::{Result, Unstructured};
use cenotaph_engine::trie::deletion_aware::merge::{Branches, ManySources, Merged};
use cenotaph_engine::trie::deletion_aware::{
    DeletionAware, DeletionAwareList, DeletionAwareListCursor, DeletionsOnly, LiveAndDeletions,
    LiveOnly, Node, applicable_deletion, tail_at,
};
use cenotaph_engine::trie::list::Entry;
use cenotaph_engine::trie::range::{Marker, Place, RangeCursor};
use cenotaph_engine::trie::set::Within;
use cenotaph_engine::trie::verify::{Verified, VerifiedDeletionAware};
use cenotaph_engine::trie::walk::Entries;
use cenotaph_engine::trie::{Cursor, Direction};

use super::draw::{Shape, direction, set_of};
use super::model::{Interval, Model};
use super::moves::walk;
use super::range::places;

const SOURCES_COUNT_MAX: usize = 4;

type List = DeletionAwareList<u32, u32>;
type Watched<'a> = VerifiedDeletionAware<DeletionAwareListCursor<'a, u32, u32>>;
type Resolve = fn(u32, u32) -> u32;
type Delete = fn(u32, u32) -> Option<u32>;
type Many<'a> = Merged<ManySources<Watched<'a>, Resolve>, Delete>;

/// Draws deletion-aware tries from a fuzzer's bytes, and holds all that walks show of them against the model.
///
/// # Panics
/// When they break a law.
pub fn deletion_aware_merge(input: &[u8]) {
    let mut source = Unstructured::new(input);
    let Ok(case) = MergeCase::draw(&mut source) else {
        return;
    };
    for direction in [Direction::Forward, Direction::Reverse] {
        case.judge(&case.answer(direction));
    }
    case.wander();
}

/// Tries to merge, a set, a key, and a walk.
#[derive(Clone, Debug)]
pub struct MergeCase {
    /// What each has, after what it deletes of its own.
    models: Vec<Model>,
    lists: Vec<List>,
    branches: Branches,
    intervals: Vec<Interval>,
    key: Vec<u8>,
    begins: Direction,
    /// After how many items a view stops issuing deletions.
    stop: usize,
    moves: Vec<u8>,
}

/// Live data and deletions.
type Shown = (Vec<(Vec<u8>, u32)>, Vec<(Place, Marker<u32>)>);

/// What walks show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MergeAnswer {
    /// Of all tries, merged at once.
    pub merged: Shown,
    /// Of the first two, merged as two.
    pub two: Shown,
    /// Of all tries, within the set.
    pub cut: Shown,
    /// Of all tries, below the key.
    pub branch: Shown,
    /// What applies to data at the key.
    pub applicable: Option<u32>,
    /// The live data of the view of both that no longer issues deletions, from there on.
    pub rest: Vec<(Vec<u8>, u32)>,
    /// How many live items it had issued by then, and its direction.
    pub issued: (usize, Direction),
}

fn delete(state: u32, time: u32) -> Option<u32> {
    (time > state).then_some(time)
}

/// A trie whose deletions hang on nodes `depth` bytes down, and what is in it: what has no such node is left out.
fn list(model: &Model, depth: usize, is_dated: bool) -> (List, Model) {
    let keys = model
        .live
        .keys()
        .chain(model.points.iter().map(|(key, _)| key));
    let ends = model
        .ranges
        .iter()
        .flat_map(|range| [&range.start.key, &range.end.key]);
    let hosts: BTreeSet<&[u8]> = keys
        .chain(ends)
        .filter_map(|key| key.get(..depth))
        .collect();
    let mut kept = Model {
        live: model.live.clone(),
        ..Model::default()
    };
    let node = |live, deletions| Node { live, deletions };
    let data = model.live.iter();
    let mut nodes: BTreeMap<Vec<u8>, Node<u32, u32>> = data
        .map(|(key, time)| (key.clone(), node(Some(*time), None)))
        .collect();
    for host in hosts {
        let cut = model.within(&[(Place::before(host), Place::after(host))]);
        let deletions = model.branch(host).range_list();
        nodes
            .entry(host.to_vec())
            .or_insert(node(None, None))
            .deletions = Some(deletions);
        kept.ranges.extend(cut.ranges);
        kept.points.extend(cut.points);
    }
    kept.live = kept.live().into_iter().collect();
    let nodes = nodes.into_iter().map(|(key, node)| Entry::new(key, node));
    let list = DeletionAwareList::new(nodes.collect(), delete);
    let list = list.expect("all hosts are at one depth");
    (
        if is_dated {
            list.dated(|time| *time)
        } else {
            list
        },
        kept,
    )
}

/// What a walk shows, by all its views, which must agree.
fn shown<C>(walk: impl Fn() -> C) -> Shown
where
    C: DeletionAware<Content = u32, Deletions: RangeCursor<Covering = u32>>,
{
    let watched = || VerifiedDeletionAware::new(walk());
    let live: Vec<_> = Entries::new(watched()).collect();
    let view: Vec<_> = Entries::new(Verified::new(LiveAndDeletions::new(watched()))).collect();
    let in_view = view
        .iter()
        .filter_map(|(key, mixed)| Some((key.clone(), mixed.live?)));
    assert!(
        in_view.eq(live.iter().cloned()),
        "the view of both has other data"
    );
    let alone = Entries::new(Verified::new(LiveOnly::new(watched())));
    assert!(
        alone.eq(live.iter().cloned()),
        "the live side has other data"
    );
    let markers = view
        .iter()
        .filter(|(_, mixed)| mixed.marker.is_some())
        .count();
    let deletions: Vec<_> = Entries::new(DeletionsOnly::new(watched())).collect();
    assert_eq!(
        markers,
        deletions.len(),
        "the view of both has other deletions"
    );
    let mut live = live;
    live.sort_unstable();
    (live, places(DeletionsOnly::new(watched())))
}

impl MergeCase {
    /// Draws a case.
    ///
    /// # Errors
    /// The generator's, when it runs dry where it needs a byte.
    pub fn draw(source: &mut Unstructured<'_>) -> Result<MergeCase> {
        let shape = Shape::draw(source)?;
        let is_fixed: bool = source.arbitrary()?;
        let depth = |source: &mut Unstructured<'_>| source.int_in_range(0..=shape.size_max());
        let common = depth(source)?;
        let mut built = Vec::new();
        for _ in 0..source.int_in_range(2..=SOURCES_COUNT_MAX)? {
            let own = depth(source)?;
            let is_dated = source.arbitrary()?;
            let model = shape.model(source)?;
            built.push(list(&model, if is_fixed { common } else { own }, is_dated));
        }
        let mut key = shape.key(source)?;
        key.truncate(depth(source)?);
        let intervals = shape.intervals(source)?;
        let (begins, stop) = (direction(source)?, source.int_in_range(0..=15)?);
        let moves = source.bytes(source.len())?.to_vec();
        let branches = if is_fixed {
            Branches::Fixed
        } else {
            Branches::Anywhere
        };
        Ok(MergeCase::of(
            built,
            branches,
            (intervals, key, begins, stop, moves),
        ))
    }

    fn of(
        built: Vec<(List, Model)>,
        branches: Branches,
        (intervals, key, begins, stop, moves): (Vec<Interval>, Vec<u8>, Direction, usize, Vec<u8>),
    ) -> MergeCase {
        let (lists, models) = built.into_iter().unzip();
        MergeCase {
            models,
            lists,
            branches,
            intervals,
            key,
            begins,
            stop,
            moves,
        }
    }

    /// Three rows, and a range of another trie that deletes the first of them.
    #[must_use]
    pub fn one_deleted() -> MergeCase {
        let live = [(vec![1], 3), (vec![2], 3), (vec![3], 8)];
        let data = Model {
            live: live.into_iter().collect(),
            ..Model::default()
        };
        let range = cenotaph_engine::trie::range::Range {
            start: Place::before([0]),
            end: Place::before([2]),
            state: 5,
        };
        let deleting = Model {
            ranges: vec![range],
            ..Model::default()
        };
        let built = vec![list(&data, 0, false), list(&deleting, 0, true)];
        let intervals = vec![(Place::before([1]), Place::after([2]))];
        MergeCase::of(
            built,
            Branches::Fixed,
            (intervals, vec![1], Direction::Forward, 1, Vec::new()),
        )
    }

    fn many(&self, direction: Direction) -> Many<'_> {
        let lists = self.lists.iter();
        let walks = lists.map(|list| VerifiedDeletionAware::new(list.cursor(direction)));
        let (resolve, delete): (Resolve, Delete) = (u32::max, delete);
        Merged::of_many(walks, self.branches, resolve, delete)
    }

    /// What walks in a direction show.
    #[must_use]
    pub fn answer(&self, direction: Direction) -> MergeAnswer {
        let set = set_of(&self.intervals);
        let two = || {
            let watched =
                |index: usize| VerifiedDeletionAware::new(self.lists[index].cursor(direction));
            Merged::of_two(watched(0), watched(1), self.branches, u32::max, delete)
        };
        let tail = tail_at(self.many(direction), &self.key, self.begins, true);
        let view = LiveAndDeletions::new(self.many(direction));
        let mut view = Entries::new(Verified::new(view));
        let before = view.by_ref().take(self.stop);
        let issued = before.filter(|(_, mixed)| mixed.live.is_some()).count();
        view.cursor_mut().inner_mut().stop_issuing_deletions();
        let rest = view.map(|(key, mixed)| {
            assert!(mixed.marker.is_none(), "a deletion is issued: {self:?}");
            (key, mixed.live.expect("it holds something"))
        });
        MergeAnswer {
            merged: shown(|| self.many(direction)),
            two: shown(two),
            cut: shown(|| Within::slice(self.many(direction), set.cursor(direction))),
            branch: tail.map_or((Vec::new(), Vec::new()), |tail| {
                shown(|| tail.tail(direction))
            }),
            applicable: applicable_deletion(self.many(direction), &self.key),
            rest: rest.collect(),
            issued: (issued, direction),
        }
    }

    /// Objects unless `answer` is what the lists say.
    ///
    /// # Panics
    /// When it is wrong.
    pub fn judge(&self, answer: &MergeAnswer) {
        let expected = |model: &Model| (model.live(), model.markers());
        let whole = Model::together(&self.models);
        assert_eq!(answer.merged, expected(&whole), "merged: {self:?}");
        let two = Model::together(&self.models[..2]);
        assert_eq!(answer.two, expected(&two), "two: {self:?}");
        let cut = whole.within(&self.intervals);
        assert_eq!(answer.cut, expected(&cut), "cut: {self:?}");
        let branch = whole.branch(&self.key);
        assert_eq!(answer.branch, expected(&branch), "branch: {self:?}");
        let here = whole.marker(&Place::before(self.key.clone()));
        let applicable = here.point.max(here.right);
        assert_eq!(answer.applicable, applicable, "applicable: {self:?}");
        let (issued, direction) = answer.issued;
        let all: Vec<_> = Entries::new(self.many(direction)).collect();
        assert_eq!(answer.rest, all[issued..], "after a stop: {self:?}");
    }

    /// Walks as the moves say.
    fn wander(&self) {
        let whole = Model::together(&self.models);
        let merged = VerifiedDeletionAware::new(self.many(self.begins));
        walk(merged, &self.moves, |cursor, path, _| {
            assert_eq!(
                cursor.content(),
                whole.live_at(path),
                "at {path:?}: {self:?}"
            );
        });
        let view = Verified::new(LiveAndDeletions::new(self.many(self.begins)));
        walk(view, &self.moves, |cursor, path, position| {
            let seen = cursor.content();
            let live = whole.live_at(path).filter(|_| !position.is_return());
            assert_eq!(
                seen.and_then(|mixed| mixed.live),
                live,
                "at {path:?}: {self:?}"
            );
            if position.depth() > 0 {
                let (_, marker) = whole.met(path, position);
                assert_eq!(
                    seen.and_then(|mixed| mixed.marker),
                    marker,
                    "at {path:?}: {self:?}"
                );
            }
        });
    }
}
