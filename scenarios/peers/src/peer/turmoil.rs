//! Steps on turmoil: machines are hosts, messages are UDP datagrams, timers are tokio's.

use std::cell::Cell;
use std::net::{IpAddr, Ipv4Addr};
use std::rc::Rc;
use std::time::Duration;

use peers_measure::{Chance, Cost, PAYLOAD_SIZE, Workload, measure};
use tokio::time::sleep;
use turmoil::net::UdpSocket;
use turmoil::{Builder, Result, Sim};

const PORT: u16 = 9;

/// Counts what was heard.
#[derive(Clone, Default)]
struct Counter(Rc<Cell<u64>>);

impl Counter {
    fn add(&self) {
        self.0.set(self.0.get() + 1);
    }
}

fn name(machine: u32) -> String {
    format!("m{machine}")
}

async fn socket() -> Result<UdpSocket> {
    Ok(UdpSocket::bind((IpAddr::V4(Ipv4Addr::UNSPECIFIED), PORT)).await?)
}

async fn ping_pong(own: u32, counter: Counter) -> Result {
    let socket = socket().await?;
    if own.is_multiple_of(2) {
        let other = turmoil::lookup(name(own ^ 1));
        socket.send_to(&[7; PAYLOAD_SIZE], (other, PORT)).await?;
    }
    let mut bytes = [0; PAYLOAD_SIZE];
    loop {
        let (_, from) = socket.recv_from(&mut bytes).await?;
        counter.add();
        socket.send_to(&bytes, from).await?;
    }
}

async fn broadcast(own: u32, machines_count: u32, counter: Counter) -> Result {
    let socket = socket().await?;
    let others = (0..machines_count).filter(|other| *other != own);
    let others: Vec<IpAddr> = others.map(|other| turmoil::lookup(name(other))).collect();
    let mut bytes = [7; PAYLOAD_SIZE];
    loop {
        for other in &others {
            socket.send_to(&bytes, (*other, PORT)).await?;
        }
        for _ in &others {
            socket.recv_from(&mut bytes).await?;
            counter.add();
        }
    }
}

async fn timers(tasks_count: u32, counter: Counter) -> Result {
    for task in 0..tasks_count {
        let counter = counter.clone();
        tokio::task::spawn_local(async move {
            let mut chance = Chance::new(u64::from(task));
            loop {
                sleep(Duration::from_micros(100 + chance.below(10_000))).await;
                counter.add();
            }
        });
    }
    std::future::pending().await
}

fn build(workload: Workload, counter: &Counter) -> Sim<'static> {
    let mut sim = Builder::new()
        .rng_seed(42)
        .simulation_duration(Duration::from_secs(1_000_000))
        .min_message_latency(Duration::from_micros(100))
        .max_message_latency(Duration::from_millis(2))
        .udp_capacity(4_096)
        .build();
    match workload {
        Workload::PingPong { machines_count } => {
            for own in 0..machines_count {
                let counter = counter.clone();
                sim.host(name(own), move || ping_pong(own, counter.clone()));
            }
        }
        Workload::Broadcast { machines_count } => {
            for own in 0..machines_count {
                let counter = counter.clone();
                sim.host(name(own), move || {
                    broadcast(own, machines_count, counter.clone())
                });
            }
        }
        Workload::Timers { tasks_count } => {
            let counter = counter.clone();
            sim.host(name(0), move || timers(tasks_count, counter.clone()));
        }
    }
    sim
}

/// Runs a workload of this size.
///
/// # Panics
/// When turmoil gives the run up.
#[must_use]
pub fn run(workload: Workload, total: u64) -> Cost {
    let counter = Counter::default();
    let mut sim = build(workload, &counter);
    measure(|| {
        while counter.0.get() < total {
            sim.step().expect("hosts never end");
        }
        counter.0.get()
    })
}
