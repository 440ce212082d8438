//! Invariants of worlds: the same plan gives the same run; machines fail and come back as told.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use bytes::Bytes;
use cenotaph_sim::disk::{Access, CrashKind};
use cenotaph_sim::entropy::RunKey;
use cenotaph_sim::fault::{Anchor, Fault, FaultKind};
use cenotaph_sim::host::{Host, OpenMode};
use cenotaph_sim::network::{Barrier, Closed, Way};
use cenotaph_sim::sync;
use cenotaph_sim::time::Instant;
use cenotaph_sim::world::{RunEnd, Stop, World, WorldEvent, WorldOptions};

use crate::support::{alone, machine, quiet, until, world};

#[test]
fn a_watched_disk_is_shown_after_each_request_that_may_change_it_and_nothing_else_changes() {
    let run = |is_watched: bool| {
        let shown: Rc<RefCell<Vec<String>>> = Rc::default();
        let mut world = world(3);
        let controls = world.controls();
        let writer = quiet(move |host: Host| {
            let controls = controls.clone();
            async move {
                let disk = host.disk();
                let file = disk.open("log-1", OpenMode::Create).await.expect("new");
                file.write_at(0, Bytes::from_static(b"record"))
                    .await
                    .expect("space");
                file.read_at(0, 6).await.expect("readable");
                file.sync_data().await.expect("no fault");
                controls.finish();
            }
        });
        let address = world.add_machine(machine("n1"), writer);
        if is_watched {
            let shown = Rc::clone(&shown);
            world.watch_disk(address, move |step| {
                let size = step.disk.stat("log-1").expect("it was made").size;
                let (kind, is_log) = (step.kind.name(), step.is_of("log"));
                shown.borrow_mut().push(format!("{kind} {is_log} {size}"));
            });
        }
        world.boot(address);
        assert_eq!(world.run(until(1_000)), RunEnd::Finished);
        (world.trace().fingerprint().clone(), shown.take())
    };
    let (watched, shown) = run(true);
    assert_eq!(shown, ["open true 0", "write true 6", "sync true 6"]);
    assert_eq!((watched, Vec::new()), run(false));
}

#[test]
fn a_world_may_begin_where_another_one_was_left() {
    let begins_at = Instant::ZERO.after(Duration::from_secs(7));
    let mut world = World::new(WorldOptions {
        begins_at,
        ..WorldOptions::new(RunKey(3))
    });
    let (controls, read) = (world.controls(), Rc::new(Cell::new(false)));
    let seen = Rc::clone(&read);
    let reader = quiet(move |host: Host| {
        let (controls, seen) = (controls.clone(), Rc::clone(&seen));
        async move {
            assert_eq!(host.incarnation(), 5);
            assert_eq!(host.clock().monotonic(), Instant::ZERO);
            let file = host
                .disk()
                .open("f", OpenMode::Read)
                .await
                .expect("it was left");
            assert_eq!(file.len().await.expect("readable"), 4);
            seen.set(true);
            controls.finish();
        }
    });
    let address = world.add_machine(machine("n1"), reader);
    world.with_machine(address, |machine| {
        let mut disk = machine.disk().clone();
        let file = disk.open("f", Access::Create).expect("new");
        disk.write_at(file, 0, b"left").expect("space");
        disk.close(file);
        machine.restore(disk, 4);
    });
    world.boot(address);
    assert_eq!(world.run(until(60_000)), RunEnd::Finished);
    assert!(read.get() && world.now() >= begins_at);
    assert!(world.events().iter().all(|(at, _)| *at >= begins_at));
}

/// Two machines that send a counter to and fro; finishes after `messages_count`.
fn ping_pong(key: u64, messages_count: u64) -> World {
    let mut world = world(key);
    let controls = world.controls();
    let pinger = quiet(move |host: Host| {
        let controls = controls.clone();
        async move {
            let network = host.network();
            let other = cenotaph_sim::host::Address(1 - network.address().0);
            if network.address().0 == 0 {
                network
                    .send(other, Bytes::copy_from_slice(&0_u64.to_le_bytes()))
                    .expect("small");
            }
            loop {
                let packet = network.recv().await;
                let count = u64::from_le_bytes(packet.bytes[..].try_into().expect("8 bytes")) + 1;
                if count >= messages_count {
                    controls.finish();
                }
                network
                    .send(packet.from, Bytes::copy_from_slice(&count.to_le_bytes()))
                    .expect("small");
            }
        }
    });
    for name in ["left", "right"] {
        let address = world.add_machine(machine(name), Rc::clone(&pinger));
        world.boot(address);
    }
    assert_eq!(world.run(until(3_600_000)), RunEnd::Finished);
    world
}

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "the test is about another thread"
)]
fn the_same_key_gives_the_same_fingerprint_on_another_thread() {
    let here = ping_pong(7, 5_000).trace().fingerprint().clone();
    let there = std::thread::spawn(|| ping_pong(7, 5_000).trace().fingerprint().clone())
        .join()
        .expect("the other run ends");
    assert_eq!(here, there);
    assert!(here.checkpoints().len() > 2, "{here}");
    assert_ne!(here, *ping_pong(8, 5_000).trace().fingerprint());
}

