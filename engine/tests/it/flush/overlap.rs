//! Invariants under test: flushes of one table run beside each other, end in any order and may fail; each
//! stands for exactly what it sealed. The planted bugs P04 and P11 break this.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use cenotaph_engine::commitlog::Position;
use cenotaph_engine::error::Error;
use cenotaph_engine::flush::{FlushError, FlushOptions};
use cenotaph_engine::memtable::Ticket;
use cenotaph_sim::disk::CrashKind;
use cenotaph_sim::fault::{FaultKind, RequestKind};
use cenotaph_sim::host::{Host, JoinHandle};

use super::failures::{findable, in_sstables, replayable};
use super::small::{FLUSH, Small, TABLE};
use crate::bench::{Bench, CRASH_KINDS, MACHINE, Point, crash_fault, for_each_point};
use crate::sstable::build::key;

type Flushing = JoinHandle<Result<(), FlushError>>;

/// The rows of the first flush and those of the second: each some segments of the log.
const FIRST: std::ops::Range<u32> = 0..20;
const SECOND: std::ops::Range<u32> = 100..120;

/// The script came to its end, and nothing in it failed.
fn all_well(ended: Option<Result<(), Error>>) {
    ended.expect("nothing crashes").expect("nothing fails");
}

fn flush(host: &Host, small: &Rc<Small>) -> Flushing {
    let small = Rc::clone(small);
    host.spawn(
        "flush",
        async move { small.flusher.flush_table(TABLE).await },
    )
}

async fn settle(host: &Host) {
    host.clock().sleep(Duration::from_secs(1)).await;
}

async fn write(small: &Small, numbers: std::ops::Range<u32>) -> Result<Position, Error> {
    let mut last = Position::NONE;
    for number in numbers {
        last = small.write(TABLE, number).await?;
    }
    Ok(last)
}

/// Two flushes of which the first waits for the given ticket, while the second has written its sstable.
async fn second_first(
    host: &Host,
    small: &Rc<Small>,
) -> Result<(Ticket, Flushing, Flushing), Error> {
    let table = small.store.table(TABLE)?;
    write(small, FIRST).await?;
    let ticket = table.ticket()?;
    let first = flush(host, small);
    settle(host).await;
    write(small, SECOND).await?;
    let second = flush(host, small);
    settle(host).await;
    let view = table.view();
    assert_eq!((view.sstables.len(), view.flushing.len()), (1, 1));
    assert_eq!(small.store.violations(), Vec::<String>::new());
    let (waits, written) = (
        view.flushing[0].interval().expect("it is sealed"),
        view.sstables[0].statistics().interval,
    );
    assert_eq!(waits.upper, written.lower, "each has its own interval");
    Ok((ticket, first, second))
}

async fn run_second_first(host: Host) -> Result<(), Error> {
    let small = Rc::new(Small::open(&host, FLUSH).await?);
    let (ticket, first, second) = second_first(&host, &small).await?;
    for number in FIRST.chain(SECOND) {
        assert!(small.holds(TABLE, number).await?, "{number} is readable");
    }
    drop(ticket);
    first.await.expect("it ends")?;
    second.await.expect("it ends")?;
    let view = small.store.table(TABLE)?.view();
    assert_eq!((view.sstables.len(), view.flushing.len()), (2, 0));
    let segments = small.log.dirty();
    assert!(segments.iter().all(|(_, tables)| tables.is_empty()));
    Ok(())
}

#[test]
fn flushes_of_a_table_may_end_out_of_order() {
    let bench = Bench::new(51);
    all_well(bench.run(run_second_first));
    assert_eq!(bench.marks_count("flush.overlapped"), 1);
    assert_eq!(bench.marks_count("flush.out-of-order"), 1);
}

/// What a start finds after a power cut at the end of the later flush: of each of both flushes the rows
/// that are to be replayed, and those in sstables.
fn after_the_later_end(key_of_run: u64) -> [(usize, usize); 2] {
    let bench = Bench::new(key_of_run);
    let written = bench.run_then_crash(CrashKind::PowerCut, |host| async move {
        let small = Rc::new(Small::open(&host, FLUSH).await?);
        let held = second_first(&host, &small).await?;
        // Whoever waits, waits for ever.
        std::mem::forget(held);
        Ok::<_, Error>(())
    });
    all_well(written);
    let found = bench.run(|host| async move {
        let replayed = replayable(&host).await;
        let mut counts = [(0, 0); 2];
        for (counts, numbers) in counts.iter_mut().zip([FIRST, SECOND]) {
            for number in numbers {
                counts.0 += usize::from(replayed.contains(&key(number)));
                counts.1 += usize::from(in_sstables(host.clone(), number).await);
            }
        }
        counts
    });
    found.expect("nothing crashes")
}

