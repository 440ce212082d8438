//! Steps of the self-tests of machines: sleep, stay down, cut a link under a packet.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use bytes::Bytes;
use cenotaph_sim::disk::CrashKind;
use cenotaph_sim::fault::{Anchor, Fault, FaultKind};
use cenotaph_sim::host::{Address, Host};
use cenotaph_sim::network::{Barrier, Closed, Way};
use cenotaph_sim::time::Instant;

use super::table::hold;
use crate::support::{machine, quiet, until, world};

/// Sleeps of several lengths end in the order of their lengths, none early, none later than a quantum.
pub(super) fn a_sleep_ends_at_its_time() -> Result<(), String> {
    const MILLIS: [u64; 5] = [1, 7, 50, 1_000, 86_400_000];
    let ends = Rc::new(RefCell::new(Vec::new()));
    let log = Rc::clone(&ends);
    let mut world = world(3);
    let node = quiet(move |host: Host| {
        let log = Rc::clone(&log);
        async move {
            for millis in MILLIS {
                let (clock, log) = (host.clock(), Rc::clone(&log));
                host.spawn("sleeper", async move {
                    clock.sleep(Duration::from_millis(millis)).await;
                    log.borrow_mut()
                        .push(clock.monotonic().as_nanos() / 1_000_000);
                });
            }
            std::future::pending::<()>().await;
        }
    });
    let address = world.add_machine(machine("n1"), node);
    world.boot(address);
    world.run(until(100_000_000));
    let ends = ends.borrow();
    hold(ends[..] == MILLIS, || {
        format!("sleeps of {MILLIS:?} ms ended at {ends:?}")
    })
}

/// A wall clock shows the time for which its machine was down, too.
pub(super) fn a_wall_clock_goes_on_while_its_machine_is_down() -> Result<(), String> {
    const DOWN: Duration = Duration::from_secs(60);
    let seen = Rc::new(RefCell::new(Vec::new()));
    let log = Rc::clone(&seen);
    let mut world = world(3);
    let node = quiet(move |host: Host| {
        log.borrow_mut().push(host.clock().wall().0);
        std::future::pending::<()>()
    });
    let address = world.add_machine(machine("n1"), node);
    world.boot(address);
    world.run(until(10));
    world.crash(address, CrashKind::ProcessKill, Some(DOWN));
    world.run(until(120_000));
    let seen = seen.borrow();
    hold(seen.len() == 2 && seen[1] - seen[0] >= 60_000_000, || {
        format!("wall clocks at two boots, a minute apart: {seen:?}")
    })
}

/// A packet that was sent before a partition does not arrive behind it.
pub(super) fn a_partition_takes_what_is_in_flight() -> Result<(), String> {
    let heard = Rc::new(Cell::new(0));
    let count = Rc::clone(&heard);
    let mut world = world(3);
    let listener = quiet(move |host: Host| {
        let count = Rc::clone(&count);
        async move {
            loop {
                host.network().recv().await;
                count.set(count.get() + 1);
            }
        }
    });
    let sender = quiet(move |host: Host| async move {
        host.network()
            .send(Address(0), Bytes::new())
            .expect("small");
    });
    for (name, software) in [("listener", listener), ("sender", sender)] {
        let address = world.add_machine(machine(name), software);
        world.boot(address);
    }
    world.add_fault(Fault {
        anchor: Anchor::At(Instant::from_nanos(50_000)),
        kind: FaultKind::Partition {
            barrier: Barrier {
                left: vec![Address(0)],
                right: vec![Address(1)],
                way: Way::Both,
                closed: Closed::LosesAll,
            },
            duration: Duration::from_secs(10),
        },
    });
    world.run(until(1_000));
    hold(heard.get() == 0, || {
        format!("{} packets came through a partition", heard.get())
    })
}
