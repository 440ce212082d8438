//! Invariants tests of watched walks: each promise that a walk breaks is noticed.

use cenotaph_engine::trie::deletion_aware::DeletionAware;
use cenotaph_engine::trie::range::{Marker, RangeCursor};
use cenotaph_engine::trie::verify::{Verified, VerifiedDeletionAware, VerifiedRange};
use cenotaph_engine::trie::{Cursor, Direction, Position};

/// A walk that says what a test has written down, whatever it is asked.
#[derive(Clone)]
struct Script<T> {
    stops: Vec<Stop<T>>,
    index: usize,
    passes: &'static [u8],
}

#[derive(Clone)]
struct Stop<T> {
    position: Position,
    content: Option<T>,
    preceding: Option<u32>,
    branch: Option<Script<Marker<u32>>>,
}

fn stop<T>(position: Position) -> Stop<T> {
    Stop {
        position,
        content: None,
        preceding: None,
        branch: None,
    }
}

fn held<T>(position: Position, content: T) -> Stop<T> {
    Stop {
        content: Some(content),
        ..stop(position.with_content())
    }
}

/// A marker, and what is in force before it.
fn marked(position: Position, left: Option<u32>, right: Option<u32>) -> Stop<Marker<u32>> {
    Stop {
        preceding: left,
        ..held(position, Marker::boundary(left, right))
    }
}

fn script<T>(stops: impl Into<Vec<Stop<T>>>) -> Script<T> {
    Script {
        stops: stops.into(),
        index: 0,
        passes: &[],
    }
}

impl<T> Script<T> {
    fn here(&self) -> &Stop<T> {
        &self.stops[self.index]
    }
}

impl<T: Clone> Cursor for Script<T> {
    type Content = T;

    fn position(&self) -> Position {
        self.here().position
    }

    fn content(&self) -> Option<T> {
        self.here().content.clone()
    }

    fn advance(&mut self) -> Position {
        self.index += 1;
        self.position()
    }

    fn advance_multiple(&mut self, passed: &mut Vec<u8>) -> Position {
        passed.extend_from_slice(self.passes);
        self.advance()
    }

    fn skip_to(&mut self, _target: Position) -> Position {
        self.advance()
    }

    fn tail(&self, _direction: Direction) -> Self {
        self.clone()
    }
}

impl RangeCursor for Script<Marker<u32>> {
    type Covering = u32;

    fn preceding(&self) -> Option<u32> {
        self.here().preceding
    }
}

impl DeletionAware for Script<u32> {
    type Deletions = Script<Marker<u32>>;

    fn deletion_branch(&self, _direction: Direction) -> Option<Self::Deletions> {
        self.here().branch.clone()
    }
}

fn root() -> Position {
    Position::root(Direction::Forward)
}

fn node(depth: u32, byte: u8) -> Position {
    Position::node(depth, byte, Direction::Forward)
}

fn end() -> Position {
    Position::exhausted(Direction::Forward)
}

/// A watched walk over positions at which nothing is held.
fn watched(positions: &[Position]) -> Verified<Script<u32>> {
    let stops: Vec<_> = positions.iter().map(|position| stop(*position)).collect();
    Verified::new(script(stops))
}

#[test]
fn a_sound_walk_is_left_alone() {
    let mut walk = watched(&[
        root(),
        node(1, b'a'),
        node(2, b'a'),
        node(1, b'a').on_return(),
        node(1, b'b'),
        end(),
    ]);
    for _ in 0..5 {
        walk.advance();
    }
    assert!(walk.position().is_exhausted());
}

#[test]
#[should_panic(expected = "a walk begins at")]
fn a_walk_that_begins_elsewhere_is_noticed() {
    watched(&[node(1, b'a')]);
}

#[test]
#[should_panic(expected = "not beyond")]
fn a_walk_that_goes_back_is_noticed() {
    let mut walk = watched(&[root(), node(1, b'b'), node(1, b'a')]);
    walk.advance();
    walk.advance();
}

#[test]
#[should_panic(expected = "not beyond")]
fn a_walk_that_visits_a_node_again_is_noticed() {
    let mut walk = watched(&[root(), node(1, b'b'), node(2, b'x'), node(1, b'b')]);
    walk.advance();
    walk.advance();
    walk.advance();
}

#[test]
#[should_panic(expected = "more than one level")]
fn a_step_down_two_levels_is_noticed() {
    watched(&[root(), node(2, b'a')]).advance();
}

#[test]
#[should_panic(expected = "below a return path")]
fn a_child_of_a_return_path_is_noticed() {
    let mut walk = watched(&[root(), node(1, b'a').on_return(), node(2, b'a')]);
    walk.advance();
    walk.advance();
}

#[test]
#[should_panic(expected = "more than one level")]
fn bytes_that_do_not_lead_there_are_noticed() {
    let stops = [stop::<u32>(root()), stop(node(2, b'a'))];
    let mut walk = script(stops);
    walk.passes = b"xy";
    Verified::new(walk).advance_multiple(&mut Vec::new());
}

