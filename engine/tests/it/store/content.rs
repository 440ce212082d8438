//! Invariants under test: an edit fits or changes nothing; its bytes are frozen.

use cenotaph_engine::commitlog::{Interval, Position};
use cenotaph_engine::rows::TableId;
use cenotaph_engine::sstable::{SstableId, SstableName};
use cenotaph_engine::store::{Added, Contents, EDIT_VERSION, Edit, EditError, Repaired, Settled};
use cenotaph_snapshots::golden;

pub(super) fn name(table: u64, id: u64) -> SstableName {
    SstableName {
        table: TableId(table),
        id: SstableId(id),
    }
}

pub(super) fn position(segment: u64, offset: u64) -> Position {
    Position { segment, offset }
}

pub(super) fn added(table: u64, id: u64) -> Added {
    let interval = Interval {
        lower: position(id, 0),
        upper: position(id, 100),
    };
    Added {
        name: name(table, id),
        size: 1_000 + id,
        interval,
    }
}

pub(super) fn adds(sstables: &[Added]) -> Edit {
    Edit {
        added: sstables.to_vec(),
        ..Edit::default()
    }
}

#[test]
fn an_edit_that_does_not_fit_changes_nothing() {
    let mut contents = Contents::default();
    let floors = Edit {
        id_floor: Some(9),
        log_floor: Some(position(5, 50)),
        ..Edit::default()
    };
    contents.apply(&floors).expect("floors rise");
    contents
        .apply(&adds(&[added(1, 2), added(3, 4)]))
        .expect("both are new");
    let before = contents.clone();
    let twice = adds(&[added(1, 7), added(1, 2)]);
    let gone = Edit {
        removed: vec![name(1, 2), name(1, 3)],
        ..adds(&[added(9, 9)])
    };
    let gone_twice = Edit {
        removed: vec![name(1, 2), name(1, 2)],
        ..Edit::default()
    };
    let ids_back = Edit {
        id_floor: Some(8),
        ..adds(&[added(9, 9)])
    };
    let log_back = Edit {
        log_floor: Some(position(5, 49)),
        ..adds(&[added(9, 9)])
    };
    let refused = |mut contents: Contents, edit: &Edit| {
        let error = contents.apply(edit).expect_err("it does not fit");
        assert_eq!(contents, before);
        error
    };
    assert!(matches!(
        refused(contents.clone(), &twice),
        EditError::AddedTwice(_)
    ));
    assert!(matches!(
        refused(contents.clone(), &gone),
        EditError::RemovedUnknown(_)
    ));
    assert!(matches!(
        refused(contents.clone(), &gone_twice),
        EditError::RemovedUnknown(_)
    ));
    assert_eq!(
        refused(contents.clone(), &ids_back),
        EditError::Backwards("id floor")
    );
    assert_eq!(
        refused(contents.clone(), &log_back),
        EditError::Backwards("log floor")
    );
}

#[test]
fn the_edits_of_contents_make_them_again() {
    let mut contents = Contents::default();
    let all: Vec<Added> = (1..25_000).map(|id| added(id % 7, id)).collect();
    contents.apply(&adds(&all)).expect("all are new");
    let edits = contents.as_edits();
    assert!(edits.len() > 2, "large contents are more than one edit");
    let mut again = Contents::default();
    for edit in edits {
        let decoded = Edit::decode(&edit.encode()).expect("it was encoded");
        again.apply(&decoded).expect("it fits");
    }
    assert_eq!(again, contents);
}

#[test]
fn persisted_is_a_union_and_not_the_largest_position() {
    let mut contents = Contents::default();
    contents
        .apply(&adds(&[added(1, 2), added(1, 4), added(2, 3)]))
        .expect("all are new");
    let persisted = contents.persisted(TableId(1));
    for (at, expected) in [
        (position(2, 0), false),
        (position(2, 1), true),
        (position(2, 100), true),
        (position(2, 101), false),
        (position(3, 50), false),
        (position(4, 100), true),
        (position(4, 101), false),
    ] {
        assert_eq!(persisted.contains(at), expected, "{at:?}");
    }
}