#[test]
fn a_crash_after_the_later_end_loses_nothing_and_doubles_nothing() {
    for key_of_run in 0..8 {
        assert_eq!(after_the_later_end(key_of_run), [(20, 0), (0, 20)]);
    }
}

#[cfg(feature = "planted")]
#[test]
fn one_largest_position_loses_what_an_earlier_flush_had_not_ended() {
    use cenotaph_engine::planted::{Plant, choose};

    let _guard = choose(Some(Plant::P04));
    assert_eq!(after_the_later_end(0), [(0, 0), (0, 20)]);
}

/// Fails to write one sstable and its second try; a later memtable is written between. Gives the end of
/// the last row of either.
async fn first_fails(host: Host, is_honest: bool) -> Result<(), Error> {
    let small = Rc::new(Small::open(&host, FLUSH).await?);
    let upper = write(&small, FIRST).await?;
    small.flusher.flush_table(TABLE).await.unwrap_err();
    write(&small, SECOND).await?;
    let error = small.flusher.flush_table(TABLE).await.unwrap_err();
    assert!(error.to_string().contains("injected"), "{error}");
    let view = small.store.table(TABLE)?.view();
    assert_eq!((view.sstables.len(), view.flushing.len()), (1, 1));
    let waits = view.flushing[0].interval().expect("it is sealed");
    assert_eq!(waits.upper, upper);
    assert_eq!(small.store.violations(), Vec::<String>::new());
    let dirty = small.log.dirty();
    let needed = dirty.iter().filter(|(_, tables)| tables.contains(&TABLE));
    let (first, last) = (1, upper.segment);
    let needed: Vec<u64> = needed.map(|(segment, _)| *segment).collect();
    if is_honest {
        assert!(needed.len() > 1 && needed[0] <= first + 1 && needed.ends_with(&[last]));
        assert!(dirty.len() < needed.len() + 3, "what is not needed is gone");
    }
    Ok(())
}

/// How many of the first and of the second flush's rows are anywhere after a power cut, when the first one
/// failed, twice, and the second one did not.
fn after_a_failure(is_honest: bool) -> (usize, usize) {
    let bench = Bench::new(54);
    // Openings of data files: the first flush's, its second try's, then the second flush's.
    for ordinal in 0..2 {
        let point = Point {
            role: "data",
            kind: RequestKind::Open,
            ordinal,
        };
        bench.strike(&point, FaultKind::DiskError { machine: MACHINE });
    }
    let script = move |host| first_fails(host, is_honest);
    let ended = bench.run_then_crash(CrashKind::PowerCut, script);
    all_well(ended);
    assert!(bench.all_struck());
    let numbers = FIRST.chain(SECOND).collect();
    let found = bench.run(move |host| findable(host, numbers));
    let found = found.expect("nothing crashes");
    let (first, second) = found.split_at(FIRST.len());
    let count = |found: &[bool]| found.iter().filter(|found| **found).count();
    (count(first), count(second))
}

#[test]
fn a_failed_flush_is_replayed_whatever_a_later_one_did() {
    assert_eq!(after_a_failure(true), (20, 20));
}

#[cfg(feature = "planted")]
#[test]
fn giving_back_the_log_of_a_failed_flush_loses_its_writes() {
    use cenotaph_engine::planted::{Plant, choose};

    let _guard = choose(Some(Plant::P11));
    let (first, second) = after_a_failure(false);
    assert!(first < 20, "all {first} are there");
    assert_eq!(second, 20);
}

#[test]
fn a_flush_tries_again_what_another_failed_to_write_beside_it() {
    let bench = Bench::new(55);
    // The second flush created its file and opened it to read before.
    let point = Point {
        role: "data",
        kind: RequestKind::Open,
        ordinal: 2,
    };
    bench.strike(&point, FaultKind::DiskError { machine: MACHINE });
    let ended = bench.run(|host| async move {
        let small = Rc::new(Small::open(&host, FLUSH).await?);
        let (ticket, first, second) = second_first(&host, &small).await?;
        drop(ticket);
        first.await.expect("it ends").unwrap_err();
        second.await.expect("it ends")?;
        assert_eq!(small.store.table(TABLE)?.view().flushing.len(), 0);
        Ok::<_, Error>(())
    });
    all_well(ended);
    assert!(bench.all_struck());
}

