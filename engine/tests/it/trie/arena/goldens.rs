//! Invariants of tries as text: drawings, one of each form; the bytes of each cell; how many cells are looked at.

use std::fmt::Write;

use cenotaph_engine::trie::arena::{Arena, Root};
use cenotaph_snapshots::golden;

use super::support::Item;

fn trie(arena: &mut Arena<Item>, keys: &[&[u8]]) -> Root {
    let mut root = Root::EMPTY;
    for (number, key) in keys.iter().enumerate() {
        let item = Item::Timed(number as i64 + 1, 7);
        root = arena.put(root, key, item).expect("there is space");
    }
    root
}

fn drawn(keys: &[&[u8]]) -> String {
    let mut arena = Arena::new();
    let root = trie(&mut arena, keys);
    arena.draw(root, |key, leaf| {
        format!("{} {leaf:?}", String::from_utf8_lossy(key))
    })
}

#[test]
fn drawings() {
    golden!(
        "engine/trie",
        "arena_tails",
        "The end of a key lies with its leaf: up to three bytes in half a cell, more in a whole one.",
        [drawn(&[b"abc"]), drawn(&[b"a key of 16 byte"])].join("\n")
    );
    golden!(
        "engine/trie",
        "arena_chain",
        "What leads down without a branch is a chain of up to 28 bytes a cell.",
        drawn(&[b"a key of which more is in chains than in the tail"])
    );
    golden!(
        "engine/trie",
        "arena_sparse",
        "Two to six children are one cell; the way to them that they share is a chain.",
        drawn(&[b"tree", b"trie", b"tractor", b"triangle"])
    );
    golden!(
        "engine/trie",
        "arena_split",
        "Seven children are a tree of cells, whose head has the bounds of the write times.",
        drawn(&[b"a0", b"b0", b"c0", b"d0", b"e0", b"f0", b"z0", b"z1"])
    );
}

#[test]
fn the_bytes_of_cells() {
    let mut arena = Arena::new();
    let mut text = String::new();
    for (name, keys) in [
        (
            "two leaves in one cell, below a sparse node",
            &[&b"abc"[..], b"xyz"][..],
        ),
        (
            "a chain, and a leaf with a tail",
            &[b"a key with thirty bytes and five"],
        ),
        (
            "a split node",
            &[
                b"\x00a", b"\x01b", b"\x02c", b"\x40d", b"\x80e", b"\xC0f", b"\xFFg",
            ],
        ),
    ] {
        let root = trie(&mut arena, keys);
        writeln!(text, "{name}\n{}", arena.dump(root)).expect("text takes all");
    }
    golden!(
        "engine/trie",
        "arena_cells",
        "How nodes lie in cells, byte for byte: 8 bytes a line.",
        text
    );
}

/// Cells looked at in one of `count` calls, in hundredths.
fn visited_each(
    arena: &mut Arena<Item>,
    numbers: impl Iterator<Item = u32>,
    mut call: impl FnMut(&mut Arena<Item>, &[u8]),
) -> u64 {
    let before = arena.counters().cells_visited();
    let mut count = 0;
    for number in numbers {
        call(arena, &number.to_be_bytes());
        count += 1;
    }
    (arena.counters().cells_visited() - before) * 100 / count
}

/// Cells looked at a call on a trie of `count` keys: puts, gets, seeks either way when all but the last tenth
/// are gone, removals.
fn counted(count: u32) -> [u64; 5] {
    let mut arena = Arena::new();
    let mut root = Root::EMPTY;
    let mut found = Vec::new();
    let put = visited_each(&mut arena, 0..count, |arena, key| {
        root = arena
            .put(root, key, Item::Timed(1, 1))
            .expect("there is space");
    });
    let get = visited_each(&mut arena, 0..count, |arena, key| {
        assert!(arena.get(root, key).is_some());
    });
    let remove = visited_each(&mut arena, 0..count / 10 * 9, |arena, key| {
        root = arena.remove(root, key).expect("there is space").0;
    });
    let first = visited_each(&mut arena, 0..count / 10 * 9, |arena, key| {
        assert!(arena.first_at_or_after(root, key, &mut found).is_some());
    });
    let last = visited_each(&mut arena, count..count + 1_000, |arena, key| {
        assert!(arena.last_before(root, key, &mut found).is_some());
    });
    [put, get, first, last, remove]
}

#[test]
fn the_cells_looked_at_grow_with_the_key_and_not_with_their_number() {
    let (few, many) = (counted(4_000), counted(32_000));
    let names = ["put", "get", "first_at_or_after", "last_before", "remove"];
    let mut text = format!("{:<20}{:>8}{:>8}\n", "cells a call", "4,000", "32,000");
    for ((name, few), many) in names.iter().zip(few).zip(many) {
        let number = |count: u64| format!("{}.{:02}", count / 100, count % 100);
        let (few, many) = (number(few), number(many));
        writeln!(text, "{name:<20}{few:>8}{many:>8}").expect("text takes all");
    }
    for (few, many) in few.iter().zip(many) {
        assert!(many <= few + 300, "eight times the keys are one level more");
    }
    golden!(
        "engine/trie",
        "arena_counters",
        "Cells that one call looks at, with so many keys and with eight times as many, and with 90 % removed.",
        text
    );
}
