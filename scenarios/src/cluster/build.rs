//! Steps of building a cluster: one node, a machine for each client, one more for the client that
//! reads everything in the end; all knobs from the plan.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use cenotaph_engine::error::Error;
use cenotaph_engine::metrics::Metrics;
use cenotaph_engine::node::{self, Inspector};
use cenotaph_sim::disk::{Disk, DiskOptions, Profile, Tear};
use cenotaph_sim::entropy::{Ratio, RunKey};
use cenotaph_sim::host::{Address, Host};
use cenotaph_sim::network::{Bandwidth, LinkOptions};
use cenotaph_sim::time::Instant;
use cenotaph_sim::world::{
    ClockOptions, Controls, DiskTiming, MachineOptions, Schedule, Software, World, WorldOptions,
    software,
};

use super::client::{Client, run_session};
use super::config::engine_config;
use super::faults::simulated;
use super::options::RunOptions;
use super::patience::Patience;
use super::recorder::Recorder;
use super::types::Shapes;
use crate::history::{CORRUPTION, Event};
use crate::plan::{Operation, Plan, TaskSchedule, WorldKnobs};

/// The node's address.
pub const NODE: Address = Address(0);

/// The node's name.
pub const NODE_NAME: &str = "n1";

/// The address of the first client; the others follow.
pub const CLIENT_FIRST: u32 = 1;

/// How long the supervisor waits before it starts a process again that ended by itself.
const REVIVE_AFTER: Duration = Duration::from_millis(100);

/// Marks whose times the judges want: when schema flushes are armed, begin and end.
const MARKS_TIMED: &[&str] = &["schema."];

/// Polls among which priorities change: of a run of the usual size. One number for all, so that a plan keeps
/// its changes when it shrinks.
const POLLS_ESTIMATE: u64 = 1 << 11;

/// Bytes that wait for a link that has a limit; more are lost.
const LINK_QUEUE_BYTES_MAX: u64 = 64 << 10;

/// Syncs take this many times as long as other requests.
const SYNC_FACTOR: u64 = 4;

/// A world with a node and its clients.
#[derive(Debug)]
pub struct Cluster {
    /// The world.
    pub world: World,
    /// What happens in it.
    pub recorder: Recorder,
    /// The client that reads everything in the end; it is not booted yet.
    pub reader: Address,
    /// What each incarnation of the node that served shows of itself.
    insides: Insides,
}

/// What a crash left of a node.
#[derive(Clone, Debug)]
pub struct Left {
    /// When it was.
    pub at: Instant,
    /// The incarnation that it ended.
    pub incarnation: u32,
    /// The disk as it is now.
    pub disk: Disk,
}

/// What each incarnation of the node that served shows of itself, one after the other.
type Insides = Rc<RefCell<Vec<Inside>>>;

/// What an incarnation of the node shows of itself.
#[derive(Debug)]
struct Inside {
    incarnation: u32,
    metrics: Rc<Metrics>,
    inspector: Inspector,
}

impl Cluster {
    /// Builds the cluster of a plan and boots it, the last reader apart. `finals` is what the last
    /// reader does.
    #[must_use]
    pub fn build(plan: &Plan, finals: Vec<Operation>, options: &RunOptions) -> Cluster {
        let knobs = &plan.knobs.world;
        let mut world = World::new(world_options(plan, options));
        let of_clients = plan.clients.iter().map(Vec::len);
        let operations_count = of_clients.sum::<usize>() + finals.len();
        let recorder = Recorder::new(world.controls(), operations_count);
        let insides = Insides::default();
        let address = world.add_machine(
            node_machine(knobs),
            node_software(plan, &recorder, &insides),
        );
        assert_eq!(address, NODE, "the node is the first machine");

        let crew = Crew::of(plan, &world, &recorder);
        let busy_count = Rc::new(Cell::new(plan.clients.len()));
        let mut clients = Vec::new();
        for (index, session) in plan.clients.iter().enumerate() {
            let client = crew.client(index, session.clone(), &busy_count);
            clients.push(world.add_machine(client_machine(&format!("c{index}")), client));
        }
        let index = plan.clients.len();
        let patient = Crew {
            patience: Patience::of_reader(plan),
            ..crew
        };
        let reader = patient.client(index, finals, &Rc::new(Cell::new(1)));
        let reader = world.add_machine(client_machine(&format!("c{index}")), reader);
        for fault in &plan.faults {
            world.add_fault(simulated(fault, plan.clients.len()));
        }
        world.boot(NODE);
        for client in clients {
            world.boot(client);
        }
        Cluster {
            world,
            recorder,
            reader,
            insides,
        }
    }