#[test]
fn sleeps_end_in_order_and_on_time() {
    let woken = Rc::new(RefCell::new(Vec::new()));
    let log = Rc::clone(&woken);
    let (world, end) = alone(1, move |host| {
        let log = Rc::clone(&log);
        async move {
            let mut joins = Vec::new();
            for millis in [30_u64, 10, 20] {
                let (clock, log) = (host.clock(), Rc::clone(&log));
                joins.push(host.spawn("sleeper", async move {
                    clock.sleep(Duration::from_millis(millis)).await;
                    log.borrow_mut()
                        .push((millis, clock.monotonic().as_nanos()));
                }));
            }
            for join in joins {
                join.await.expect("sleepers end");
            }
        }
    });
    assert!(
        matches!(end, RunEnd::Deadlock { tasks_count: 0, .. }),
        "{end}"
    );
    assert_eq!(
        *woken.borrow(),
        [(10, 10_000_000), (20, 20_000_000), (30, 30_000_000)]
    );
    drop(world);
    assert_eq!(World::alive_count(), 0);
}

#[test]
fn a_timeout_drops_what_was_too_slow_and_leaves_no_timer_behind() {
    let (world, _) = alone(1, |host| async move {
        let clock = host.clock();
        for _ in 0..10_000 {
            let slow = clock.sleep(Duration::from_secs(1_000));
            let result = sync::timeout(clock.sleep(Duration::from_millis(1)), slow).await;
            assert_eq!(result, Err(sync::Elapsed));
        }
    });
    assert!(
        world.now().as_nanos() < 1_100_000_000_000,
        "{}",
        world.now()
    );
}

#[test]
fn a_panicking_task_ends_its_machine_and_is_told_to_the_harness() {
    let mut world = world(4);
    let mut options = machine("n1");
    options.revive_after = Some(Duration::from_secs(1));
    let boots = Rc::new(Cell::new(0));
    let counter = Rc::clone(&boots);
    let node = quiet(move |host: Host| {
        counter.set(counter.get() + 1);
        async move {
            if host.incarnation() == 1 {
                host.spawn("careless", async { panic!("on purpose") });
            }
            host.clock().sleep(Duration::from_secs(10)).await;
        }
    });
    let address = world.add_machine(options, node);
    world.boot(address);
    world.run(until(5_000));
    assert_eq!(boots.get(), 2);
    let told = world.events().into_iter().any(|(_, event)| {
        matches!(event, WorldEvent::Stopped { stop: Stop::Panic { message, .. }, .. } if message.contains("on purpose"))
    });
    assert!(told, "{:?}", world.events());
}

#[test]
fn marks_of_a_kind_are_told_with_their_time_and_all_are_counted() {
    let mut world = World::new(WorldOptions {
        marks_logged: &["flush."],
        ..WorldOptions::new(RunKey(7))
    });
    let node = quiet(|host: Host| async move {
        host.mark("boot.done");
        host.clock().sleep(Duration::from_secs(1)).await;
        host.mark("flush.begun");
    });
    let address = world.add_machine(machine("n1"), node);
    world.boot(address);
    world.run(until(5_000));
    let events = world.events();
    let told: Vec<_> = events
        .iter()
        .filter_map(|(at, event)| match event {
            WorldEvent::Marked {
                machine,
                incarnation,
                mark,
            } => Some((at.as_nanos(), *machine, *incarnation, *mark)),
            _ => None,
        })
        .collect();
    assert_eq!(told, [(1_000_000_000, address, 1, "flush.begun")]);
    assert_eq!(world.marks().count("boot.done"), 1);
    assert_eq!(world.marks().count("flush.begun"), 1);
    assert_eq!(world.marks().count("machine.exit.clean"), 1);
}

#[test]
fn a_partition_takes_packets_in_flight_too() {
    let mut world = world(6);
    let heard = Rc::new(Cell::new(0));
    let counter = Rc::clone(&heard);
    let listener = quiet(move |host: Host| {
        let counter = Rc::clone(&counter);
        async move {
            loop {
                host.network().recv().await;
                counter.set(counter.get() + 1);
            }
        }
    });
    let left = world.add_machine(machine("left"), listener);
    let sender = quiet(move |host: Host| async move {
        host.network()
            .send(left, Bytes::from_static(b"in flight"))
            .expect("small");
        std::future::pending::<()>().await;
    });
    let right = world.add_machine(machine("right"), sender);
    let duration = Duration::from_secs(1);
    world.add_fault(Fault {
        anchor: Anchor::At(cenotaph_sim::time::Instant::from_nanos(1)),
        kind: FaultKind::Partition {
            barrier: Barrier {
                left: vec![left],
                right: vec![right],
                way: Way::Both,
                closed: Closed::LosesAll,
            },
            duration,
        },
    });
    world.boot(left);
    world.boot(right);
    world.run(until(10_000));
    assert_eq!(heard.get(), 0);
    assert_eq!(world.marks().count("network.partitioned"), 1);
}

