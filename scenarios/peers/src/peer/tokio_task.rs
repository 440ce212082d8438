//! Steps of the baseline that one writes by hand: tokio on one thread with its clock paused, machines as
//! tasks, and one task as the network, which holds what is under way in a heap and draws its delays.

use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};
use std::future::Future;
use std::rc::Rc;
use std::time::Duration;

use bytes::Bytes;
use peers_measure::{Chance, Cost, PAYLOAD_SIZE, Workload, measure};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;
use tokio::task::{LocalSet, spawn_local};
use tokio::time::{Instant, sleep, timeout_at};

use super::unordered::Unordered;

/// Messages that the network takes at once.
const BATCH: usize = 256;

struct Message {
    from: u32,
    to: u32,
    bytes: Bytes,
}

/// When a message is due, and its number.
type Due = Reverse<(Instant, u64)>;

/// What a machine holds of the network.
struct Socket {
    own: u32,
    out: UnboundedSender<Message>,
    inbox: UnboundedReceiver<Message>,
}

impl Socket {
    fn send(&self, to: u32, bytes: &[u8]) {
        let message = Message {
            from: self.own,
            to,
            bytes: Bytes::copy_from_slice(bytes),
        };
        // The network ends with the run.
        let _ended = self.out.send(message);
    }
}

/// Carries messages until the machines are gone.
async fn network(
    mut sent: UnboundedReceiver<Message>,
    inboxes: Vec<UnboundedSender<Message>>,
    loss: u32,
) {
    let blocked: BTreeSet<(u32, u32)> = BTreeSet::new();
    let mut chance = Chance::new(42);
    let mut under_way: BinaryHeap<(Due, Unordered<Message>)> = BinaryHeap::new();
    let mut number = 0_u64;
    let mut batch = Vec::with_capacity(BATCH);
    loop {
        let far = Instant::now() + Duration::from_secs(3_600);
        let next = under_way.peek().map_or(far, |(due, _)| due.0.0);
        if timeout_at(next, sent.recv_many(&mut batch, BATCH)).await == Ok(0) {
            return;
        }
        let now = Instant::now();
        for message in batch.drain(..) {
            let is_lost = chance.word() as u32 % 1_000_000 < loss;
            if is_lost || blocked.contains(&(message.from, message.to)) {
                continue;
            }
            let delay = Duration::from_nanos(100_000 + chance.below(1_900_001));
            under_way.push((Reverse((now + delay, number)), Unordered(message)));
            number += 1;
        }
        while let Some((Reverse((due, _)), _)) = under_way.peek()
            && *due <= now
        {
            let (_, Unordered(message)) = under_way.pop().expect("one was seen a moment ago");
            let _gone = inboxes[message.to as usize].send(message);
        }
    }
}

/// Counts what was heard, and tells when it is enough.
#[derive(Clone)]
struct Counter {
    heard: Rc<Cell<u64>>,
    total: u64,
    done: Rc<Cell<Option<oneshot::Sender<()>>>>,
}

impl Counter {
    fn add(&self) {
        self.heard.set(self.heard.get() + 1);
        if self.heard.get() >= self.total
            && let Some(done) = self.done.take()
        {
            done.send(()).expect("the run waits for it");
        }
    }
}

async fn ping_pong(mut socket: Socket, counter: Counter) {
    if socket.own.is_multiple_of(2) {
        socket.send(socket.own ^ 1, &[7; PAYLOAD_SIZE]);
    }
    while let Some(message) = socket.inbox.recv().await {
        counter.add();
        socket.send(message.from, &message.bytes);
    }
}

async fn broadcast(mut socket: Socket, counter: Counter, machines_count: u32) {
    loop {
        for other in (0..machines_count).filter(|other| *other != socket.own) {
            socket.send(other, &[7; PAYLOAD_SIZE]);
        }
        for _ in 1..machines_count {
            if socket.inbox.recv().await.is_none() {
                return;
            }
            counter.add();
        }
    }
}

async fn sleeper(task: u32, counter: Counter) {
    let mut chance = Chance::new(u64::from(task));
    loop {
        sleep(Duration::from_micros(100 + chance.below(10_000))).await;
        counter.add();
    }
}

/// Spawns one task a machine, and the network between them.
fn machines<F>(machines_count: u32, main: impl Fn(Socket) -> F)
where
    F: Future<Output = ()> + 'static,
{
    let (out, sent) = unbounded_channel();
    let mut inboxes = Vec::new();
    for own in 0..machines_count {
        let (sender, inbox) = unbounded_channel();
        inboxes.push(sender);
        let out = out.clone();
        spawn_local(main(Socket { own, out, inbox }));
    }
    spawn_local(network(sent, inboxes, 0));
}

/// Runs a workload of this size.
///
/// # Panics
/// When tokio's runtime cannot be built.
#[must_use]
pub fn run(workload: Workload, total: u64) -> Cost {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .expect("a runtime without input and output needs nothing of the machine");
    measure(|| {
        LocalSet::new().block_on(&runtime, async {
            let (sender, done) = oneshot::channel();
            let counter = Counter {
                heard: Rc::default(),
                total,
                done: Rc::new(Cell::new(Some(sender))),
            };
            match workload {
                Workload::PingPong { machines_count } => {
                    machines(machines_count, |socket| ping_pong(socket, counter.clone()));
                }
                Workload::Broadcast { machines_count } => machines(machines_count, |socket| {
                    broadcast(socket, counter.clone(), machines_count)
                }),
                Workload::Timers { tasks_count } => {
                    for task in 0..tasks_count {
                        spawn_local(sleeper(task, counter.clone()));
                    }
                }
            }
            done.await.expect("some machine hears enough");
        });
        total
    })
}
