//! Invariants of outages: a machine that is paused does nothing and then goes on, one that is wiped has an
//! empty disk, a zone is struck whole; a crash finds its place inside a recovery.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use bytes::Bytes;
use cenotaph_sim::disk::CrashKind;
use cenotaph_sim::fault::{Anchor, Fault, FaultKind, Outage, RequestAnchor};
use cenotaph_sim::host::{Address, Host, OpenMode};
use cenotaph_sim::time::Instant;
use cenotaph_sim::world::{Software, World, WorldEvent};

use crate::support::{machine, quiet, until, world};

const MILLISECOND: Duration = Duration::from_millis(1);

fn at_millis(millis: u64) -> Anchor {
    Anchor::At(Instant::ZERO.after(Duration::from_millis(millis)))
}

/// What a machine that ticks noted, in milliseconds of the world.
type Ticks = Rc<RefCell<Vec<u64>>>;

/// Software that notes the time once a millisecond.
fn ticker(world: &World, ticks: &Ticks) -> Software {
    let (controls, ticks) = (world.controls(), Rc::clone(ticks));
    quiet(move |host: Host| {
        let (controls, ticks) = (controls.clone(), Rc::clone(&ticks));
        async move {
            loop {
                ticks
                    .borrow_mut()
                    .push(controls.now().as_nanos() / 1_000_000);
                host.clock().sleep(MILLISECOND).await;
            }
        }
    })
}

#[test]
fn a_paused_machine_polls_nothing_its_timers_are_late_and_the_others_go_on() {
    let mut world = world(1);
    let (paused, other): (Ticks, Ticks) = Default::default();
    let first = world.add_machine(machine("paused"), ticker(&world, &paused));
    let second = world.add_machine(machine("other"), ticker(&world, &other));
    let duration = 40 * MILLISECOND;
    world.add_fault(Fault {
        anchor: at_millis(20),
        kind: FaultKind::Pause {
            machine: first,
            duration,
        },
    });
    world.boot(first);
    world.boot(second);
    world.run(until(100));
    // It wakes when the pause ends, not before, and keeps its rhythm from there.
    let ticked = |ticks: &Ticks| ticks.borrow().clone();
    assert_eq!(ticked(&paused), (0..20).chain(60..=100).collect::<Vec<_>>());
    assert_eq!(ticked(&other), (0..=100).collect::<Vec<_>>());
    assert_eq!(world.marks().count("fault.pause"), 1);
    assert_eq!(
        world.with_machine(first, |machine| machine.incarnation()),
        1
    );
}

#[test]
fn packets_to_a_paused_machine_queue_and_its_requests_are_done() {
    let mut world = world(2);
    let heard: Rc<RefCell<Vec<u64>>> = Rc::default();
    let (log, controls) = (Rc::clone(&heard), world.controls());
    let listener = quiet(move |host: Host| {
        let (log, controls) = (Rc::clone(&log), controls.clone());
        async move {
            let file = host
                .disk()
                .open("f", OpenMode::Create)
                .await
                .expect("a file");
            let network = host.network();
            network.recv().await;
            // The request is made before the pause, and carried out within it.
            let write = file.write_at(0, Bytes::from_static(b"x"));
            let written = write.await.expect("space");
            assert_eq!(written, 1);
            log.borrow_mut().push(controls.now().as_nanos() / 1_000_000);
            for _ in 0..9 {
                network.recv().await;
                log.borrow_mut().push(controls.now().as_nanos() / 1_000_000);
            }
        }
    });
    let paused = world.add_machine(machine("paused"), listener);
    let sender = quiet(move |host: Host| async move {
        host.clock().sleep(10 * MILLISECOND).await;
        for _ in 0..10 {
            host.network()
                .send(paused, Bytes::from_static(b"x"))
                .expect("small");
            host.clock().sleep(MILLISECOND).await;
        }
    });
    let sender = world.add_machine(machine("sender"), sender);
    let machine = paused;
    let anchor = Anchor::Disk("paused/1/f/write/0".parse().expect("an anchor"));
    let duration = 100 * MILLISECOND;
    let kind = FaultKind::Pause { machine, duration };
    world.add_fault(Fault { anchor, kind });
    world.boot(paused);
    world.boot(sender);
    world.run(until(60));
    let size = world.with_machine(paused, |machine| {
        machine.disk().stat("f").expect("it is there").size
    });
    assert!(size > 0, "the write is done while nobody hears of it");
    assert_eq!(*heard.borrow(), Vec::<u64>::new());
    world.run(until(500));
    let heard = heard.borrow();
    assert_eq!(heard.len(), 10);
    assert!(
        heard.iter().all(|at| *at == heard[0] && *at >= 110),
        "{heard:?}"
    );
}