#[test]
fn no_more_memtables_are_sealed_than_may_wait() {
    let bench = Bench::new(56);
    for ordinal in 0..7 {
        let point = Point {
            role: "data",
            kind: RequestKind::Open,
            ordinal,
        };
        bench.strike(&point, FaultKind::DiskError { machine: MACHINE });
    }
    let ended = bench.run(|host| async move {
        let small = Small::open(&host, FLUSH).await?;
        let table = small.store.table(TABLE)?;
        for (round, sealed_count) in [(0, 1), (1, 2), (2, 2), (3, 2)] {
            small.write(TABLE, round).await?;
            small.flusher.flush_table(TABLE).await.unwrap_err();
            assert_eq!(table.view().flushing.len(), sealed_count, "{round}");
        }
        small.flusher.flush_table(TABLE).await?;
        let view = table.view();
        assert_eq!((view.sstables.len(), view.flushing.len()), (3, 0));
        for round in 0..4 {
            assert!(small.holds(TABLE, round).await?);
        }
        Ok::<_, Error>(())
    });
    all_well(ended);
    assert!(bench.all_struck());
}

#[test]
fn an_exclusive_turn_waits_for_all_flushes_and_keeps_new_ones_out() {
    let ended = Bench::new(57).run(|host| async move {
        let small = Rc::new(Small::open(&host, FLUSH).await?);
        let table = small.store.table(TABLE)?;
        let tickets = [table.ticket()?];
        let first = flush(&host, &small);
        settle(&host).await;
        let later_ticket = table.ticket()?;
        let second = flush(&host, &small);
        settle(&host).await;
        assert_eq!(table.view().flushing.len(), 2);
        let log: Rc<RefCell<Vec<&str>>> = Rc::default();
        let (noted, turned, host_too) = (Rc::clone(&log), Rc::clone(&table), host.clone());
        let turn = host.spawn("turn", async move {
            let _turn = turned.flush_turn().await;
            noted.borrow_mut().push("turn begins");
            settle(&host_too).await;
            noted.borrow_mut().push("turn ends");
        });
        settle(&host).await;
        let (noted, flushed) = (Rc::clone(&log), Rc::clone(&small));
        small.write(TABLE, 7).await?;
        let third = host.spawn("flush", async move {
            flushed.flusher.flush_table(TABLE).await?;
            noted.borrow_mut().push("third flush ended");
            Ok::<_, FlushError>(())
        });
        drop(later_ticket);
        settle(&host).await;
        assert_eq!(*log.borrow(), [""; 0], "one flush still runs");
        drop(tickets);
        first.await.expect("it ends")?;
        second.await.expect("it ends")?;
        third.await.expect("it ends")?;
        turn.await.expect("it ends");
        let expected = ["turn begins", "turn ends", "third flush ended"];
        assert_eq!(*log.borrow(), expected);
        Ok::<_, Error>(())
    });
    all_well(ended);
}

/// Two tasks that write and flush beside each other, and what was acknowledged.
async fn two_tasks(host: Host, noted: Rc<RefCell<Vec<u32>>>) -> Result<(), Error> {
    let small = Rc::new(Small::open(&host, FLUSH).await?);
    let mut tasks = Vec::new();
    for task in 0..2_u32 {
        let (small, noted) = (Rc::clone(&small), Rc::clone(&noted));
        tasks.push(host.spawn("task", async move {
            for number in 0..6 {
                let number = 100 * task + number;
                small.write(TABLE, number).await?;
                noted.borrow_mut().push(number);
                if number % 2 == task % 2 {
                    small.flusher.flush_table(TABLE).await?;
                }
                assert_eq!(small.store.violations(), Vec::<String>::new());
            }
            Ok::<_, Error>(())
        }));
    }
    for task in tasks {
        task.await.expect("tasks end")?;
    }
    Ok(())
}

#[test]
fn a_crash_at_any_request_of_overlapping_flushes_loses_nothing_acknowledged() {
    for how in CRASH_KINDS {
        for_each_point(|point| {
            let (bench, noted) = (Bench::new(58), Rc::<RefCell<Vec<u32>>>::default());
            bench.strike(&point, crash_fault(how));
            let noted_too = Rc::clone(&noted);
            bench.run(|host| two_tasks(host, noted_too));
            if !bench.all_struck() {
                return false;
            }
            let numbers = noted.take();
            let found = bench.run(|host| findable(host, numbers));
            let found = found.expect("nothing crashes");
            assert!(found.iter().all(|found| *found), "{how:?} {point:?}");
            true
        });
    }
}

#[test]
fn one_flush_at_a_time_is_the_least() {
    let options = FlushOptions {
        flushes_per_table_max: 1,
        ..FLUSH
    };
    let bench = Bench::new(59);
    let ended = bench.run(move |host| async move {
        let small = Rc::new(Small::open(&host, options).await?);
        write(&small, FIRST).await?;
        let flushes = [flush(&host, &small), flush(&host, &small)];
        for flush in flushes {
            flush.await.expect("it ends")?;
        }
        Ok::<_, Error>(())
    });
    all_well(ended);
    assert_eq!(bench.marks_count("flush.overlapped"), 0);
}