    /// The cluster of a plan after a crash, as `left`: the node's disk, and two readers that do the same
    /// one after the other, the first of which is returned. Nothing is booted.
    #[must_use]
    pub fn restored(
        plan: &Plan,
        finals: &[Operation],
        left: &Left,
        options: &RunOptions,
    ) -> (Cluster, Address) {
        let knobs = &plan.knobs.world;
        let mut world = World::new(WorldOptions {
            begins_at: left.at.after(REVIVE_AFTER),
            ..world_options(plan, options)
        });
        let recorder = Recorder::new(world.controls(), 2 * finals.len());
        let insides = Insides::default();
        let node = node_software(plan, &recorder, &insides);
        let address = world.add_machine(node_machine(knobs), node);
        assert_eq!(address, NODE, "the node is the first machine");
        world.with_machine(NODE, |node| {
            node.restore(left.disk.clone(), left.incarnation);
        });
        let crew = Crew {
            patience: Patience::of_reader(plan),
            ..Crew::of(plan, &world, &recorder)
        };
        let readers = [0, 1].map(|number| {
            let index = plan.clients.len() + number;
            let reader = crew.client(index, finals.to_vec(), &Rc::new(Cell::new(1)));
            world.add_machine(client_machine(&format!("c{index}")), reader)
        });
        let cluster = Cluster {
            world,
            recorder,
            reader: readers[1],
            insides,
        };
        (cluster, readers[0])
    }

    /// Deletions that the compactions of all incarnations forgot.
    #[must_use]
    pub fn stones_purged_count(&self) -> u64 {
        let insides = self.insides.borrow();
        let counts = insides
            .iter()
            .map(|one| &one.metrics.node.tombstones_purged);
        counts.map(|count| count.get()).sum()
    }

    /// Asks the node, where it serves, whether it agrees with itself; what does not goes into the history.
    pub fn inspect(&self) {
        let insides = self.insides.borrow();
        let Some(newest) = insides.last() else {
            return;
        };
        for what in newest.inspector.violations() {
            self.recorder.push(Event::Contradicted {
                at: self.recorder.now(),
                incarnation: newest.incarnation,
                what,
            });
        }
    }
}

/// The longest that a sync may take, from when a task should begin it until it knows the answer: the
/// task may be late when its time comes, when it gives way, and when the answer is there.
#[must_use]
pub fn sync_longest(knobs: &WorldKnobs) -> Duration {
    let disk_micros = SYNC_FACTOR * u64::from(knobs.disk_latency_micros_max);
    Duration::from_micros(disk_micros + quantum_micros(knobs)) + 3 * late_longest(knobs)
}

/// The longest that a ready task may be late.
#[must_use]
pub fn late_longest(knobs: &WorldKnobs) -> Duration {
    if knobs.stall == Ratio::NEVER {
        return Duration::ZERO;
    }
    Duration::from_micros(u64::from(knobs.stall_micros_max) + quantum_micros(knobs))
}

/// The longest that an instant is put off so that others fall together with it.
pub(super) fn quantum_longest(knobs: &WorldKnobs) -> Duration {
    Duration::from_micros(quantum_micros(knobs))
}

fn quantum_micros(knobs: &WorldKnobs) -> u64 {
    u64::from(knobs.time_quantum_micros.max(1))
}

fn world_options(plan: &Plan, options: &RunOptions) -> WorldOptions {
    let knobs = &plan.knobs.world;
    WorldOptions {
        key: RunKey(plan.run_key),
        quantum_nanos: quantum_micros(knobs) * 1_000,
        schedule: schedule(knobs),
        stall: knobs.stall,
        stall_nanos_max: u64::from(knobs.stall_micros_max) * 1_000,
        link: links(knobs),
        begins_at: Instant::ZERO,
        window: options.window.clone(),
        observed: options.observed,
        marks_logged: MARKS_TIMED,
    }
}

