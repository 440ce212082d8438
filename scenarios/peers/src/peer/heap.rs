//! Steps of the limit: one loop over a heap of what is due, without machines, tasks or faults. Whoever
//! does more than this costs more.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hint::black_box;

use bytes::Bytes;
use peers_measure::{Chance, Cost, PAYLOAD_SIZE, Workload, measure};

use super::unordered::Unordered;

/// When a message is due, its number, and the machines it is from and to.
type Due = Reverse<(u64, u64, u32, u32)>;

const QUANTUM_NANOS: u64 = 1_000_000;

fn quantise(nanos: u64) -> u64 {
    nanos.div_ceil(QUANTUM_NANOS) * QUANTUM_NANOS
}

/// Messages under way.
struct Heap {
    heap: BinaryHeap<(Due, Unordered<Bytes>)>,
    chance: Chance,
    now: u64,
    sent_count: u64,
}

impl Heap {
    fn new() -> Heap {
        Heap {
            heap: BinaryHeap::new(),
            chance: Chance::new(42),
            now: 0,
            sent_count: 0,
        }
    }

    fn send(&mut self, from: u32, to: u32, bytes: &[u8]) {
        let delay = 100_000 + self.chance.below(1_900_001);
        let due = quantise(self.now + delay);
        let payload = Unordered(Bytes::copy_from_slice(bytes));
        self.heap
            .push((Reverse((due, self.sent_count, from, to)), payload));
        self.sent_count += 1;
    }

    fn next(&mut self) -> (u32, u32, Bytes) {
        let (Reverse((due, _, from, to)), payload) =
            self.heap.pop().expect("messages are always under way");
        self.now = due;
        (from, to, payload.0)
    }
}

fn ping_pong(machines_count: u32, total: u64) {
    let mut heap = Heap::new();
    for machine in (0..machines_count).step_by(2) {
        heap.send(machine, machine ^ 1, &[7; PAYLOAD_SIZE]);
    }
    for _ in 0..total {
        let (from, to, bytes) = heap.next();
        heap.send(to, from, black_box(&bytes));
    }
}

fn broadcast(machines_count: u32, total: u64) {
    let mut heap = Heap::new();
    let mut heard = vec![0_u32; machines_count as usize];
    let send_all = |heap: &mut Heap, own: u32| {
        for other in (0..machines_count).filter(|other| *other != own) {
            heap.send(own, other, &[7; PAYLOAD_SIZE]);
        }
    };
    for machine in 0..machines_count {
        send_all(&mut heap, machine);
    }
    for _ in 0..total {
        let (_, to, bytes) = heap.next();
        black_box(&bytes);
        heard[to as usize] += 1;
        if heard[to as usize] == machines_count - 1 {
            heard[to as usize] = 0;
            send_all(&mut heap, to);
        }
    }
}

fn timers(tasks_count: u32, total: u64) {
    let mut chance = Chance::new(42);
    let mut heap: BinaryHeap<Reverse<(u64, u64, u32)>> = BinaryHeap::new();
    let mut sequence = 0;
    let mut sleep = |heap: &mut BinaryHeap<_>, now: u64, task: u32| {
        let due = quantise(now + 100_000 + chance.below(10_000_000));
        heap.push(Reverse((due, sequence, task)));
        sequence += 1;
    };
    for task in 0..tasks_count {
        sleep(&mut heap, 0, task);
    }
    for _ in 0..total {
        let Reverse((due, _, task)) = heap.pop().expect("each task sleeps again");
        sleep(&mut heap, due, task);
    }
}

/// Runs a workload of this size.
#[must_use]
pub fn run(workload: Workload, total: u64) -> Cost {
    measure(|| {
        match workload {
            Workload::PingPong { machines_count } => ping_pong(machines_count, total),
            Workload::Broadcast { machines_count } => broadcast(machines_count, total),
            Workload::Timers { tasks_count } => timers(tasks_count, total),
        }
        total
    })
}
