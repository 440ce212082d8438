//! Vocabulary of machines: a disk, a clock, and one incarnation at a time.

use std::rc::Rc;
use std::time::Duration;

use super::clock::{ClockOptions, WallClock};
use super::place::Life;
use super::strike::Armed;
use crate::disk::{Disk, DiskOptions, Profile, Tear};
use crate::entropy::{Ratio, StreamKey, mix64};
use crate::time::Instant;

/// How long disk requests take; each takes between one and two times its base.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiskTiming {
    /// Base of requests that may be answered from memory, in nanoseconds.
    pub base_nanos: u64,
    /// Base of syncs, in nanoseconds.
    pub sync_nanos: u64,
    /// How often a read or write moves fewer bytes than asked.
    pub short: Ratio,
}

impl Default for DiskTiming {
    fn default() -> DiskTiming {
        DiskTiming {
            base_nanos: 50_000,
            sync_nanos: 1_000_000,
            short: Ratio::NEVER,
        }
    }
}

/// How often a machine's supervisor starts a process again that ended by itself, before it gives up:
/// one that cannot start would else be started for ever.
pub const REVIVES_MAX: u32 = 16;

/// What a machine is made of.
#[derive(Clone, Debug)]
pub struct MachineOptions {
    /// Its name, unique in the world; without `/`.
    pub name: String,
    /// Its disk.
    pub disk: DiskOptions,
    /// How long its disk takes.
    pub disk_timing: DiskTiming,
    /// Its wall clock.
    pub clock: ClockOptions,
    /// Virtual nanoseconds that one unit of counted work costs; 0 for none.
    pub work_nanos: u64,
    /// After how long a process that ended by itself is started again, at most [`REVIVES_MAX`] times
    /// in a run; never when absent.
    pub revive_after: Option<Duration>,
}

impl MachineOptions {
    /// The defaults under this name: a disk of 64 MiB that keeps no more than POSIX makes it keep, in
    /// sectors; clocks that are right; work that takes no time; and a process that stays down when it
    /// ended by itself.
    #[must_use]
    pub fn new(name: &str) -> MachineOptions {
        MachineOptions {
            name: name.to_owned(),
            disk: DiskOptions {
                profile: Profile::PosixAdversarial,
                tear: Tear::Sector512,
                capacity_bytes: 64 << 20,
            },
            disk_timing: DiskTiming::default(),
            clock: ClockOptions::default(),
            work_nanos: 0,
            revive_after: None,
        }
    }
}

/// A machine of the world.
#[derive(Debug)]
pub struct Machine {
    pub(super) options: MachineOptions,
    pub(super) name: Rc<str>,
    pub(super) key: StreamKey,
    pub(super) disk: Disk,
    pub(super) wall: WallClock,
    pub(super) incarnation: u32,
    pub(super) life: Option<Rc<Life>>,
    pub(super) booted_at: Instant,
    /// How often each (role, kind) was requested in this incarnation.
    pub(super) requests: Vec<(u64, u64)>,
    /// How many requests were made in this incarnation.
    pub(super) requests_count: u64,
    pub(super) armed: Armed,
    /// How often a process that ended by itself was started again.
    pub(super) revives_count: u32,
    /// Names of tasks in this incarnation, with how many had each.
    pub(super) task_names: Vec<(Rc<str>, u64, u64)>,
}

impl Machine {
    pub(super) fn new(options: MachineOptions, key: StreamKey) -> Machine {
        Machine {
            name: Rc::from(options.name.as_str()),
            key,
            disk: Disk::new(options.disk),
            wall: WallClock::new(options.clock),
            incarnation: 0,
            life: None,
            booted_at: Instant::ZERO,
            requests: Vec::new(),
            requests_count: 0,
            armed: Armed::default(),
            revives_count: 0,
            task_names: Vec::new(),
            options,
        }
    }

    /// Whether an incarnation is running.
    #[must_use]
    pub fn is_up(&self) -> bool {
        self.life.as_ref().is_some_and(|life| !life.has_ended())
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> String {
        self.name.to_string()
    }

    /// The present or last incarnation, from 1; 0 before the first boot.
    #[must_use]
    pub fn incarnation(&self) -> u32 {
        self.incarnation
    }

    /// Its disk, as it is now.
    #[must_use]
    pub fn disk(&self) -> &Disk {
        &self.disk
    }

    /// Its disk, to damage it on purpose.
    pub fn disk_mut(&mut self) -> &mut Disk {
        &mut self.disk
    }

    /// Puts a disk of another run into the machine, and has it count its incarnations on from there.
    ///
    /// # Panics
    /// When it is up.
    pub fn restore(&mut self, disk: Disk, incarnation: u32) {
        assert!(!self.is_up(), "{} gets a disk while it is up", self.name);
        (self.disk, self.incarnation) = (disk, incarnation);
    }

    /// After how long to start again a process that ended by itself; none when it is given up.
    pub(super) fn revive_after(&mut self) -> Option<Duration> {
        if self.revives_count >= REVIVES_MAX {
            return None;
        }
        self.revives_count += 1;
        self.options.revive_after
    }

    /// How often a request with this counter key was made in this incarnation, before now.
    pub(super) fn next_ordinal(&mut self, counter: u64) -> u64 {
        if let Some((_, count)) = self.requests.iter_mut().find(|(key, _)| *key == counter) {
            *count += 1;
            return *count - 1;
        }
        self.requests.push((counter, 1));
        0
    }

    /// How many requests were made in this incarnation, before now.
    pub(super) fn next_number(&mut self) -> u64 {
        self.requests_count += 1;
        self.requests_count - 1
    }

    /// Puts an empty disk in place of the machine's own.
    pub(super) fn wipe(&mut self) {
        self.disk = Disk::new(self.options.disk);
    }

    /// Decides what the request of this name leaves when it fails.
    pub(super) fn word_of_failure(&self, counter: u64, ordinal: u64) -> u64 {
        let name = mix64(mix64(u64::from(self.incarnation), counter), ordinal);
        self.key.child("failed").word(name)
    }
}
