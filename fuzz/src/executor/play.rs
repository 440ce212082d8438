//! Steps of playing a program: each task logs what it has done, in a world whose order of tasks is fair,
//! or drawn from a key.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::future::{Future, pending, poll_fn};
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::task::{Context, Poll};
use std::time::Duration;

use cenotaph_sim::disk::CrashKind;
use cenotaph_sim::entropy::{Ratio, RunKey, mix64};
use cenotaph_sim::host::{Address, Host, JoinHandle};
use cenotaph_sim::sync::{Notify, timeout, yield_now};
use cenotaph_sim::time::Instant;
use cenotaph_sim::trace::Fingerprint;
use cenotaph_sim::world::{
    Controls, Limits, MachineOptions, RunEnd, World, WorldOptions, software,
};

use super::program::{
    CHANNELS_COUNT, CRASHING_INCARNATION_MAX, Entry, MACHINES_COUNT, Program, Seen, Step,
};

/// In which order tasks run that are ready at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// First come, first served.
    Fair,
    /// By this key.
    Keyed(u64),
    /// By this key, and now and then late.
    Stalled(u64),
}

/// What the tasks of a run share.
struct Shared {
    program: Program,
    controls: Controls,
    seen: RefCell<Seen>,
}

impl Shared {
    fn log(&self, task: u64, step: usize, answer: u64) {
        let nanos = self.controls.now().as_nanos();
        let entry = Entry {
            nanos,
            task,
            step,
            answer,
        };
        self.seen.borrow_mut().entries.push(entry);
    }
}

/// Logs when its task is dropped before its end.
struct Guard {
    shared: Rc<Shared>,
    task: u64,
    is_done: Cell<bool>,
}

impl Drop for Guard {
    fn drop(&mut self) {
        if !self.is_done.get() {
            let nanos = self.shared.controls.now().as_nanos();
            self.shared
                .seen
                .borrow_mut()
                .dropped
                .push((nanos, self.task));
        }
    }
}

/// Plays a program to its end: until nothing is ready and nothing is due.
///
/// # Panics
/// When the run ends in another way.
#[must_use]
pub fn play(program: &Program, order: Order) -> (Seen, Fingerprint) {
    let key = match order {
        Order::Fair => 0,
        Order::Keyed(key) | Order::Stalled(key) => key,
    };
    let mut options = WorldOptions::new(RunKey(key));
    options.quantum_nanos = program.quantum_nanos;
    if let Order::Stalled(_) = order {
        options.stall = Ratio::new(1, 3).expect("below one");
        options.stall_nanos_max = 1 << 24;
    }
    let mut world = World::new(options);
    let shared = Rc::new(Shared {
        program: program.clone(),
        controls: world.controls(),
        seen: RefCell::default(),
    });
    for machine in 0..MACHINES_COUNT {
        let shared = Rc::clone(&shared);
        let main = software(move |host| main_task(Rc::clone(&shared), host, machine));
        world.add_machine(MachineOptions::new(&format!("m{machine}")), main);
    }
    if order == Order::Fair {
        world.heal();
    }
    for machine in 0..MACHINES_COUNT {
        world.boot(address(machine));
    }
    let until = Instant::from_nanos(u64::MAX);
    let end = world.run(Limits {
        until,
        ..Limits::default()
    });
    assert!(
        matches!(end, RunEnd::Deadlock { .. }),
        "a program comes to its end: {end}"
    );
    let mut seen = shared.seen.take();
    seen.dropped.sort_unstable();
    seen.polls_count = world.statistics().polls_count;
    seen.spawned_count = world.statistics().spawned_count;
    (seen, world.trace().fingerprint().clone())
}

fn address(machine: usize) -> Address {
    Address(u32::try_from(machine).expect("few machines"))
}

/// A machine's main task; its guard is there before its first poll, as those of the others are.
fn main_task(
    shared: Rc<Shared>,
    host: Host,
    machine: usize,
) -> impl Future<Output = Result<(), String>> {
    let channels: Rc<[Notify; CHANNELS_COUNT]> = Rc::default();
    let id = mix64(machine as u64, u64::from(host.incarnation()));
    let stays = shared.program.stays[machine];
    let task = run_task(shared, host, channels, machine, id);
    async move {
        task.await;
        if stays { pending().await } else { Ok(()) }
    }
}

