//! Invariants of faults: anchors print what they parse; each kind strikes and says so.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::Duration;

use bytes::Bytes;
use cenotaph_sim::disk::CrashKind;
use cenotaph_sim::fault::{Anchor, DiskAnchor, Fault, FaultKind, Outage, RequestKind};
use cenotaph_sim::host::{Address, Host, OpenMode};
use cenotaph_sim::network::{Barrier, Closed, Way};
use cenotaph_sim::time::Instant;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::support::{machine, quiet, until, world};

proptest! {
    #![proptest_config(ProptestConfig {
        rng_seed: RngSeed::Fixed(2),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn an_anchor_is_read_as_it_was_printed(
        machine in "[a-z][a-z0-9]{0,5}",
        incarnation: u32,
        role in "[a-z]{1,9}",
        kind in proptest::sample::select(RequestKind::ALL.to_vec()),
        ordinal: u64,
    ) {
        let anchor = DiskAnchor { machine, incarnation, role, kind, ordinal };
        prop_assert_eq!(anchor.to_string().parse::<DiskAnchor>(), Ok(anchor));
    }

    #[test]
    fn any_other_text_is_refused_and_named(text in "[a-z0-9/]{0,24}") {
        if let Err(error) = text.parse::<DiskAnchor>() {
            prop_assert!(error.to_string().contains(&format!("`{text}`")), "{}", error);
        }
    }
}

/// A fault of every kind, on the first of two machines or between them.
fn every_kind(n1: Address, n2: Address) -> Vec<FaultKind> {
    let down = Duration::from_millis(5);
    let kinds = [
        FaultKind::DiskError { machine: n1 },
        FaultKind::NoSpace { machine: n1 },
        FaultKind::FailSync { machine: n1 },
        FaultKind::Evict { machine: n1 },
        FaultKind::Pause {
            machine: n1,
            duration: down,
        },
        FaultKind::Wipe { machine: n1, down },
        FaultKind::Swizzle {
            among: vec![n1, n2],
            duration: down,
        },
        FaultKind::ClockDrift {
            machine: n1,
            ppm: -1_000,
            duration: down,
        },
        FaultKind::DropPackets { count: 2 },
        FaultKind::ClockJump {
            machine: n1,
            micros: -3_600_000_000,
        },
    ];
    let all = kinds.into_iter().chain(outages(n1, n2, down));
    all.chain(barriers(n1, n2, down)).collect()
}

fn outages(n1: Address, n2: Address, down: Duration) -> Vec<FaultKind> {
    let hows = [
        CrashKind::ProcessKill,
        CrashKind::KernelPanic,
        CrashKind::PowerCut,
    ];
    let machine = n1;
    let crashes = hows.map(|how| FaultKind::Crash { machine, how, down });
    let how = CrashKind::PowerCut;
    let outages = [
        Outage::Crash { how, down },
        Outage::Pause { duration: down },
        Outage::Wipe { down },
    ];
    let zones = outages.map(|outage| FaultKind::Zone {
        machines: vec![n1, n2],
        outage,
    });
    crashes.into_iter().chain(zones).collect()
}

fn barriers(n1: Address, n2: Address, duration: Duration) -> Vec<FaultKind> {
    let ways = [Way::Both, Way::LeftToRight];
    let closed = [Closed::Holds, Closed::LosesSent, Closed::LosesAll];
    let all = ways.into_iter().flat_map(|way| {
        closed.map(|closed| FaultKind::Partition {
            barrier: Barrier {
                left: vec![n1],
                right: vec![n2],
                way,
                closed,
            },
            duration,
        })
    });
    all.collect()
}

#[test]
fn every_kind_of_fault_strikes_and_leaves_its_mark() {
    let mut world = world(9);
    let node = quiet(|host: Host| async move {
        let disk = host.disk();
        let network = host.network();
        for round in 0..1_000_u64 {
            if let Ok(file) = disk.open("log", OpenMode::Create).await {
                let _may_be_struck = file.write_at(round, Bytes::from_static(b"x")).await;
                let _may_be_struck = file.sync_all().await;
            }
            network
                .send(network.address(), Bytes::from_static(b"to myself"))
                .expect("small");
            host.clock().sleep(Duration::from_millis(1)).await;
        }
    });
    let n1 = world.add_machine(machine("n1"), node.clone());
    let n2 = world.add_machine(machine("n2"), node);
    let kinds = every_kind(n1, n2);
    let mut expected: Vec<&str> = kinds.iter().map(FaultKind::mark).collect();
    for (index, kind) in (1_u64..).zip(kinds) {
        let anchor = Anchor::At(Instant::from_nanos(index * 40_000_000));
        world.add_fault(Fault { anchor, kind });
    }
    world.boot(n1);
    world.boot(n2);
    world.run(until(1_500));
    expected.sort_unstable();
    let marks = world.marks();
    let struck: Vec<&str> = marks
        .iter()
        .map(|(mark, _)| mark)
        .filter(|mark| mark.starts_with("fault."))
        .collect();
    assert_eq!(struck, expected);
    assert_eq!(world.faults_waiting(), Vec::<usize>::new());
    assert!(marks.count("network.dropped") == 2, "{marks:?}");
}

