//! Vocabulary of the tests of `node`: one node, one client machine, and what may befall them.

use std::cell::RefCell;
use std::future::Future;
use std::rc::Rc;
use std::time::Duration;

use cenotaph_engine::commitlog::{CommitLogOptions, SyncMode};
use cenotaph_engine::compaction::CompactionOptions;
use cenotaph_engine::flush::FlushOptions;
use cenotaph_engine::node::{Config, run};
use cenotaph_engine::store::ManifestOptions;
use cenotaph_sim::disk::{CrashKind, Damage, Disk};
use cenotaph_sim::entropy::RunKey;
use cenotaph_sim::fault::{Anchor, DiskAnchor, Fault, FaultKind};
use cenotaph_sim::host::Address;
use cenotaph_sim::time::Instant;
use cenotaph_sim::world::{
    Limits, MachineOptions, RunEnd, Stop, World, WorldEvent, WorldOptions, software,
};

use super::client::Client;
use crate::bench::Point;

pub(crate) const NODE: Address = Address(0);
pub(crate) const CLIENT: Address = Address(1);

/// How long a node is down after a crash, or after it stopped by itself.
const DOWN: Duration = Duration::from_millis(20);

/// Small everything, so that little work meets every mechanism.
pub(crate) const CONFIG: Config = Config {
    commitlog: CommitLogOptions {
        mode: SyncMode::Batch,
        segment_size: 1_024,
    },
    flush: FlushOptions {
        memtable_size_max: 1 << 20,
        log_size_max: 1 << 20,
        block_size: 64,
        retry_millis: 5,
        flushes_per_table_max: 2,
    },
    compaction: CompactionOptions {
        sstables_min: 0,
        retry_millis: 5,
    },
    metadata: cenotaph_engine::metadata::MetadataOptions { file_size: 1 << 16 },
    manifest: ManifestOptions {
        file_size_max: 600,
        id_block_size: 4,
    },
    schema_flush_coalescing_window_millis: 1_000,
};

/// A world of one node and one client.
pub(crate) struct Cluster {
    pub(crate) world: World,
}

impl Cluster {
    /// The client's script is `main`; the run ends when it does. What it gives is in the answer's place.
    pub(crate) fn new<F, R, T>(
        key: u64,
        config: Config,
        main: F,
    ) -> (Cluster, Rc<RefCell<Option<T>>>)
    where
        F: FnOnce(Client) -> R + 'static,
        R: Future<Output = T> + 'static,
        T: 'static,
    {
        Cluster::in_world(WorldOptions::new(RunKey(key)), config, main)
    }

    /// As `new`, in a world with other options.
    pub(crate) fn in_world<F, R, T>(
        options: WorldOptions,
        config: Config,
        main: F,
    ) -> (Cluster, Rc<RefCell<Option<T>>>)
    where
        F: FnOnce(Client) -> R + 'static,
        R: Future<Output = T> + 'static,
        T: 'static,
    {
        let mut world = World::new(WorldOptions {
            marks_logged: &["schema."],
            ..options
        });
        let node = software(move |host| async move {
            run(host, config).await.map_err(|error| error.to_string())
        });
        assert_eq!(world.add_machine(machine("n1", Some(DOWN)), node), NODE);
        let answer: Rc<RefCell<Option<T>>> = Rc::default();
        let (controls, slot, once) = (
            world.controls(),
            Rc::clone(&answer),
            RefCell::new(Some(main)),
        );
        let client = software(move |host| {
            let main = once.borrow_mut().take().expect("the client boots once");
            let (controls, slot) = (controls.clone(), Rc::clone(&slot));
            async move {
                let output = main(Client::new(host, Some(controls.clone()))).await;
                *slot.borrow_mut() = Some(output);
                controls.finish();
                Ok(())
            }
        });
        assert_eq!(world.add_machine(machine("c1", None), client), CLIENT);
        (Cluster { world }, answer)
    }

    /// Boots all and runs to the client's end.
    ///
    /// # Panics
    /// When software panicked, or the client never came to its end.
    pub(crate) fn run(&self) {
        self.try_run().unwrap_or_else(|error| panic!("{error}"));
    }