#[test]
fn of_two_pauses_that_overlap_the_later_end_counts_and_a_crash_ends_both() {
    for (crashes, expected) in [(false, 70), (true, 35)] {
        let mut world = world(3);
        let ticks = Ticks::default();
        let machine = world.add_machine(machine("n1"), ticker(&world, &ticks));
        for (at, length) in [(10, 30), (20, 50)] {
            let duration = Duration::from_millis(length);
            let kind = FaultKind::Pause { machine, duration };
            let anchor = at_millis(at);
            world.add_fault(Fault { anchor, kind });
        }
        if crashes {
            let kind = FaultKind::Crash {
                machine,
                how: CrashKind::ProcessKill,
                down: 5 * MILLISECOND,
            };
            let anchor = at_millis(30);
            world.add_fault(Fault { anchor, kind });
        }
        world.boot(machine);
        world.run(until(100));
        let next = ticks.borrow().iter().copied().find(|tick| *tick >= 10);
        assert_eq!(next, Some(expected), "crashes: {crashes}");
    }
}

#[test]
fn healing_ends_a_pause_and_a_machine_that_is_down_is_not_paused() {
    let mut world = world(3);
    let ticks = Ticks::default();
    let machine = world.add_machine(machine("n1"), ticker(&world, &ticks));
    let duration = Duration::from_secs(3_600);
    for (at, kind) in [
        (5, FaultKind::Pause { machine, duration }),
        (15, FaultKind::Pause { machine, duration }),
    ] {
        let anchor = at_millis(at);
        world.add_fault(Fault { anchor, kind });
    }
    world.run(until(10));
    assert_eq!(world.faults_waiting(), [0, 1], "it is not up yet");
    world.boot(machine);
    world.run(until(20));
    assert_eq!(world.faults_waiting(), [0]);
    world.heal();
    world.run(until(30));
    assert_eq!(*ticks.borrow(), (10..15).chain(20..=30).collect::<Vec<_>>());
}

/// Software that counts its boots in a file, synced; and the counts that the boots found.
fn counting(found: &Rc<RefCell<Vec<usize>>>) -> Software {
    let found = Rc::clone(found);
    quiet(move |host: Host| {
        let found = Rc::clone(&found);
        async move {
            let disk = host.disk();
            let file = disk.open("boots", OpenMode::Create).await.expect("a file");
            let before = file.read_at(0, 64).await.expect("readable").len();
            found.borrow_mut().push(before);
            let offset = before as u64;
            file.write_at(offset, Bytes::from_static(b"x"))
                .await
                .expect("space");
            file.sync_all().await.expect("an honest disk");
            disk.sync_dir("").await.expect("an honest disk");
            std::future::pending::<()>().await;
        }
    })
}

