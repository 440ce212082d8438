//! Steps on Cenotaph: worlds at their defaults, fingerprint on, loss and partitions at 0 %, all through
//! the public host.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use bytes::Bytes;
use cenotaph_sim::entropy::RunKey;
use cenotaph_sim::host::{Address, Host};
use cenotaph_sim::time::Instant;
use cenotaph_sim::world::{
    Controls, Limits, MachineOptions, RunEnd, World, WorldOptions, software,
};
use peers_measure::{Chance, Cost, PAYLOAD_SIZE, Workload, measure};

/// Counts what was heard, and ends the run when it is enough.
#[derive(Clone)]
struct Counter {
    heard: Rc<Cell<u64>>,
    total: u64,
    controls: Controls,
}

impl Counter {
    fn add(&self) {
        self.heard.set(self.heard.get() + 1);
        if self.heard.get() >= self.total {
            self.controls.finish();
        }
    }
}

type Answer = Result<(), String>;

async fn ping_pong(host: Host, counter: Counter) -> Answer {
    let network = host.network();
    let own = network.address().0;
    let send = |to, bytes: &[u8]| network.send(to, Bytes::copy_from_slice(bytes));
    if own.is_multiple_of(2) {
        let sent = send(Address(own ^ 1), &[7; PAYLOAD_SIZE]);
        sent.map_err(|error| error.to_string())?;
    }
    loop {
        let packet = network.recv().await;
        counter.add();
        let sent = send(packet.from, &packet.bytes);
        sent.map_err(|error| error.to_string())?;
    }
}

async fn broadcast(host: Host, machines_count: u32, counter: Counter) -> Answer {
    let network = host.network();
    let own = network.address().0;
    loop {
        for other in (0..machines_count).filter(|other| *other != own) {
            let sent = network.send(Address(other), Bytes::copy_from_slice(&[7; PAYLOAD_SIZE]));
            sent.map_err(|error| error.to_string())?;
        }
        for _ in 1..machines_count {
            network.recv().await;
            counter.add();
        }
    }
}

async fn timers(host: Host, tasks_count: u32, counter: Counter) -> Answer {
    for task in 0..tasks_count {
        let (clock, counter) = (host.clock(), counter.clone());
        host.spawn("sleeper", async move {
            let mut chance = Chance::new(u64::from(task));
            loop {
                let micros = 100 + chance.below(10_000);
                clock.sleep(Duration::from_micros(micros)).await;
                counter.add();
            }
        });
    }
    std::future::pending().await
}

fn build(workload: Workload, total: u64) -> World {
    let mut world = World::new(WorldOptions::new(RunKey(42)));
    let counter = Counter {
        heard: Rc::default(),
        total,
        controls: world.controls(),
    };
    let (machines_count, main) = match workload {
        Workload::PingPong { machines_count } => (
            machines_count,
            software(move |host| ping_pong(host, counter.clone())),
        ),
        Workload::Broadcast { machines_count } => (
            machines_count,
            software(move |host| broadcast(host, machines_count, counter.clone())),
        ),
        Workload::Timers { tasks_count } => (
            1,
            software(move |host| timers(host, tasks_count, counter.clone())),
        ),
    };
    let machines: Vec<Address> = (0..machines_count)
        .map(|index| world.add_machine(MachineOptions::new(&format!("m{index}")), Rc::clone(&main)))
        .collect();
    for machine in machines {
        world.boot(machine);
    }
    world
}

/// What a run showed beside its cost.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// What it cost.
    pub cost: Cost,
    /// Ready tasks that a pick had to choose from, in tenths, on average.
    pub ready_tenths: u64,
}

/// Runs a workload of this size.
///
/// # Panics
/// When the run ends otherwise than by its counter.
#[must_use]
pub fn run(workload: Workload, total: u64) -> Run {
    let world = build(workload, total);
    let limits = Limits {
        until: Instant::from_nanos(u64::MAX / 2),
        polls_max: u64::MAX,
        polls_at_once_max: u64::MAX,
    };
    let cost = measure(|| {
        assert_eq!(world.run(limits), RunEnd::Finished, "{workload}");
        total
    });
    let statistics = world.statistics();
    Run {
        cost,
        ready_tenths: statistics.ready_sum * 10 / statistics.polls_count.max(1),
    }
}