#[test]
fn healing_ends_what_strikes_and_what_waits() {
    let mut world = world(9);
    let node = quiet(|host: Host| async move {
        loop {
            host.clock().sleep(Duration::from_millis(1)).await;
        }
    });
    let n1 = world.add_machine(machine("n1"), node);
    let down = Duration::from_millis(5);
    world.add_fault(Fault {
        anchor: Anchor::At(Instant::from_nanos(50_000_000)),
        kind: FaultKind::Crash {
            machine: n1,
            how: CrashKind::PowerCut,
            down,
        },
    });
    world.boot(n1);
    world.run(until(10));
    world.heal();
    world.run(until(100));
    assert_eq!(world.faults_waiting(), [0]);
    assert_eq!(world.with_machine(n1, |machine| machine.incarnation()), 1);
}

#[test]
fn a_full_disk_says_so_and_takes_what_is_freed() {
    let mut world = world(2);
    let mut options = machine("n1");
    options.disk.capacity_bytes = 64 << 10;
    let node = quiet(|host: Host| async move {
        let disk = host.disk();
        let big = disk
            .open("big", OpenMode::CreateNew)
            .await
            .expect("an empty disk");
        let mut offset = 0;
        let error = loop {
            match big.write_at(offset, Bytes::from(vec![1; 10_000])).await {
                Ok(count) => offset += count as u64,
                Err(error) => break error,
            }
        };
        assert_eq!(error.kind(), std::io::ErrorKind::StorageFull, "{error}");
        drop(big);
        disk.remove("big").await.expect("removable");
        disk.sync_dir("").await.expect("syncable");
        let small = disk
            .open("small", OpenMode::CreateNew)
            .await
            .expect("space again");
        assert_eq!(
            small
                .write_at(0, Bytes::from(vec![2; 10_000]))
                .await
                .expect("space"),
            10_000
        );
    });
    let address = world.add_machine(options, node);
    world.boot(address);
    let end = world.run(until(60_000));
    assert!(
        end.to_string().starts_with("deadlock: 0 tasks"),
        "{end}; {:?}",
        world.events()
    );
}

/// How many of 2,000 bytes from offset 100 a write with an I/O error leaves in the cache; the sectors of the
/// rest hold what was there before.
fn left_by_a_failed_write(key: u64) -> usize {
    let left: Rc<Cell<usize>> = Rc::default();
    let noted = Rc::clone(&left);
    let mut world = world(key);
    let node = quiet(move |host: Host| {
        let noted = Rc::clone(&noted);
        async move {
            let open = host.disk().open("log", OpenMode::Create).await;
            let file = open.expect("no fault is there");
            let before = Bytes::from_static(&[1; 2_100]);
            file.write_at(0, before).await.expect("no fault is there");
            let written = file.write_at(100, Bytes::from_static(&[2; 2_000])).await;
            assert_eq!(
                written.expect_err("the fault struck").kind(),
                std::io::ErrorKind::Other
            );
            let bytes = file.read_at(0, 4_096).await.expect("no fault is there");
            let new = bytes.iter().filter(|byte| **byte == 2).count();
            let expected = [vec![1; 100], vec![2; new], vec![1; 2_000 - new]].concat();
            assert_eq!(bytes, expected, "the first bytes, and no others");
            noted.set(new);
        }
    });
    let machine = world.add_machine(machine("n1"), node);
    let anchor = Anchor::Disk("n1/1/log/write/1".parse().expect("an anchor"));
    let kind = FaultKind::DiskError { machine };
    world.add_fault(Fault { anchor, kind });
    world.boot(machine);
    world.run(until(100));
    assert_eq!(world.faults_waiting(), Vec::<usize>::new());
    let mark = world.marks().count("disk.failed-write-left");
    assert_eq!(mark, u64::from(left.get() > 0));
    left.get()
}

#[test]
fn a_write_that_fails_leaves_nothing_or_first_sectors_or_all() {
    let left: BTreeSet<usize> = (0..64).map(left_by_a_failed_write).collect();
    let sectors = (1..=4).map(|sector| sector * 512 - 100);
    let expected: BTreeSet<usize> = [0, 2_000].into_iter().chain(sectors).collect();
    assert_eq!(left, expected);
}