#[test]
fn a_wiped_machine_comes_back_with_an_empty_disk() {
    let mut world = world(4);
    let found = Rc::default();
    let machine = world.add_machine(machine("n1"), counting(&found));
    let down = 5 * MILLISECOND;
    let how = CrashKind::ProcessKill;
    for (at, kind) in [
        (50, FaultKind::Crash { machine, how, down }),
        (100, FaultKind::Wipe { machine, down }),
        (150, FaultKind::Crash { machine, how, down }),
        // The second of these strikes while it is down.
        (200, FaultKind::Crash { machine, how, down }),
        (202, FaultKind::Wipe { machine, down }),
    ] {
        let anchor = at_millis(at);
        world.add_fault(Fault { anchor, kind });
    }
    world.boot(machine);
    world.run(until(300));
    assert_eq!(*found.borrow(), [0, 1, 0, 1, 0]);
    assert_eq!(world.marks().count("machine.disk.wiped"), 2);
    assert_eq!(world.faults_waiting(), Vec::<usize>::new());
    let wiped = |(_, event): &(Instant, WorldEvent)| *event == WorldEvent::Wiped { machine };
    assert_eq!(
        world.events().iter().filter(|event| wiped(event)).count(),
        2
    );
}

#[test]
fn a_zone_is_struck_whole_and_the_machines_beside_it_are_not() {
    let down = 5 * MILLISECOND;
    let how = CrashKind::PowerCut;
    let duration = 30 * MILLISECOND;
    for (outage, mark, incarnations) in [
        (Outage::Crash { how, down }, "fault.zone.crash", [2, 2, 1]),
        (Outage::Pause { duration }, "fault.zone.pause", [1, 1, 1]),
        (Outage::Wipe { down }, "fault.zone.wipe", [2, 2, 1]),
    ] {
        let mut world = world(5);
        let ticks: [Ticks; 3] = Default::default();
        let machines: Vec<Address> = (0..3)
            .map(|index| {
                let software = ticker(&world, &ticks[index]);
                world.add_machine(machine(&format!("n{index}")), software)
            })
            .collect();
        let zone = machines[..2].to_vec();
        let kind = FaultKind::Zone {
            machines: zone,
            outage,
        };
        let anchor = at_millis(20);
        world.add_fault(Fault { anchor, kind });
        for machine in &machines {
            world.boot(*machine);
        }
        world.run(until(100));
        let seen = [0, 1, 2]
            .map(|index| world.with_machine(machines[index], |machine| machine.incarnation()));
        assert_eq!(seen, incarnations, "{outage:?}");
        let quiet_at_25 = [0, 1, 2].map(|index| !ticks[index].borrow().contains(&22));
        assert_eq!(quiet_at_25, [true, true, false], "{outage:?}");
        assert_eq!(world.marks().count(mark), 1);
    }
}

#[test]
fn a_crash_by_number_strikes_each_request_of_a_recovery() {
    // The second boot asks the disk five times: a crash at each of them, then one at none.
    for ordinal in 0..6 {
        let mut world = world(6);
        let found = Rc::default();
        let machine = world.add_machine(machine("n1"), counting(&found));
        let down = 5 * MILLISECOND;
        let how = CrashKind::ProcessKill;
        let kind = FaultKind::Crash { machine, how, down };
        let anchor = at_millis(50);
        world.add_fault(Fault {
            anchor,
            kind: kind.clone(),
        });
        let place: RequestAnchor = format!("n1/2/{ordinal}").parse().expect("an anchor");
        assert_eq!(place.to_string(), format!("n1/2/{ordinal}"));
        let anchor = Anchor::Request(place);
        world.add_fault(Fault { anchor, kind });
        world.boot(machine);
        world.run(until(300));
        let struck = ordinal < 5;
        assert_eq!(world.faults_waiting().is_empty(), struck, "{ordinal}");
        let incarnations = world.with_machine(machine, |machine| machine.incarnation());
        assert_eq!(incarnations, if struck { 3 } else { 2 });
    }
}

#[test]
fn a_number_that_is_not_one_is_refused_and_named() {
    for (text, cause) in [
        ("n1/2", "it has 2 parts, not 3"),
        ("/2/3", "the machine may not be empty"),
        ("n1/x/3", "the incarnation `x` is not a number"),
        ("n1/2/x", "the ordinal `x` is not a number"),
    ] {
        let error = text
            .parse::<RequestAnchor>()
            .expect_err("it is none")
            .to_string();
        assert_eq!(
            error,
            format!("`{text}` is not `machine/incarnation/ordinal`: {cause}")
        );
    }
}

