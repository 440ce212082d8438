//! Invariants under test: what is settled of the log is the union of all that was flushed and truncated, whatever was
//! compacted since; a rewritten manifest says the same.

use std::collections::BTreeSet;

use cenotaph_engine::commitlog::{Interval, Position};
use cenotaph_engine::rows::TableId;
use cenotaph_engine::sstable::SstableName;
use cenotaph_engine::store::{Added, Contents, Edit, Settled};
use proptest::prelude::*;

use super::content::{name, position};
use crate::laws::config;

/// Positions are offsets `1..=END` of one segment.
const END: u64 = 24;

#[derive(Clone, Debug)]
enum Step {
    /// An sstable brings the positions above the first up to the second.
    Flush(u64, u64),
    /// All sstables become one, or none.
    Compact(bool),
    Truncate(u64),
    RaiseFloor(u64),
    /// The manifest is replaced by a new file.
    Rewrite,
}

fn any_step() -> impl Strategy<Value = Step> {
    let offset = || 0..=END;
    prop_oneof![
        4 => (offset(), offset()).prop_map(|(a, b)| Step::Flush(a.min(b), a.max(b))),
        2 => any::<bool>().prop_map(Step::Compact),
        1 => offset().prop_map(Step::Truncate),
        1 => offset().prop_map(Step::RaiseFloor),
        1 => Just(Step::Rewrite),
    ]
}

fn interval(lower: u64, upper: u64) -> Interval {
    Interval {
        lower: position(1, lower),
        upper: position(1, upper),
    }
}

fn added(id: u64, interval: Interval) -> Added {
    Added {
        name: name(1, id),
        size: 1,
        interval,
    }
}

/// The edit of a step, and the positions that it settles.
fn edit(step: &Step, contents: &Contents, id: u64) -> (Edit, BTreeSet<u64>) {
    let held = contents.sstables_of(TableId(1)).map(|added| added.name);
    let held: Vec<SstableName> = held.collect();
    let nothing = interval(0, 0);
    match *step {
        Step::Flush(lower, upper) => (
            Edit {
                added: vec![added(id, interval(lower, upper))],
                ..Edit::default()
            },
            (lower + 1..=upper).collect(),
        ),
        Step::Compact(leaves_one) => (
            Edit {
                added: leaves_one.then(|| added(id, nothing)).into_iter().collect(),
                removed: held,
                ..Edit::default()
            },
            BTreeSet::new(),
        ),
        Step::Truncate(upper) => (
            Edit {
                removed: held,
                settled: vec![Settled {
                    table: TableId(1),
                    interval: Interval {
                        lower: Position::NONE,
                        upper: position(1, upper),
                    },
                }],
                ..Edit::default()
            },
            (1..=upper).collect(),
        ),
        Step::RaiseFloor(upper) => {
            let floor = contents.log_floor().max(Some(position(1, upper)));
            let upper = floor.map_or(0, |floor| floor.offset);
            let edit = Edit {
                log_floor: floor,
                ..Edit::default()
            };
            (edit, (1..=upper).collect())
        }
        Step::Rewrite => (Edit::default(), BTreeSet::new()),
    }
}

fn rewritten(contents: &Contents) -> Contents {
    let mut again = Contents::default();
    for edit in contents.as_edits() {
        let decoded = Edit::decode(&edit.encode()).expect("it was encoded");
        again.apply(&decoded).expect("it fits");
    }
    again
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn what_was_settled_stays_settled_and_nothing_else_is(
        steps in prop::collection::vec(any_step(), 0..16),
    ) {
        let (mut contents, mut settled) = (Contents::default(), BTreeSet::new());
        for (id, step) in steps.iter().enumerate() {
            let (edit, positions) = edit(step, &contents, id as u64 + 1);
            contents.apply(&edit).expect("it is made to fit");
            settled.extend(positions);
            if matches!(step, Step::Rewrite) {
                let again = rewritten(&contents);
                prop_assert_eq!(&again, &contents);
                contents = again;
            }
            let persisted = contents.persisted(TableId(1));
            for offset in 1..=END {
                let at = position(1, offset);
                prop_assert_eq!(persisted.contains(at), settled.contains(&offset), "{}", offset);
                prop_assert_eq!(contents.is_settled(TableId(1), at), settled.contains(&offset));
            }
        }
    }
}
