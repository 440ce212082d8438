//! Invariants tests of a view that stops issuing deletions: from then on it shows live data, at once.

use std::cell::Cell;

use cenotaph_engine::trie::deletion_aware::{LiveAndDeletions, LiveOnly};
use cenotaph_engine::trie::verify::{Verified, VerifiedDeletionAware};
use cenotaph_engine::trie::walk::{Counted, Entries};
use cenotaph_engine::trie::{Cursor, Direction};

use super::forms::{Source, live_text, source};
use crate::trie::support::{BOTH, entries};

/// Data at both ends and in the middle, and 10,000 points between.
fn queue() -> Source {
    let points: Vec<String> = (0..10_000)
        .filter(|n| *n != 5_000)
        .map(|n| format!("k{n:04}·5"))
        .collect();
    source("a@9 k5000@8 z@7", &points.join(" "))
}

/// What a view still shows when it is stopped after so many of the items it issues.
fn rest_after(trie: &Source, direction: Direction, count: usize) -> Vec<(String, u32)> {
    let view = LiveAndDeletions::new(VerifiedDeletionAware::new(trie.cursor(direction)));
    let mut view = Entries::new(Verified::new(view));
    for _ in 0..count {
        view.next_content();
    }
    view.cursor_mut().inner_mut().stop_issuing_deletions();
    view.map(|(key, mixed)| {
        assert!(mixed.marker.is_none(), "a deletion was issued");
        let key = String::from_utf8_lossy(&key).into_owned();
        (key, mixed.live.expect("it holds something"))
    })
    .collect()
}

#[test]
fn a_stop_among_deletions_leads_to_the_next_live_item() {
    let trie = queue();
    for (direction, next) in BOTH.into_iter().zip(["z@7", "a@9"]) {
        assert_eq!(live_text(&rest_after(&trie, direction, 6_000)), next);
    }
}

#[test]
fn a_stop_costs_no_step() {
    let trie = queue();
    for direction in BOTH {
        let stops = Cell::new(0);
        let mut view = LiveAndDeletions::new(Counted::new(trie.cursor(direction), &stops));
        for _ in 0..2_000 {
            view.advance();
        }
        let before = stops.get();
        let position = view.position();
        view.stop_issuing_deletions();
        assert_eq!(view.position(), position, "it has not moved");
        assert_eq!(view.content(), None);
        view.advance();
        assert_eq!(stops.get(), before, "the data was there already");
    }
}

#[test]
fn a_stop_before_the_first_item_shows_the_first_live_one() {
    let trie = queue();
    for (direction, all) in BOTH.into_iter().zip(["a@9 k5000@8 z@7", "z@7 k5000@8 a@9"]) {
        let mut view = LiveAndDeletions::new(trie.cursor(direction));
        view.stop_issuing_deletions();
        let rest: Vec<_> = entries(view)
            .into_iter()
            .filter_map(|(key, mixed)| Some((key, mixed.live?)))
            .collect();
        assert_eq!(live_text(&rest), all);
        let view = LiveAndDeletions::new(trie.cursor(direction));
        assert_eq!(live_text(&entries(view.into_live_only())), all);
        assert_eq!(
            live_text(&entries(LiveOnly::new(trie.cursor(direction)))),
            all
        );
    }
}

#[test]
fn a_stop_after_the_last_item_shows_nothing() {
    let trie = queue();
    for direction in BOTH {
        let mut view = Entries::new(LiveAndDeletions::new(trie.cursor(direction)));
        while view.next_content().is_some() {}
        view.cursor_mut().stop_issuing_deletions();
        assert!(view.next_content().is_none());
    }
}

#[test]
fn a_stop_at_every_stop_shows_what_is_live_from_there_on() {
    let trie = source(
        "b@9 da@8 dc@8 dcc@8 f@9",
        "a..c@5 d..d↑@6 dd..ddd@7 e·4 g·3",
    );
    for direction in BOTH {
        let live = entries(LiveOnly::new(trie.cursor(direction)));
        let all = entries(LiveAndDeletions::new(trie.cursor(direction)));
        assert!(all.len() > 10);
        for count in 0..=all.len() {
            let seen = all[..count]
                .iter()
                .filter(|(_, mixed)| mixed.live.is_some());
            let rest = rest_after(&trie, direction, count);
            assert_eq!(rest, live[seen.count()..], "after {count}");
        }
    }
}
