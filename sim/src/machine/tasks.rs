//! Invariants of tasks on machines: a task's name is its machine, incarnation, given name, and how
//! many had that name before; so a task more or less renames no other.

use std::future::Future;
use std::rc::Rc;
use std::time::Duration;

use super::ground::{Ground, WorldEvent};
use super::place::{Life, Place};
use crate::disk::{Handle, LockId};
use crate::entropy::{Stream, StreamKey, hash_bytes, mix64};
use crate::executor::Group;
use crate::network::Address;
use crate::planted::{Plant, disturbed};
use crate::time::{Instant, WallMicros};
use crate::trace::Kind;

fn task_hash(group: Group, given: u64, ordinal: u64) -> u64 {
    let whole = mix64(
        mix64(u64::from(group.machine), u64::from(group.incarnation)),
        given,
    );
    mix64(whole, ordinal)
}

impl Ground {
    /// Begins a machine's next incarnation; its software is the caller's to spawn.
    pub fn begin_life(self: &Rc<Ground>, address: Address) -> Rc<Place> {
        let place = {
            let mut machines = self.machines.borrow_mut();
            let machine = &mut machines[address.0 as usize];
            assert!(!machine.is_up(), "{} is up already", machine.name);
            let life = Rc::new(Life::default());
            machine.life = Some(Rc::clone(&life));
            machine.incarnation += 1;
            machine.booted_at = self.now();
            let name = Rc::clone(&machine.name);
            Place::new(self, name, address, machine.incarnation, life)
        };
        self.packets.borrow_mut().set_open(address, true);
        let incarnation = place.incarnation();
        let words = [u64::from(address.0), u64::from(incarnation), 0];
        self.event(Kind::Power, words, || format!("{} boots", place.name()));
        self.set_here(address, incarnation);
        tracing::info!(target: "sim", "boots");
        self.log(WorldEvent::Booted {
            machine: address,
            incarnation,
        });
        place
    }

    /// Spawns a task of this incarnation.
    pub fn spawn<F>(&self, place: &Place, name: &str, future: F)
    where
        F: Future<Output = ()> + 'static,
    {
        let group = Group {
            machine: place.machine().0,
            incarnation: place.incarnation(),
        };
        let given = hash_bytes(0x7461_736b, name.as_bytes());
        let ordinal = {
            let mut machines = self.machines.borrow_mut();
            let names = &mut machines[place.machine().0 as usize].task_names;
            match names.iter_mut().find(|(_, hash, _)| *hash == given) {
                Some((_, _, count)) => {
                    *count += 1;
                    *count - 1
                }
                None => {
                    names.push((Rc::from(name), given, 1));
                    0
                }
            }
        };
        let name_hash = task_hash(group, given, ordinal);
        self.event(
            Kind::Spawn,
            [name_hash, ordinal, u64::from(group.machine)],
            || {
                format!(
                    "{}/{} spawns {name}#{ordinal}",
                    place.name(),
                    group.incarnation
                )
            },
        );
        self.executor.spawn(name_hash, group, future);
    }

    /// The names of an incarnation's tasks so far, with how many had each.
    #[must_use]
    pub fn task_names(&self, machine: Address) -> Vec<(String, u64)> {
        let machines = self.machines.borrow();
        let names = &machines[machine.0 as usize].task_names;
        names
            .iter()
            .map(|(name, _, count)| (name.to_string(), *count))
            .collect()
    }

    /// The name of a task of the running incarnation: `n1/2 flush#3`.
    #[must_use]
    pub fn task_name(&self, machine: Address, name_hash: u64) -> String {
        let machines = self.machines.borrow();
        let state = &machines[machine.0 as usize];
        let group = Group {
            machine: machine.0,
            incarnation: state.incarnation,
        };
        for (name, given, count) in &state.task_names {
            for ordinal in 0..*count {
                if task_hash(group, *given, ordinal) == name_hash {
                    return format!("{}/{} {name}#{ordinal}", state.name, state.incarnation);
                }
            }
        }
        format!("{}/{} {name_hash:016x}", state.name, state.incarnation)
    }

    /// Monotonic time of this incarnation: it begins at its boot.
    #[must_use]
    pub fn monotonic(&self, place: &Place) -> Instant {
        let booted_at = self.machines.borrow()[place.machine().0 as usize].booted_at;
        let nanos = self.now().as_nanos() - booted_at.as_nanos();
        self.event(
            Kind::Clock,
            [u64::from(place.machine().0), nanos, 0],
            || format!("{} reads its monotonic clock", place.name()),
        );
        Instant::from_nanos(nanos)
    }

    /// The world's instant at which this incarnation's monotonic clock shows `instant`.
    #[must_use]
    pub fn world_instant(&self, place: &Place, instant: Instant) -> Instant {
        let booted_at = self.machines.borrow()[place.machine().0 as usize].booted_at;
        booted_at.after(Duration::from_nanos(instant.as_nanos()))
    }

    /// The wall clock of this machine.
    #[must_use]
    pub fn wall(&self, place: &Place) -> WallMicros {
        let wall = self.machines.borrow()[place.machine().0 as usize]
            .wall
            .read(self.now());
        let wall = WallMicros(disturbed(Plant::RealClock, wall.0 as u64) as i64);
        self.event(
            Kind::Clock,
            [u64::from(place.machine().0), wall.0 as u64, 1],
            || format!("{} reads its wall clock", place.name()),
        );
        wall
    }

    /// What `work` units of counted work cost this machine, in virtual nanoseconds.
    #[must_use]
    pub fn work_nanos(&self, place: &Place, work: u64) -> u64 {
        let machines = self.machines.borrow();
        machines[place.machine().0 as usize]
            .options
            .work_nanos
            .saturating_mul(work)
    }

    /// A stream of chance of this incarnation.
    #[must_use]
    pub fn entropy(&self, place: &Place, stream: &str) -> Stream {
        let key = self.machines.borrow()[place.machine().0 as usize].key;
        let key = key
            .child("software")
            .child(&format!("{}/{stream}", place.incarnation()));
        let key = StreamKey(disturbed(Plant::SecondSeed, key.0));
        self.event(
            Kind::Entropy,
            [u64::from(place.machine().0), key.0, 0],
            || format!("{} opens the stream {stream}", place.name()),
        );
        Stream::open(key)
    }

    /// Closes a file, unless its incarnation has ended, which closed all.
    pub fn close(&self, place: &Place, handle: Handle) {
        self.machines.borrow_mut()[place.machine().0 as usize]
            .disk
            .close(handle);
    }

    /// Gives a lock back, unless its incarnation has ended, which freed all.
    pub fn unlock(&self, place: &Place, lock: LockId) {
        self.machines.borrow_mut()[place.machine().0 as usize]
            .disk
            .unlock(lock);
    }
}