#[test]
fn a_killed_process_loses_nothing_written_and_a_power_cut_loses_what_was_not_synced() {
    for (how, expected) in [
        (CrashKind::ProcessKill, "abcdef"),
        (CrashKind::PowerCut, "abc"),
    ] {
        let seen = Rc::new(RefCell::new(String::new()));
        let log = Rc::clone(&seen);
        let mut world = world(3);
        let mut options = machine("n1");
        options.disk = crate::support::disk(cenotaph_sim::disk::Profile::Strict);
        let controls = world.controls();
        let node = quiet(move |host: Host| {
            let (log, controls) = (Rc::clone(&log), controls.clone());
            async move {
                let disk = host.disk();
                if host.incarnation() == 1 {
                    let file = disk
                        .open("f", OpenMode::CreateNew)
                        .await
                        .expect("a new file");
                    file.write_at(0, Bytes::from_static(b"abc"))
                        .await
                        .expect("space");
                    file.sync_all().await.expect("an honest disk");
                    disk.sync_dir("").await.expect("an honest disk");
                    file.write_at(3, Bytes::from_static(b"def"))
                        .await
                        .expect("space");
                    controls.crash(host.network().address(), how, Some(Duration::from_secs(1)));
                    std::future::pending::<()>().await;
                }
                let file = disk
                    .open("f", OpenMode::Read)
                    .await
                    .expect("the file is durable");
                let bytes = file.read_at(0, 100).await.expect("readable");
                log.borrow_mut()
                    .push_str(std::str::from_utf8(&bytes).expect("text"));
                controls.finish();
            }
        });
        let address = world.add_machine(options, node);
        world.boot(address);
        assert_eq!(world.run(until(60_000)), RunEnd::Finished);
        assert_eq!(*seen.borrow(), expected, "{how:?}");
    }
}

#[test]
fn a_fault_anchored_at_a_request_strikes_there_and_one_without_a_place_is_reported() {
    let (world, _) = {
        let mut world = world(5);
        let node = quiet(|host: Host| async move {
            let disk = host.disk();
            let file = disk.open("log/1", OpenMode::Create).await;
            assert!(file.is_err(), "there is no directory yet");
            disk.create_dir("log").await.expect("space");
            let file = disk.open("log/1", OpenMode::Create).await.expect("space");
            for round in 0..4_u64 {
                file.write_at(round, Bytes::from_static(b"x"))
                    .await
                    .expect("space");
                assert_eq!(file.sync_data().await.is_err(), round == 2, "round {round}");
            }
        });
        let address = world.add_machine(machine("n1"), node);
        for text in ["n1/1/log/sync/2", "n1/1/log/sync/99"] {
            let anchor = Anchor::Disk(text.parse().expect("an anchor"));
            world.add_fault(Fault {
                anchor,
                kind: FaultKind::FailSync { machine: address },
            });
        }
        world.boot(address);
        let end = world.run(until(60_000));
        (world, end)
    };
    assert_eq!(world.marks().count("fault.disk.fail-sync"), 1);
    assert_eq!(world.faults_waiting().len(), 1);
    assert!(
        world.events().iter().all(|(_, event)| !matches!(
            event,
            WorldEvent::Stopped {
                stop: Stop::Panic { .. },
                ..
            }
        )),
        "{:?}",
        world.events()
    );
}

#[test]
fn a_dropped_request_is_carried_out_and_what_it_brings_is_given_back() {
    let (world, end) = alone(8, |host| async move {
        let (disk, clock) = (host.disk(), host.clock());
        for wait_nanos in [1, 200_000] {
            // Dropped before its answer, then with the answer there and not taken.
            let lock = disk.lock("lock");
            let _either = sync::timeout(clock.sleep(Duration::from_nanos(wait_nanos)), lock).await;
            clock.sleep(Duration::from_millis(10)).await;
            let free = disk.lock("lock").await;
            assert!(free.is_ok(), "{free:?} after {wait_nanos} ns");
        }
        let write = async {
            let file = disk.open("f", OpenMode::Create).await.expect("space");
            file.write_at(0, Bytes::from_static(b"whole")).await
        };
        let cut = sync::timeout(clock.sleep(Duration::from_micros(150)), write).await;
        assert_eq!(
            cut.map(|_| ()),
            Err(sync::Elapsed),
            "the write is dropped under way"
        );
        clock.sleep(Duration::from_millis(10)).await;
        let file = disk.open("f", OpenMode::Read).await.expect("it is there");
        assert_eq!(&file.read_at(0, 10).await.expect("readable")[..], b"whole");
    });
    assert!(
        end.to_string().starts_with("deadlock: 0 tasks"),
        "{end}; {:?}",
        world.events()
    );
}