fn schedule(knobs: &WorldKnobs) -> Schedule {
    match knobs.schedule {
        TaskSchedule::Random => Schedule::Random,
        TaskSchedule::Walk => Schedule::Walk,
        TaskSchedule::Pct => Schedule::Pct {
            changes_count: knobs.schedule_changes_count,
            polls_estimate: POLLS_ESTIMATE,
        },
        TaskSchedule::RoundRobin => Schedule::RoundRobin,
    }
}

fn links(knobs: &WorldKnobs) -> LinkOptions {
    let delay_max_nanos = u64::from(knobs.network_delay_micros_max) * 1_000;
    let rate = knobs.network_bytes_per_second;
    LinkOptions {
        delay_min_nanos: delay_max_nanos / 8,
        delay_max_nanos,
        straggling: Ratio::new(1, 64).expect("a ratio below one"),
        loss: knobs.network_loss,
        duplication: knobs.network_duplication,
        bandwidth: (rate > 0).then(|| Bandwidth {
            bytes_per_second: u64::from(rate),
            queue_bytes_max: LINK_QUEUE_BYTES_MAX,
        }),
    }
}

fn node_machine(knobs: &WorldKnobs) -> MachineOptions {
    let base_nanos = u64::from(knobs.disk_latency_micros_max) * 1_000 / 2;
    MachineOptions {
        name: NODE_NAME.to_owned(),
        disk: DiskOptions {
            profile: knobs.disk_profile.into(),
            tear: knobs.disk_tear.into(),
            capacity_bytes: knobs.disk_capacity_bytes,
        },
        disk_timing: DiskTiming {
            base_nanos,
            sync_nanos: base_nanos * SYNC_FACTOR,
            short: Ratio::new(1, 32).expect("a ratio below one"),
        },
        clock: ClockOptions {
            offset_micros: knobs.clock_offset_millis * 1_000,
            drift_ppm: i64::from(knobs.clock_drift_ppm),
        },
        work_nanos: 0,
        revive_after: Some(REVIVE_AFTER),
    }
}

fn client_machine(name: &str) -> MachineOptions {
    MachineOptions {
        name: name.to_owned(),
        disk: DiskOptions {
            profile: Profile::Strict,
            tear: Tear::Page4k,
            capacity_bytes: 0,
        },
        disk_timing: DiskTiming::default(),
        clock: ClockOptions::default(),
        work_nanos: 0,
        revive_after: None,
    }
}

/// An error as the last words of a process; corruption is told apart from all else.
fn last_words(error: Error) -> String {
    if error.is_corruption() {
        format!("{CORRUPTION}{error}")
    } else {
        error.to_string()
    }
}

fn node_software(plan: &Plan, recorder: &Recorder, insides: &Insides) -> Software {
    let config = engine_config(&plan.knobs.engine);
    let (recorder, insides) = (recorder.clone(), Rc::clone(insides));
    software(move |host: Host| {
        let (recorder, insides) = (recorder.clone(), Rc::clone(&insides));
        async move {
            let incarnation = host.incarnation();
            let started = node::start(host, config).await.map_err(last_words)?;
            recorder.push(Event::Serving {
                at: recorder.now(),
                incarnation,
            });
            insides.borrow_mut().push(Inside {
                incarnation,
                metrics: started.metrics(),
                inspector: started.inspector(),
            });
            started.run().await.map_err(last_words)
        }
    })
}

/// What all clients of a run have in common.
struct Crew {
    shapes: Rc<Shapes>,
    patience: Patience,
    controls: Controls,
    recorder: Recorder,
}

impl Crew {
    fn of(plan: &Plan, world: &World, recorder: &Recorder) -> Crew {
        Crew {
            shapes: Rc::new(Shapes::of(plan)),
            patience: Patience::of_clients(plan),
            controls: world.controls(),
            recorder: recorder.clone(),
        }
    }

    fn client(
        &self,
        index: usize,
        operations: Vec<Operation>,
        busy_count: &Rc<Cell<usize>>,
    ) -> Software {
        let client = Rc::new(Client {
            index: u16::try_from(index).expect("a plan has fewer than 65,535 clients"),
            operations: operations.into_iter().map(Arc::new).collect(),
            shapes: Rc::clone(&self.shapes),
            patience: self.patience,
            controls: self.controls.clone(),
            recorder: self.recorder.clone(),
            busy_count: Rc::clone(busy_count),
        });
        software(move |host: Host| {
            let client = Rc::clone(&client);
            async move {
                run_session(host, &client).await;
                Ok(())
            }
        })
    }
}