#[test]
#[should_panic(expected = "a fault waits for a machine n7: none")]
fn a_fault_at_a_machine_that_there_is_not_is_refused() {
    let mut world = world(6);
    let machine = world.add_machine(machine("n1"), quiet(|_| async {}));
    let anchor = Anchor::Disk("n7/1/log/sync/0".parse().expect("an anchor"));
    let kind = FaultKind::FailSync { machine };
    world.add_fault(Fault { anchor, kind });
}

/// What the wall clock shows at 0, 1, .. 6 s, in milliseconds since the run's begin; the monotonic clock
/// shows true time, from the machine's boot on.
fn shown(drift_ppm: i64, kinds: &[(u64, FaultKind)]) -> Vec<i64> {
    let mut world = world(7);
    let shown: Rc<RefCell<Vec<i64>>> = Rc::default();
    let (log, booted) = (Rc::clone(&shown), Rc::new(Cell::new(0)));
    let node = quiet(move |host: Host| {
        let (log, booted) = (Rc::clone(&log), Rc::clone(&booted));
        async move {
            let clock = host.clock();
            assert_eq!(
                clock.monotonic(),
                Instant::ZERO,
                "each incarnation's begins anew"
            );
            booted.set(booted.get() + 1);
            for second in 0..=6 {
                clock
                    .sleep_until(Instant::ZERO.after(Duration::from_secs(second)))
                    .await;
                assert_eq!(clock.monotonic().as_nanos(), second * 1_000_000_000);
                let micros = clock.wall().0 - 1_700_000_000_000_000;
                log.borrow_mut().push(micros / 1_000);
            }
            std::future::pending::<()>().await;
        }
    });
    let mut options = machine("n1");
    options.clock.drift_ppm = drift_ppm;
    let address = world.add_machine(options, node);
    for (millis, kind) in kinds {
        let (anchor, kind) = (at_millis(*millis), kind.clone());
        world.add_fault(Fault { anchor, kind });
    }
    world.boot(address);
    world.run(until(20_000));
    assert_eq!(world.faults_waiting(), Vec::<usize>::new());
    shown.borrow().clone()
}

fn drift(ppm: i64, seconds: u64) -> FaultKind {
    FaultKind::ClockDrift {
        machine: Address(0),
        ppm,
        duration: Duration::from_secs(seconds),
    }
}

#[test]
fn a_drift_begins_and_ends_without_a_jump_and_what_it_gained_stays() {
    let fast = shown(0, &[(1_000, drift(500_000, 2))]);
    assert_eq!(fast, [0, 1_000, 2_500, 4_000, 5_000, 6_000, 7_000]);
    let still = shown(0, &[(1_000, drift(-1_000_000, 3))]);
    assert_eq!(still, [0, 1_000, 1_000, 1_000, 1_000, 2_000, 3_000]);
    // On top of how the machine was made; a later one takes the place of an earlier one.
    let both = shown(
        100_000,
        &[(1_000, drift(400_000, 9)), (3_000, drift(-100_000, 2))],
    );
    assert_eq!(both, [0, 1_100, 2_600, 4_100, 5_100, 6_100, 7_200]);
}

#[test]
fn a_restart_resets_the_monotonic_clock_and_not_the_wall_clock() {
    let machine = Address(0);
    let how = CrashKind::ProcessKill;
    let down = 500 * MILLISECOND;
    let seen = shown(0, &[(2_500, FaultKind::Crash { machine, how, down })]);
    let (first, second) = seen.split_at(3);
    assert_eq!(first, [0, 1_000, 2_000]);
    assert_eq!(second, [3_000, 4_000, 5_000, 6_000, 7_000, 8_000, 9_000]);
}
