//! Invariants under test: a crash at any disk request, and a second one while starting, loses nothing that was
//! acknowledged, and half of nothing.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use cenotaph_engine::message::Answer;
use cenotaph_sim::disk::CrashKind;

use super::client::{Client, Outcome};
use super::cluster::{CONFIG, Cluster, crash_fault};
use crate::bench::{CRASH_KINDS, Point, for_each_point};

/// What the client was told of each row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Told {
    Written,
    Unknown,
}

/// Tables, writes and flushes; each write once. Then all is read back.
async fn script(mut client: Client) -> Result<(), String> {
    let mut told: BTreeMap<(&str, i32), Told> = BTreeMap::new();
    for round in 0..3 {
        let name = ["t", "u", "t"][round];
        client.create(name).await;
        for step in 0..4 {
            let c = i32::try_from(round * 10 + step).expect("small");
            let outcome = client.write(name, (1, c), c).await;
            let is_written = outcome == Outcome::Answered(Answer::Written);
            told.insert(
                (name, c),
                if is_written {
                    Told::Written
                } else {
                    Told::Unknown
                },
            );
        }
        let _either = client.flush(name).await;
    }
    client.write("u", (1, 99), 99).await;
    client.crash_node(CrashKind::PowerCut).await;
    if client.tables().await != ["t", "u"] {
        return Err("a table is missing".to_owned());
    }
    for name in ["t", "u"] {
        let rows: BTreeMap<i32, Option<i32>> = client.read(name, 1).await.into_iter().collect();
        for ((_, c), told) in told.iter().filter(|((of, _), _)| *of == name) {
            match rows.get(c) {
                Some(v) if *v == Some(*c) => {}
                None if *told == Told::Unknown => {}
                other => return Err(format!("{name}.{c}: {told:?}, read {other:?}")),
            }
        }
    }
    Ok(())
}

fn attempt(key: u64, strikes: &[(u32, Point, CrashKind)]) -> (bool, Result<(), String>) {
    let (cluster, answer) = Cluster::new(key, CONFIG, script);
    for (incarnation, point, how) in strikes {
        cluster.strike(*incarnation, point, crash_fault(*how));
    }
    let mut result = cluster.try_run();
    if result.is_ok() && !cluster.last_words().is_empty() {
        result = Err(format!("stopped: {:?}", cluster.last_words()));
    }
    let told = answer.borrow_mut().take().unwrap_or(Ok(()));
    (cluster.all_struck(), result.and(told))
}

#[test]
fn a_crash_at_any_request_loses_nothing_acknowledged() {
    for how in CRASH_KINDS {
        let points_count = for_each_point(|point| {
            let (struck, result) = attempt(61, &[(1, point, how)]);
            assert_eq!(result, Ok(()), "{how:?} {point:?}");
            struck
        });
        assert!(points_count > 100, "{points_count}");
    }
}

#[test]
fn a_second_crash_while_starting_loses_nothing_acknowledged() {
    // The first crash comes in the middle of the work, at the first sync of a new segment's directory.
    let first = Point {
        role: "data",
        kind: cenotaph_sim::fault::RequestKind::SyncDir,
        ordinal: 1,
    };
    for how in CRASH_KINDS {
        for_each_point(|point| {
            let (struck, result) = attempt(62, &[(1, first, how), (2, point, how)]);
            assert_eq!(result, Ok(()), "{how:?} {point:?}");
            struck
        });
    }
}

/// Runs the script with a planted bug and a crash at each request, until something is lost.
#[cfg(feature = "planted")]
fn finds(plant: cenotaph_engine::planted::Plant, keys: std::ops::Range<u64>) -> Option<String> {
    let _guard = cenotaph_engine::planted::choose(Some(plant));
    let found: Rc<RefCell<Option<String>>> = Rc::default();
    for key in keys {
        for_each_point(|point| {
            if found.borrow().is_some() {
                return false;
            }
            let (struck, result) = attempt(key, &[(1, point, CrashKind::PowerCut)]);
            *found.borrow_mut() = result.err();
            struck
        });
    }
    found.take()
}

#[cfg(feature = "planted")]
#[test]
fn a_missing_directory_sync_is_found_by_crashes() {
    let found = finds(cenotaph_engine::planted::Plant::P05, 70..76).expect("P05 is found");
    assert!(found.contains("which does not exist"), "{found}");
}

/// Without a bug the same search finds nothing: the control of the test above.
#[test]
fn other_keys_lose_nothing_either() {
    let losses: Rc<RefCell<Vec<String>>> = Rc::default();
    for key in 70..73 {
        for_each_point(|point| {
            let (struck, result) = attempt(key, &[(1, point, CrashKind::PowerCut)]);
            losses.borrow_mut().extend(result.err());
            struck
        });
    }
    assert_eq!(*losses.borrow(), Vec::<String>::new());
}
