//! Invariants of walks: each node once, before its children; a skip stops at what lies there or beyond; tails
//! are walks of their own.

use cenotaph_engine::trie::arena::{Arena, Root};
use cenotaph_engine::trie::{Cursor, Direction, Position};

use super::support::{Item, walk};

use Direction::{Forward, Reverse};

fn trie(keys: &[&[u8]]) -> (Arena<Item>, Root) {
    let mut arena = Arena::new();
    let mut root = Root::EMPTY;
    for (number, key) in keys.iter().enumerate() {
        let item = Item::Number(number as u32);
        root = arena.put(root, key, item).expect("there is space");
    }
    (arena, root)
}

/// Positions as text, those of content with a star.
fn positions(arena: &Arena<Item>, root: Root, direction: Direction) -> String {
    let mut cursor = arena.cursor(root, direction);
    let mut text = Vec::new();
    loop {
        let position = cursor.position();
        let star = if cursor.content().is_some() { "*" } else { "" };
        text.push(format!("{position:?}{star}"));
        if position.is_exhausted() {
            return text.join(" ");
        }
        cursor.advance();
    }
}

fn node(depth: u32, byte: u8, direction: Direction) -> Position {
    Position::node(depth, byte, direction)
}

#[test]
fn a_walk_takes_children_in_either_order_and_nodes_before_them() {
    let (arena, root) = trie(&[b"ab", b"ac", b"b"]);
    let forward = positions(&arena, root, Forward);
    assert_eq!(forward, "(0) (1, 61) (2, 62)* (2, 63)* (1, 62)* end");
    let reverse = positions(&arena, root, Reverse);
    assert_eq!(reverse, "-(0) -(1, 62)* -(1, 61) -(2, 63)* -(2, 62)* end");
}

#[test]
fn an_empty_trie_has_a_root_and_an_end() {
    let arena = Arena::<Item>::new();
    assert_eq!(positions(&arena, Root::EMPTY, Forward), "(0) end");
    assert_eq!(positions(&arena, Root::EMPTY, Reverse), "-(0) end");
}

#[test]
fn the_content_of_the_empty_key_is_at_the_root() {
    let (arena, root) = trie(&[b""]);
    assert_eq!(positions(&arena, root, Forward), "(0)* end");
}

#[test]
fn several_levels_are_passed_at_once_where_nothing_branches_off() {
    let (arena, root) = trie(&[b"tre", b"tractor"]);
    let mut cursor = arena.cursor(root, Forward);
    let mut passed = Vec::new();
    let position = cursor.advance_multiple(&mut passed);
    assert_eq!((position, &passed[..]), (node(2, b'r', Forward), &b"t"[..]));
    passed.clear();
    let position = cursor.advance_multiple(&mut passed);
    assert_eq!(
        (position, &passed[..]),
        (node(7, b'r', Forward), &b"acto"[..])
    );
    passed.clear();
    let position = cursor.advance_multiple(&mut passed);
    assert_eq!((position, &passed[..]), (node(3, b'e', Forward), &b""[..]));
}

#[test]
fn a_skip_beyond_the_last_child_goes_to_the_next_branch_above() {
    let (arena, root) = trie(&[b"ab", b"ac", b"b"]);
    let mut cursor = arena.cursor(root, Forward);
    assert!(cursor.descend_along(b"ab"));
    let mut other = cursor.clone();
    assert_eq!(
        cursor.skip_to(node(2, b'd', Forward)),
        node(1, b'b', Forward)
    );
    assert!(other.skip_to(node(1, b'c', Forward)).is_exhausted());
}

#[test]
fn a_skip_to_the_return_path_of_a_node_goes_beyond_its_branch() {
    let (arena, root) = trie(&[b"ab", b"ac", b"b"]);
    for (from, target, expected) in [
        (&b"ab"[..], node(2, b'b', Forward), node(2, b'c', Forward)),
        (b"ab", node(1, b'a', Forward), node(1, b'b', Forward)),
        (b"", node(1, b'a', Forward), node(1, b'b', Forward)),
        (b"b", node(1, b'b', Forward), Position::exhausted(Forward)),
        (b"", Position::root(Forward), Position::exhausted(Forward)),
    ] {
        let mut cursor = arena.cursor(root, Forward);
        assert!(cursor.descend_along(from));
        assert_eq!(cursor.skip_to(target.on_return()), expected, "{target:?}");
    }
}

#[test]
fn the_branch_of_the_last_byte_is_skipped_without_beginning_again() {
    let (arena, root) = trie(&[b"\xFF\x01"]);
    let mut cursor = arena.cursor(root, Forward);
    let last = cursor.advance();
    assert_eq!(last, node(1, 0xFF, Forward));
    assert!(cursor.skip_to(last.beyond()).is_exhausted());

    let (arena, root) = trie(&[b"\x00\x05", b"\x01"]);
    let mut cursor = arena.cursor(root, Reverse);
    cursor.advance();
    let last = cursor.advance();
    assert_eq!(last, node(1, 0, Reverse));
    assert!(cursor.skip_to(last.beyond()).is_exhausted());
}

#[test]
fn a_tail_is_a_walk_of_what_lies_below_in_either_direction() {
    let (arena, root) = trie(&[b"tree", b"trie"]);
    let mut cursor = arena.cursor(root, Forward);
    assert!(cursor.descend_along(b"tr"));
    let keys = |direction| {
        let walked = walk(cursor.tail(direction), false);
        walked.into_iter().map(|(key, _)| key).collect::<Vec<_>>()
    };
    assert_eq!(keys(Reverse), [b"ie".to_vec(), b"ee".to_vec()]);
    assert_eq!(keys(Forward), [b"ee".to_vec(), b"ie".to_vec()]);
    assert_eq!(cursor.position(), node(2, b'r', Forward));
}

#[test]
fn a_walk_knows_the_greatest_time_below_a_split_node() {
    let mut arena = Arena::new();
    let mut root = Root::EMPTY;
    for byte in 0..7_u8 {
        let item = Item::Timed(i64::from(byte) * 10, 0);
        root = arena
            .put(root, &[byte, 1, 2], item)
            .expect("there is space");
    }
    let mut cursor = arena.cursor(root, Forward);
    assert_eq!(cursor.timestamp_max_below(), 60);
    cursor.advance();
    assert_eq!(cursor.timestamp_max_below(), 0);
    assert_eq!(
        arena.cursor(Root::EMPTY, Forward).timestamp_max_below(),
        i64::MIN
    );
}

#[test]
#[should_panic(expected = "is not ahead of (1, 62)")]
fn a_skip_back_is_refused() {
    let (arena, root) = trie(&[b"a", b"b"]);
    let mut cursor = arena.cursor(root, Forward);
    assert!(cursor.descend_along(b"b"));
    cursor.skip_to(node(1, b'a', Forward));
}

#[test]
#[should_panic(expected = "the walk is over")]
fn a_walk_that_is_over_does_not_go_on() {
    let arena = Arena::<Item>::new();
    let mut cursor = arena.cursor(Root::EMPTY, Forward);
    cursor.advance();
    cursor.advance();
}