#[test]
fn bytes_that_are_no_edit_are_refused() {
    let good = adds(&[added(1, 2)]).encode();
    assert!(Edit::decode(&[]).is_err());
    for size in 0..good.len() {
        assert!(Edit::decode(&good[..size]).is_err(), "{size} bytes");
    }
    let longer = [&good[..], &[0]].concat();
    assert!(Edit::decode(&longer).is_err());
    let mut newer = good;
    newer[0] = EDIT_VERSION + 1;
    let error = Edit::decode(&newer).expect_err("a newer version");
    assert_eq!(
        error.to_string(),
        "the bytes are no edit: version 4 is unknown"
    );
}

fn settles(table: u64, id: u64) -> Settled {
    let Added { name, interval, .. } = added(table, id);
    Settled {
        table: name.table,
        interval,
    }
}

#[test]
fn what_an_sstable_brought_of_the_log_outlives_it() {
    let mut contents = Contents::default();
    let all = adds(&[added(1, 2), added(1, 4), added(2, 3)]);
    contents.apply(&all).expect("all are new");
    let before = contents.persisted(TableId(1));
    let output = Added {
        interval: Interval {
            lower: Position::NONE,
            upper: Position::NONE,
        },
        ..added(1, 9)
    };
    let merged = Edit {
        removed: vec![name(1, 2), name(1, 4)],
        ..adds(&[output])
    };
    contents.apply(&merged).expect("the inputs are there");
    assert_eq!(contents.persisted(TableId(1)), before, "not the hull");
    let emptied = Edit {
        removed: vec![name(1, 9)],
        ..Edit::default()
    };
    contents.apply(&emptied).expect("it is there");
    assert_eq!(contents.persisted(TableId(1)), before);
    assert!(!before.contains(position(3, 50)));
    let mut again = Contents::default();
    for edit in contents.as_edits() {
        again.apply(&edit).expect("it fits");
    }
    assert_eq!(again, contents);
}

#[test]
fn a_truncation_settles_the_log_below_it_for_its_table_only() {
    let mut contents = Contents::default();
    let truncated = Edit {
        settled: vec![Settled {
            table: TableId(1),
            interval: Interval {
                lower: Position::NONE,
                upper: position(3, 40),
            },
        }],
        ..Edit::default()
    };
    contents.apply(&truncated).expect("it fits");
    let persisted = contents.persisted(TableId(1));
    assert!(persisted.contains(position(1, 1)) && persisted.contains(position(3, 40)));
    assert!(!persisted.contains(position(3, 41)));
    assert!(!contents.persisted(TableId(2)).contains(position(1, 1)));
}

#[test]
fn of_a_dropped_table_nothing_is_kept() {
    let mut contents = Contents::default();
    contents
        .apply(&adds(&[added(1, 2), added(2, 3)]))
        .expect("all are new");
    let dropped = Edit {
        removed: vec![name(1, 2)],
        dropped: vec![TableId(1)],
        ..Edit::default()
    };
    contents.apply(&dropped).expect("it is there");
    assert!(!contents.knows(TableId(1)) && contents.knows(TableId(2)));
    let mut other = Contents::default();
    other.apply(&adds(&[added(2, 3)])).expect("it is new");
    assert_eq!(contents, other);
}

#[test]
fn what_lies_below_the_log_floor_is_not_said_again() {
    let floor = Edit {
        log_floor: Some(position(3, 50)),
        ..Edit::default()
    };
    let parts = adds(&[added(1, 2), added(1, 3), added(1, 4), added(2, 1)]);
    let (mut first, mut last) = (Contents::default(), Contents::default());
    for edit in [&floor, &parts] {
        first.apply(edit).expect("it fits");
    }
    for edit in [&parts, &floor] {
        last.apply(edit).expect("it fits");
    }
    assert_eq!(first, last);
    let settled: Vec<Settled> = first
        .as_edits()
        .into_iter()
        .flat_map(|edit| edit.settled)
        .collect();
    let cut = Settled {
        interval: Interval {
            lower: position(3, 50),
            upper: position(3, 100),
        },
        ..settles(1, 3)
    };
    assert_eq!(settled, [cut, settles(1, 4)]);
    let persisted = first.persisted(TableId(2));
    assert!(persisted.contains(position(1, 50)) && !persisted.contains(position(3, 51)));
}

