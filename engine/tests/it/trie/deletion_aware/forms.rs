//! Steps of a case: write sources down, merge them in every order, by twos and all at once, both ways, and look at
//! the live side, the deletions, and both together.

use cenotaph_engine::trie::deletion_aware::merge::{Branches, ManySources, Merged, TwoSources};
use cenotaph_engine::trie::deletion_aware::{
    DeletionAware, DeletionAwareList, DeletionAwareListCursor, DeletionsOnly, LiveAndDeletions,
    LiveOnly, Node, StateOf,
};
use cenotaph_engine::trie::list::Entry;
use cenotaph_engine::trie::range::{Marker, RangeCursor, RangeList};
use cenotaph_engine::trie::verify::VerifiedDeletionAware;
use cenotaph_engine::trie::{Cursor, Direction, Position};

use crate::trie::support::{both, entries, orders, ranges};

pub(crate) type Source = DeletionAwareList<u32, u32>;
pub(crate) type Walk<'a> = DeletionAwareListCursor<'a, u32, u32>;

/// What a deletion leaves of data.
pub(crate) fn delete(state: u32, live: u32) -> Option<u32> {
    (live > state).then_some(live)
}

/// Live data in words `d@3`, and deletions that hang on the root.
pub(crate) fn source(live: &str, deletions: &str) -> Source {
    source_at(live, &[("", deletions)])
}

/// Live data, and deletions that hang on nodes, whose keys begin there.
pub(crate) fn source_at(live: &str, branches: &[(&str, &str)]) -> Source {
    let mut nodes = std::collections::BTreeMap::new();
    for word in live.split_whitespace() {
        let (key, time) = word.split_once('@').expect("data has a time");
        let time = time.parse().expect("a time is a number");
        nodes.insert(key.as_bytes().to_vec(), node(Some(time), None));
    }
    for (host, deletions) in branches {
        if !deletions.is_empty() {
            let at = nodes.entry(host.as_bytes().to_vec());
            at.or_insert(node(None, None)).deletions = Some(ranges(deletions));
        }
    }
    let nodes = nodes.into_iter().map(|(key, node)| Entry::new(key, node));
    DeletionAwareList::new(nodes.collect(), delete).expect("the test's nodes are in order")
}

fn node(live: Option<u32>, deletions: Option<RangeList<u32>>) -> Node<u32, u32> {
    Node { live, deletions }
}

/// Data in words.
pub(crate) fn live_text(entries: &[(String, u32)]) -> String {
    let words = entries.iter().map(|(key, time)| format!("{key}@{time}"));
    words.collect::<Vec<_>>().join(" ")
}

/// Live data and deletions of a walk that is made either way: `live | deletions`. The views of both together,
/// and of the live side alone, agree with that.
pub(crate) fn shown<C>(walk: impl Fn(Direction) -> C) -> String
where
    C: DeletionAware<Content = u32>,
    C::Deletions: RangeCursor<Covering = u32>,
{
    let deletions =
        both(|direction| DeletionsOnly::new(VerifiedDeletionAware::new(walk(direction))));
    let mut lives = Vec::new();
    for direction in [Direction::Forward, Direction::Reverse] {
        let walk = || VerifiedDeletionAware::new(walk(direction));
        let mut live = entries(walk());
        assert_eq!(entries(LiveOnly::new(walk())), live);
        assert_eq!(
            entries(LiveAndDeletions::new(walk()).into_live_only()),
            live
        );
        let mixed = entries(LiveAndDeletions::new(walk()));
        let mixed = mixed.into_iter();
        let in_mixed: Vec<_> = mixed.filter_map(|(key, m)| Some((key, m.live?))).collect();
        assert_eq!(in_mixed, live);
        live.sort_unstable();
        lives.push(live_text(&live));
    }
    assert_eq!(lives[0], lives[1], "descending");
    let mixed = both(|direction| MarkersOf(LiveAndDeletions::new(walk(direction))));
    assert_eq!(mixed, deletions, "in the view of both");
    format!("{} | {deletions}", lives[0])
}

/// The deletions that a view of both shows, as a walk over ranges.
struct MarkersOf<C: DeletionAware>(LiveAndDeletions<C>);

impl<C: DeletionAware> Cursor for MarkersOf<C> {
    type Content = Marker<StateOf<C>>;

    fn position(&self) -> Position {
        self.0.position()
    }

    fn content(&self) -> Option<Self::Content> {
        self.0.content()?.marker
    }

    fn advance(&mut self) -> Position {
        self.0.advance()
    }

    fn skip_to(&mut self, target: Position) -> Position {
        self.0.skip_to(target)
    }

    fn tail(&self, direction: Direction) -> Self {
        MarkersOf(self.0.tail(direction))
    }
}

impl<C: DeletionAware> RangeCursor for MarkersOf<C> {
    type Covering = StateOf<C>;

    fn preceding(&self) -> Option<StateOf<C>> {
        self.0.preceding_deletion()
    }
}

type Resolve = fn(u32, u32) -> u32;
type Delete = fn(u32, u32) -> Option<u32>;
type Watched<'a> = VerifiedDeletionAware<Walk<'a>>;
pub(crate) type Many<'a> = Merged<ManySources<Watched<'a>, Resolve>, Delete>;
pub(crate) type Two<'a> = Merged<TwoSources<Watched<'a>, Watched<'a>, Resolve>, Delete>;

/// A merge of all sources at once.
pub(crate) fn many<'a>(
    sources: &[&'a Source],
    branches: Branches,
    direction: Direction,
) -> Many<'a> {
    let walks: Vec<_> = sources
        .iter()
        .map(|source| VerifiedDeletionAware::new(source.cursor(direction)))
        .collect();
    Merged::of_many(walks, branches, u32::max as Resolve, delete as Delete)
}

/// A merge of two.
pub(crate) fn two<'a>(
    first: &'a Source,
    second: &'a Source,
    branches: Branches,
    direction: Direction,
) -> Two<'a> {
    let watched = |source: &'a Source| VerifiedDeletionAware::new(source.cursor(direction));
    Merged::of_two(
        watched(first),
        watched(second),
        branches,
        u32::max as Resolve,
        delete as Delete,
    )
}

/// What sources are together, the same in every order and grouping.
pub(crate) fn merged(sources: &[&Source], branches: Branches) -> String {
    let whole = shown(|direction| many(sources, branches, direction));
    for order in orders(sources) {
        assert_eq!(shown(|direction| many(&order, branches, direction)), whole);
        if let [first, second] = order[..] {
            assert_eq!(shown(|d| two(first, second, branches, d)), whole);
        }
        if let [first, second, third] = order[..] {
            let left = |d| {
                let pair = VerifiedDeletionAware::new(two(first, second, branches, d));
                Merged::of_two(pair, third.cursor(d), branches, u32::max, delete)
            };
            assert_eq!(shown(left), whole);
            let right = |d| {
                let pair = VerifiedDeletionAware::new(two(second, third, branches, d));
                Merged::of_two(first.cursor(d), pair, branches, u32::max, delete)
            };
            assert_eq!(shown(right), whole);
        }
    }
    whole
}

/// The same for sources whose deletions hang on their roots.
pub(crate) fn merged_at_root(sources: &[(&str, &str)]) -> String {
    let sources: Vec<_> = sources.iter().map(|(live, d)| source(live, d)).collect();
    let sources: Vec<_> = sources.iter().collect();
    let whole = merged(&sources, Branches::Anywhere);
    assert_eq!(merged(&sources, Branches::Fixed), whole);
    whole
}