    /// As `run`; tells instead of panicking what went wrong, and the node's last words.
    pub(crate) fn try_run(&self) -> Result<(), String> {
        self.world.boot(NODE);
        self.world.boot(CLIENT);
        let until = self.world.now().after(Duration::from_secs(4 * 3_600));
        let end = self.world.run(Limits {
            until,
            ..Limits::default()
        });
        for (_, event) in self.world.events() {
            if let WorldEvent::Stopped {
                stop: Stop::Panic { task, message },
                ..
            } = event
            {
                return Err(format!(
                    "{task} panicked: {message}; {:?}",
                    self.last_words()
                ));
            }
        }
        if end != RunEnd::Finished {
            return Err(format!("{end}; {:?}", self.last_words()));
        }
        Ok(())
    }

    /// Takes the node down for good, after a run.
    pub(crate) fn stop_node(&self, how: CrashKind) {
        self.world.crash(NODE, how, None);
        let until = self.world.now().after(Duration::from_millis(1));
        self.world.run(Limits {
            until,
            ..Limits::default()
        });
        assert!(!self.world.with_machine(NODE, |machine| machine.is_up()));
    }

    /// Why the node's incarnations ended by themselves, in order.
    pub(crate) fn last_words(&self) -> Vec<String> {
        let events = self.world.events();
        let ends = events.into_iter().filter_map(|(_, event)| match event {
            WorldEvent::Stopped {
                machine: NODE,
                stop: Stop::Exit(end),
                ..
            } => Some(end.err().unwrap_or_else(|| "ok".to_owned())),
            _ => None,
        });
        ends.collect()
    }

    /// Strikes at one disk request of one incarnation of the node.
    pub(crate) fn strike(&self, incarnation: u32, point: &Point, kind: FaultKind) {
        let Point {
            role,
            kind: request,
            ordinal,
        } = *point;
        let anchor = Anchor::Disk(DiskAnchor {
            machine: "n1".to_owned(),
            incarnation,
            role: role.to_owned(),
            kind: request,
            ordinal,
        });
        self.world.add_fault(Fault { anchor, kind });
    }

    pub(crate) fn all_struck(&self) -> bool {
        self.world.faults_waiting().is_empty()
    }

    pub(crate) fn marks_count(&self, mark: &str) -> u64 {
        self.world.marks().count(mark)
    }

    /// What became of the schema's rows, with the times.
    pub(crate) fn schema_marks(&self) -> Vec<(Instant, &'static str)> {
        let events = self.world.events().into_iter();
        let marks = events.filter_map(|(at, event)| match event {
            WorldEvent::Marked {
                mark,
                machine: NODE,
                ..
            } => Some((at, mark)),
            _ => None,
        });
        marks.collect()
    }

    pub(crate) fn with_disk<T>(&self, look: impl FnOnce(&mut Disk) -> T) -> T {
        self.world
            .with_machine(NODE, |machine| look(machine.disk_mut()))
    }
}

pub(crate) fn crash_fault(how: CrashKind) -> FaultKind {
    FaultKind::Crash {
        machine: NODE,
        how,
        down: DOWN,
    }
}

/// What boots `disk` say when they end by themselves within a second; None when the node serves.
pub(crate) fn boot_error(disk: &Disk) -> Option<String> {
    let (cluster, answer) = Cluster::new(99, CONFIG, |client| async move {
        client.sleep(Duration::from_secs(1)).await;
    });
    cluster.with_disk(|own| *own = disk.clone());
    cluster.run();
    assert!(answer.borrow().is_some());
    cluster.last_words().into_iter().next()
}

pub(crate) fn flip(disk: &mut Disk, path: &str, offset: u64, bit: u8) {
    disk.damage(path, Damage::FlipBit { offset, bit })
        .expect("the file is there");
}

fn machine(name: &str, revive_after: Option<Duration>) -> MachineOptions {
    MachineOptions {
        revive_after,
        ..MachineOptions::new(name)
    }
}