fn run_task(
    shared: Rc<Shared>,
    host: Host,
    channels: Rc<[Notify; CHANNELS_COUNT]>,
    task: usize,
    id: u64,
) -> Pin<Box<dyn Future<Output = ()>>> {
    let guard = Guard {
        shared: Rc::clone(&shared),
        task: id,
        is_done: Cell::new(false),
    };
    let mut actor = Actor {
        shared,
        host,
        channels,
        id,
        handles: VecDeque::new(),
        children_count: 0,
    };
    Box::pin(async move {
        let steps = guard.shared.program.tasks[task].clone();
        for (index, step) in steps.iter().enumerate() {
            let answer = match *step {
                Step::Crash {
                    machine,
                    down_nanos,
                } if actor.host.incarnation() <= CRASHING_INCARNATION_MAX => {
                    guard.shared.log(id, index, 0);
                    actor.crash(address(machine), down_nanos).await;
                    continue;
                }
                step => match actor.act(step) {
                    Some(answer) => answer,
                    None => actor.wait(step).await,
                },
            };
            guard.shared.log(id, index, answer);
        }
        guard.is_done.set(true);
        guard.shared.log(id, steps.len(), 0);
    })
}

/// A task in the middle of its steps.
struct Actor {
    shared: Rc<Shared>,
    host: Host,
    channels: Rc<[Notify; CHANNELS_COUNT]>,
    id: u64,
    handles: VecDeque<JoinHandle<()>>,
    children_count: u64,
}

impl Actor {
    /// Does a step that waits for nothing; its answer.
    fn act(&mut self, step: Step) -> Option<u64> {
        match step {
            Step::NotifyOne { channel } => self.channels[channel].notify_one(),
            Step::NotifyAll { channel } => self.channels[channel].notify_all(),
            Step::Spawn { task } => {
                let id = mix64(self.id, self.children_count);
                self.children_count += 1;
                let (shared, channels) = (Rc::clone(&self.shared), Rc::clone(&self.channels));
                let child = run_task(shared, self.host.clone(), channels, task, id);
                self.handles.push_back(self.host.spawn("task", child));
            }
            Step::Detach => drop(self.handles.pop_front()),
            // Too late to crash anything.
            Step::Crash { .. } => return Some(1),
            _ => return None,
        }
        Some(0)
    }

    /// Does a step that may wait; its answer.
    async fn wait(&mut self, step: Step) -> u64 {
        let clock = self.host.clock();
        let sleep = |nanos: u64| clock.sleep(Duration::from_nanos(nanos));
        let notified = |channel: usize| self.channels[channel].notified();
        match step {
            Step::Sleep { nanos } => sleep(nanos).await,
            Step::Race { limit_nanos, nanos } => {
                return u64::from(timeout(sleep(limit_nanos), sleep(nanos)).await.is_err());
            }
            Step::Abandon { nanos } => {
                let mut begun = pin!(sleep(nanos));
                let mut look = |context: &mut Context<'_>| begun.as_mut().poll(context).is_ready();
                return poll_fn(|context| Poll::Ready(u64::from(look(context)))).await;
            }
            Step::Yield => yield_now().await,
            Step::Wait { channel } => notified(channel).await,
            Step::WaitUntil {
                channel,
                limit_nanos,
            } => {
                let ended = timeout(sleep(limit_nanos), notified(channel)).await;
                return u64::from(ended.is_err());
            }
            Step::Join => match self.handles.pop_front() {
                Some(handle) => return u64::from(handle.await.is_err()),
                None => return 2,
            },
            other => unreachable!("{other:?} waits for nothing"),
        }
        0
    }

    /// Kills a machine; with its own one this task is over.
    async fn crash(&self, machine: Address, down_nanos: Option<u64>) {
        let down = down_nanos.map(Duration::from_nanos);
        let controls = &self.shared.controls;
        controls.crash(machine, CrashKind::ProcessKill, down);
        if machine == self.host.network().address() {
            pending().await
        }
    }
}
