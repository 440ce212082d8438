//! Steps of a world on madsim: machines are nodes, messages are datagrams of an endpoint.

use std::future::Future;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use madsim::Config;
use madsim::net::Endpoint;
use madsim::runtime::Runtime;
use madsim::time::sleep;
use peers_measure::{Chance, PAYLOAD_SIZE, Workload, measure};
use tokio::sync::oneshot;

/// About what madsim carries; the length of a run follows from it.
const PER_SECOND: u64 = 500_000;
const PORT: u16 = 9;
const TAG: u64 = 1;

type Done = Arc<Mutex<Option<oneshot::Sender<()>>>>;

/// Counts what was heard, and tells when it is enough.
#[derive(Clone)]
struct Counter {
    heard: Arc<AtomicU64>,
    total: u64,
    done: Done,
}

impl Counter {
    /// Counts one, and tells whether to go on. Virtual time passes with each poll, so many tasks that
    /// never end keep one another busy for ever, and the run never looks whether it is to end.
    fn add(&self) -> bool {
        let heard = self.heard.fetch_add(1, Ordering::Relaxed) + 1;
        if heard == self.total {
            let done = self.done.lock().expect("one thread").take();
            let _ended = done.expect("the last is counted once").send(());
        }
        heard < self.total
    }
}

fn ip(machine: u32) -> IpAddr {
    IpAddr::V4(Ipv4Addr::from(0x0a00_0001 + machine))
}

fn address(machine: u32) -> SocketAddr {
    SocketAddr::new(ip(machine), PORT)
}

async fn ping_pong(own: u32, counter: Counter) -> io::Result<()> {
    let endpoint = Endpoint::bind(address(own)).await?;
    // Whom a message reaches before it is bound does not hear it.
    sleep(Duration::from_millis(1)).await;
    if own.is_multiple_of(2) {
        let other = address(own ^ 1);
        endpoint.send_to(other, TAG, &[7; PAYLOAD_SIZE]).await?;
    }
    let mut bytes = [0; PAYLOAD_SIZE];
    loop {
        let (_, from) = endpoint.recv_from(TAG, &mut bytes).await?;
        if !counter.add() {
            return Ok(());
        }
        endpoint.send_to(from, TAG, &bytes).await?;
    }
}

async fn broadcast(own: u32, machines_count: u32, counter: Counter) -> io::Result<()> {
    let endpoint = Endpoint::bind(address(own)).await?;
    sleep(Duration::from_millis(1)).await;
    let mut bytes = [7; PAYLOAD_SIZE];
    loop {
        for other in (0..machines_count).filter(|other| *other != own) {
            endpoint.send_to(address(other), TAG, &bytes).await?;
        }
        for _ in 1..machines_count {
            endpoint.recv_from(TAG, &mut bytes).await?;
            if !counter.add() {
                return Ok(());
            }
        }
    }
}

async fn sleeper(task: u32, counter: Counter) -> io::Result<()> {
    let mut chance = Chance::new(u64::from(task));
    loop {
        sleep(Duration::from_micros(100 + chance.below(10_000))).await;
        if !counter.add() {
            return Ok(());
        }
    }
}

/// Starts one task on each of so many nodes of their own.
fn nodes<F>(runtime: &Runtime, count: u32, main: impl Fn(u32) -> F)
where
    F: Future<Output = io::Result<()>> + Send + 'static,
{
    for own in 0..count {
        let node = runtime.create_node().ip(ip(own)).build();
        node.spawn(main(own));
    }
}

fn start(runtime: &Runtime, workload: Workload, counter: &Counter) {
    match workload {
        Workload::PingPong { machines_count } => {
            nodes(runtime, machines_count, |own| {
                ping_pong(own, counter.clone())
            });
        }
        Workload::Broadcast { machines_count } => {
            nodes(runtime, machines_count, |own| {
                broadcast(own, machines_count, counter.clone())
            });
        }
        Workload::Timers { tasks_count } => {
            let node = runtime.create_node().build();
            for task in 0..tasks_count {
                node.spawn(sleeper(task, counter.clone()));
            }
        }
    }
}

/// Runs every workload once, and prints `per second`, a tab, and its name.
pub(crate) fn print_all() {
    for workload in Workload::ALL {
        let total = workload.count(PER_SECOND);
        let mut config = Config::default();
        config.net.send_latency = Duration::from_micros(100)..Duration::from_millis(2);
        let runtime = Runtime::with_seed_and_config(42, config);
        let (sender, done) = oneshot::channel();
        let counter = Counter {
            heard: Arc::default(),
            total,
            done: Arc::new(Mutex::new(Some(sender))),
        };
        let cost = measure(|| {
            start(&runtime, workload, &counter);
            runtime.block_on(done).expect("some machine hears enough");
            counter.heard.load(Ordering::Relaxed)
        });
        println!("{}\t{workload}", cost.per_second);
    }
}
