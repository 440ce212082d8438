//! Vocabulary of worlds: what one is made of, and how software gets onto its machines.

use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;

use super::controls::Controls;
use crate::entropy::Ratio;
use crate::executor::{Fifo, Group, Statistics};
use crate::fault::Fault;
use crate::host::Host;
use crate::machine::{DiskStep, Ground, Machine, MachineOptions, Stop, WorldEvent, WorldOptions};
use crate::network::{Address, LinkOptions};
use crate::time::Instant;
use crate::trace::{Marks, Trace, set_here};

type Main = Pin<Box<dyn Future<Output = Result<(), String>>>>;

/// What runs on a machine: called at each boot with the new incarnation's host. When the future
/// ends, the process ends; an error is its last word.
pub type Software = Rc<dyn Fn(Host) -> Main>;

/// Makes software of an async function.
#[must_use]
pub fn software<F, R>(main: F) -> Software
where
    F: Fn(Host) -> R + 'static,
    R: Future<Output = Result<(), String>> + 'static,
{
    Rc::new(move |host| Box::pin(main(host)))
}

/// One run: machines, a network, a scheduler, virtual time.
pub struct World {
    pub(super) ground: Rc<Ground>,
    software: Vec<Software>,
}

impl std::fmt::Debug for World {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("World")
            .field("machines", &self.software.len())
            .finish()
    }
}

impl World {
    /// An empty world.
    #[must_use]
    pub fn new(options: WorldOptions) -> World {
        World {
            ground: Ground::new(options),
            software: Vec::new(),
        }
    }

    /// How many worlds of this thread are alive: none after their runs.
    #[must_use]
    pub fn alive_count() -> usize {
        Ground::alive_count()
    }

    /// Adds a machine with this software, switched off.
    ///
    /// # Panics
    /// When another machine has the name.
    pub fn add_machine(&mut self, options: MachineOptions, software: Software) -> Address {
        let address = self.ground.add_machine(options);
        self.software.push(software);
        assert_eq!(
            self.software.len(),
            address.0 as usize + 1,
            "one software a machine"
        );
        address
    }

    /// Boots a machine now.
    ///
    /// # Panics
    /// When it is up.
    pub fn boot(&self, machine: Address) {
        let place = self.ground.begin_life(machine);
        let host = Host::simulated(Rc::clone(&place));
        let main = self.software[machine.0 as usize](host);
        let ground = Rc::downgrade(&self.ground);
        let task = async move {
            let result = main.await;
            if let Some(ground) = ground.upgrade() {
                ground.ended(machine, Stop::Exit(result));
            }
        };
        self.ground.spawn(&place, "main", task);
    }

    /// Boots a machine now, unless it is up.
    pub fn boot_if_down(&self, machine: Address) {
        if !self.ground.with_machine(machine, |machine| machine.is_up()) {
            self.boot(machine);
        }
    }

    /// Stops a machine from outside; it boots again after `down`, when that is given.
    pub fn crash(
        &self,
        machine: Address,
        how: crate::disk::CrashKind,
        down: Option<std::time::Duration>,
    ) {
        self.ground.crash(machine, how, down);
    }

    /// Adds a fault; it strikes at its anchor.
    ///
    /// # Panics
    /// When it names a machine that the world does not have: it could never strike.
    pub fn add_fault(&self, fault: Fault) {
        self.ground.add_fault(fault);
    }

    /// The faults that did not strike, by their number in the order in which they were added.
    #[must_use]
    pub fn faults_waiting(&self) -> Vec<usize> {
        self.ground.faults_waiting()
    }

    /// A handle for the harness's own software.
    #[must_use]
    pub fn controls(&self) -> Controls {
        Controls::new(&self.ground)
    }

    /// Ends all faults: those that wait never strike, every way opens and what was held there arrives, links
    /// lose nothing and have room for all, clocks drift as they were made to, machines that were paused go
    /// on, the order of tasks becomes fair, and none is late. Machines that are down stay down: the caller boots them.
    pub fn heal(&self) {
        self.ground.disarm();
        self.ground.open_all_ways();
        self.ground.end_all_drifts();
        self.ground.executor().thaw_all();
        self.ground.with_fabric(|fabric| {
            let healed = LinkOptions {
                straggling: Ratio::NEVER,
                loss: Ratio::NEVER,
                duplication: Ratio::NEVER,
                bandwidth: None,
                ..fabric.options()
            };
            fabric.set_options(healed);
        });
        self.ground.executor().end_stalls();
        self.ground.executor().set_policy(Box::new(Fifo));
    }

    /// Looks at a machine, or changes it on purpose (damage at rest).
    pub fn with_machine<T>(&self, machine: Address, look: impl FnOnce(&mut Machine) -> T) -> T {
        self.ground.with_machine(machine, look)
    }

    /// Has `show` called with a machine's disk after each request that may change what a crash leaves of
    /// it, from now on: a fork of it is a crash point. Changes nothing that happens.
    pub fn watch_disk(&self, machine: Address, show: impl FnMut(&DiskStep<'_>) + 'static) {
        self.ground.watch_disk(machine, Box::new(show));
    }

    /// Virtual time.
    #[must_use]
    pub fn now(&self) -> Instant {
        self.ground.now()
    }

    /// Which marks were reached.
    #[must_use]
    pub fn marks(&self) -> Marks {
        self.ground.marks()
    }

    /// What happened so far.
    #[must_use]
    pub fn events(&self) -> Vec<(Instant, WorldEvent)> {
        self.ground.events()
    }

    /// Counters of scheduling.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        self.ground.executor().statistics()
    }

    /// The trace so far: its fingerprint, and what was recorded.
    #[must_use]
    pub fn trace(&self) -> Trace {
        self.ground.trace()
    }

    /// Tasks that have not ended.
    #[must_use]
    pub fn tasks_count(&self) -> usize {
        self.ground.executor().live_count()
    }
}

impl Drop for World {
    /// Ends every incarnation, then drops its tasks; a panic in a destructor is swallowed, since the
    /// run is over.
    fn drop(&mut self) {
        for index in 0..self.software.len() {
            let machine = Address(u32::try_from(index).expect("fewer than 2^32 machines"));
            let incarnation = self
                .ground
                .with_machine(machine, |machine| machine.incarnation());
            self.ground.end_life(machine);
            let _panics = self.ground.executor().drop_group(Group {
                machine: machine.0,
                incarnation,
            });
        }
        set_here(None);
    }
}
