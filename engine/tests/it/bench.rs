//! Vocabulary of tests on a simulated machine: one machine, whose disk outlives what runs on it.

use std::cell::RefCell;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::time::Duration;

use cenotaph_sim::disk::{CrashKind, Damage, Disk, DiskOptions, Profile, Tear};
use cenotaph_sim::entropy::RunKey;
use cenotaph_sim::fault::{Anchor, DiskAnchor, Fault, FaultKind, RequestKind};
use cenotaph_sim::host::{Address, Host};
use cenotaph_sim::world::{
    ClockOptions, DiskTiming, Limits, MachineOptions, RunEnd, Stop, World, WorldEvent,
    WorldOptions, software,
};

type Script = Box<dyn FnOnce(Host) -> Pin<Box<dyn Future<Output = Result<(), String>>>>>;

/// Every way in which a machine goes down.
pub(crate) const CRASH_KINDS: [CrashKind; 3] = [
    CrashKind::ProcessKill,
    CrashKind::KernelPanic,
    CrashKind::PowerCut,
];

/// What every path of a node begins with, and so every fault anchor names.
pub(crate) const ROLES: [&str; 6] = ["root", "lock", "metadata", "manifest", "data", "commitlog"];

/// One machine in a world of its own.
pub(crate) struct Bench {
    pub(crate) world: World,
    script: Rc<RefCell<Option<Script>>>,
}

pub(crate) const MACHINE: Address = Address(0);

impl Bench {
    pub(crate) fn new(key: u64) -> Bench {
        Bench::with_capacity(key, 64 << 20)
    }

    pub(crate) fn with_capacity(key: u64, capacity_bytes: u64) -> Bench {
        let mut world = World::new(WorldOptions::new(RunKey(key)));
        let script: Rc<RefCell<Option<Script>>> = Rc::default();
        let next = Rc::clone(&script);
        let options = MachineOptions {
            name: "n1".to_owned(),
            disk: DiskOptions {
                profile: Profile::PosixAdversarial,
                tear: Tear::Sector512,
                capacity_bytes,
            },
            disk_timing: DiskTiming::default(),
            clock: ClockOptions::default(),
            work_nanos: 0,
            revive_after: None,
        };
        let main = software(move |host| {
            let script = next.borrow_mut().take().expect("a script for each boot");
            script(host)
        });
        assert_eq!(world.add_machine(options, main), MACHINE);
        Bench { world, script }
    }

    /// Runs `main` as the machine's next incarnation. None when the machine went down before its end.
    ///
    /// # Panics
    /// When `main` panicked, or never ends.
    pub(crate) fn run<F, R, T>(&self, main: F) -> Option<T>
    where
        F: FnOnce(Host) -> R + 'static,
        R: Future<Output = T> + 'static,
        T: 'static,
    {
        let answer: Rc<RefCell<Option<T>>> = Rc::default();
        let (controls, slot) = (self.world.controls(), Rc::clone(&answer));
        *self.script.borrow_mut() = Some(Box::new(move |host| {
            Box::pin(async move {
                let output = main(host).await;
                *slot.borrow_mut() = Some(output);
                controls.finish();
                Ok(())
            })
        }));
        self.world.boot(MACHINE);
        let until = self.world.now().after(Duration::from_secs(3_600));
        let end = self.world.run(Limits {
            until,
            ..Limits::default()
        });
        let events = self.world.events();
        let panic = events.iter().find_map(|(_, event)| match event {
            WorldEvent::Stopped {
                stop: Stop::Panic { message, .. },
                ..
            } => Some(message.clone()),
            _ => None,
        });
        assert_eq!(panic, None, "the software panicked");
        let is_up = self.world.with_machine(MACHINE, |machine| machine.is_up());
        assert!(!is_up || end == RunEnd::Finished, "{end}");
        answer.take()
    }

    /// Runs `main` and then crashes the machine, after its last answer.
    pub(crate) fn run_then_crash<F, R, T>(&self, how: CrashKind, main: F) -> Option<T>
    where
        F: FnOnce(Host) -> R + 'static,
        R: Future<Output = T> + 'static,
        T: 'static,
    {
        let controls = self.world.controls();
        self.run(move |host| async move {
            let output = main(host).await;
            controls.crash(MACHINE, how, None);
            output
        })
    }

    /// Strikes at one request of the machine's next incarnation.
    pub(crate) fn strike(&self, point: &Point, kind: FaultKind) {
        let incarnation = self
            .world
            .with_machine(MACHINE, |machine| machine.incarnation())
            + 1;
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

    /// Whether every fault struck.
    pub(crate) fn all_struck(&self) -> bool {
        self.world.faults_waiting().is_empty()
    }

    /// Looks at the disk, or changes it on purpose, between two incarnations.
    pub(crate) fn with_disk<T>(&self, look: impl FnOnce(&mut Disk) -> T) -> T {
        self.world
            .with_machine(MACHINE, |machine| look(machine.disk_mut()))
    }

    /// Flips one bit of a file at rest.
    pub(crate) fn flip(&self, path: &str, offset: u64, bit: u8) {
        self.with_disk(|disk| disk.damage(path, Damage::FlipBit { offset, bit }))
            .expect("the file is there");
    }

    /// How often a mark was reached.
    pub(crate) fn marks_count(&self, mark: &str) -> u64 {
        self.world.marks().count(mark)
    }
}

/// A crash at the request of `point`, however the machine goes down.
pub(crate) fn crash_fault(how: CrashKind) -> FaultKind {
    FaultKind::Crash {
        machine: MACHINE,
        how,
        down: Duration::from_secs(1_000_000),
    }
}

/// One disk request of an incarnation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Point {
    pub(crate) role: &'static str,
    pub(crate) kind: RequestKind,
    pub(crate) ordinal: u64,
}

/// Calls `attempt` with every disk request of a script: for each role and kind with the ordinals from 0 on
/// until `attempt` says that there was no such request. Gives how many there were.
pub(crate) fn for_each_point(mut attempt: impl FnMut(Point) -> bool) -> usize {
    let mut points_count = 0;
    for role in ROLES {
        for kind in RequestKind::ALL {
            let mut ordinal = 0;
            while attempt(Point {
                role,
                kind,
                ordinal,
            }) {
                ordinal += 1;
                points_count += 1;
            }
        }
    }
    points_count
}