#[test]
fn edits_of_the_first_version_are_read() {
    let bytes = [
        1, 1, 1, 2, 0xea, 0x07, 2, 0, 2, 100, 1, 5, 6, 1, 64, 1, 7, 8,
    ];
    let expected = Edit {
        added: vec![added(1, 2)],
        removed: vec![name(5, 6)],
        id_floor: Some(64),
        log_floor: Some(position(7, 8)),
        ..Edit::default()
    };
    assert_eq!(Edit::decode(&bytes), Ok(expected));
    for size in 0..bytes.len() {
        assert!(Edit::decode(&bytes[..size]).is_err(), "{size} bytes");
    }
}

#[test]
fn edits_of_the_second_version_are_read_and_repair_nothing() {
    let whole = Edit {
        settled: vec![settles(9, 10)],
        dropped: vec![TableId(11)],
        ..adds(&[added(1, 2)])
    };
    let mut bytes = whole.encode();
    assert_eq!(bytes.pop(), Some(0), "nothing is repaired");
    bytes[0] = 2;
    assert_eq!(Edit::decode(&bytes), Ok(whole.clone()));
    for size in 0..bytes.len() {
        assert!(Edit::decode(&bytes[..size]).is_err(), "{size} bytes");
    }
    let mut contents = Contents::default();
    contents.apply(&whole).expect("it fits");
    assert_eq!(contents.repaired_seconds(name(1, 2)), None);
}

fn repaired(table: u64, id: u64, seconds: u32) -> Repaired {
    Repaired {
        name: name(table, id),
        seconds,
    }
}

fn repairs(repaired: Repaired) -> Edit {
    Edit {
        repaired: vec![repaired],
        ..Edit::default()
    }
}

#[test]
fn what_is_repaired_is_there_and_is_so_until_it_goes() {
    let mut contents = Contents::default();
    assert!(contents.apply(&repairs(repaired(1, 2, 7))).is_err());
    let mut edit = adds(&[added(1, 2), added(1, 3)]);
    edit.repaired.push(repaired(1, 2, 7));
    contents.apply(&edit).expect("one edit adds and repairs");
    assert!(contents.apply(&repairs(repaired(1, 3, 0))).is_err());
    let going = Edit {
        removed: vec![name(1, 3)],
        ..repairs(repaired(1, 3, 8))
    };
    assert!(contents.apply(&going).is_err(), "what goes is not repaired");
    assert_eq!(contents.repaired_seconds(name(1, 2)), Some(7));
    assert_eq!(contents.repaired_seconds(name(1, 3)), None);
    let mut again = Contents::default();
    for edit in contents.as_edits() {
        again.apply(&edit).expect("it is whole");
    }
    assert_eq!(again, contents);
    let gone = Edit {
        removed: vec![name(1, 2)],
        ..Edit::default()
    };
    contents.apply(&gone).expect("it is there");
    assert_eq!(contents.repaired_seconds(name(1, 2)), None);
}

#[test]
fn the_bytes_of_edits_are_frozen() {
    let hex = |edit: &Edit| {
        edit.encode()
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect::<Vec<_>>()
            .join(" ")
    };
    let whole = Edit {
        added: vec![added(1, 2), added(3, 400)],
        removed: vec![name(5, 6)],
        id_floor: Some(64),
        log_floor: Some(position(7, 8)),
        settled: vec![settles(9, 10)],
        dropped: vec![TableId(11)],
        repaired: vec![repaired(1, 2, 1_700_000_000)],
    };
    let text = format!(
        "{whole:#?}\n{}\n\nthe seal\n{}\n",
        hex(&whole),
        hex(&Edit::SEAL)
    );
    golden!(
        "engine/store",
        "edit_version_3",
        "The bytes of a manifest edit with all its parts, and of the seal.",
        text
    );
}