#[test]
#[should_panic(expected = "without a flag")]
fn content_without_a_flag_is_noticed() {
    let mut hidden = held(root(), 1);
    hidden.position = root();
    Verified::new(script([hidden])).content();
}

#[test]
#[should_panic(expected = "before it")]
fn a_skip_that_falls_short_is_noticed() {
    watched(&[root(), node(1, b'a')]).skip_to(node(1, b'b'));
}

#[test]
#[should_panic(expected = "a skip from")]
fn a_skip_back_is_noticed() {
    let mut walk = watched(&[root(), node(1, b'b'), node(2, b'x'), end()]);
    walk.advance();
    walk.advance();
    walk.skip_to(node(1, b'b'));
}

#[test]
#[should_panic(expected = "a move from the end")]
fn a_step_from_the_end_is_noticed() {
    let mut walk = watched(&[root(), end(), end()]);
    walk.advance();
    walk.advance();
}

#[test]
#[should_panic(expected = "a tail asked for")]
fn a_tail_on_a_return_path_is_noticed() {
    let mut walk = watched(&[root(), root().on_return()]);
    walk.advance();
    let _ = walk.tail(Direction::Forward);
}

/// Steps through watched ranges.
fn step_ranges(stops: impl Into<Vec<Stop<Marker<u32>>>>) {
    let mut walk = VerifiedRange::new(script(stops));
    while !walk.advance().is_exhausted() {}
}

#[test]
fn sound_ranges_are_left_alone() {
    step_ranges([
        stop(root()),
        marked(node(1, b'a'), None, Some(5)),
        marked(node(1, b'b'), Some(5), None),
        stop(end()),
    ]);
}

#[test]
#[should_panic(expected = "is in force before")]
fn ranges_with_a_gap_are_noticed() {
    step_ranges([
        stop(root()),
        marked(node(1, b'a'), None, Some(5)),
        marked(node(1, b'b'), Some(6), None),
        stop(end()),
    ]);
}

#[test]
#[should_panic(expected = "is in force before")]
fn a_range_without_an_end_is_noticed() {
    step_ranges([
        stop(root()),
        marked(node(1, b'a'), None, Some(5)),
        stop(end()),
    ]);
}

#[test]
#[should_panic(expected = "whose state is")]
fn a_marker_that_changes_nothing_is_noticed() {
    step_ranges([stop(root()), marked(node(1, b'a'), None, None), stop(end())]);
}

#[test]
#[should_panic(expected = "does not take over")]
fn a_marker_that_forgets_its_left_side_is_noticed() {
    let mut forgetful = marked(node(1, b'b'), Some(5), None);
    forgetful.content = Some(Marker::boundary(Some(4), None));
    step_ranges([
        stop(root()),
        marked(node(1, b'a'), None, Some(5)),
        forgetful,
        stop(end()),
    ]);
}

#[test]
#[should_panic(expected = "a point that says nothing")]
fn a_point_below_what_covers_it_is_noticed() {
    let mut pointed = marked(node(1, b'a'), None, Some(5));
    pointed.content = pointed.content.map(|marker| Marker {
        point: Some(5),
        ..marker
    });
    step_ranges([stop(root()), pointed, stop(end())]);
}

/// A node that offers a branch, in which nothing changes.
fn hosting(position: Position) -> Stop<u32> {
    Stop {
        branch: Some(script([
            stop(root()),
            stop(root().on_return()),
            stop(end()),
        ])),
        ..stop(position.with_branch())
    }
}

/// Steps through a watched deletion-aware walk.
fn step_data(stops: impl Into<Vec<Stop<u32>>>) {
    let mut walk = VerifiedDeletionAware::new(script(stops));
    while !walk.advance().is_exhausted() {}
}

#[test]
fn branches_beside_one_another_are_left_alone() {
    step_data([
        stop(root()),
        hosting(node(1, b'a')),
        held(node(2, b'x'), 1),
        hosting(node(1, b'b')),
        stop(end()),
    ]);
}

#[test]
#[should_panic(expected = "below those at")]
fn a_branch_below_another_is_noticed() {
    step_data([
        stop(root()),
        hosting(node(1, b'a')),
        hosting(node(2, b'x')),
        stop(end()),
    ]);
}

#[test]
#[should_panic(expected = "on the return path")]
fn data_on_the_return_path_is_noticed() {
    step_data([
        stop(root()),
        stop(node(1, b'a')),
        stop(node(1, b'a').on_return()),
        stop(end()),
    ]);
}

#[test]
#[should_panic(expected = "without a flag")]
fn a_branch_without_a_flag_is_noticed() {
    let mut hidden = hosting(node(1, b'a'));
    hidden.position = node(1, b'a');
    step_data([stop(root()), hidden, stop(end())]);
}

#[test]
#[should_panic(expected = "left in force beyond the root")]
fn a_branch_that_does_not_close_is_noticed() {
    let mut open = hosting(node(1, b'a'));
    open.branch = Some(script([
        stop(root()),
        marked(root().on_return(), None, Some(5)),
        stop(end()),
    ]));
    step_data([stop(root()), open, stop(end())]);
}
