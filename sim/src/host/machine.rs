//! Vocabulary of a host: one incarnation of a machine, as its own software sees it.

use std::rc::Rc;

use super::clock::Clock;
use super::disk::Disk;
use super::network::Network;
use crate::entropy::Stream;
use crate::machine::Place;
#[cfg(feature = "os")]
use crate::os;

/// One incarnation of a machine, as its own software sees it. Clones are the same host.
#[derive(Clone, Debug)]
pub struct Host {
    pub(super) world: World,
}

/// Which world a handle belongs to.
#[derive(Clone, Debug)]
pub(super) enum World {
    /// The simulated machine.
    Simulated(Rc<Place>),
    /// The real machine.
    #[cfg(feature = "os")]
    Real(Rc<os::Machine>),
}

impl Host {
    /// The host of a simulated incarnation.
    #[must_use]
    pub fn simulated(place: Rc<Place>) -> Host {
        Host {
            world: World::Simulated(place),
        }
    }

    /// The machine's name.
    #[must_use]
    pub fn name(&self) -> &str {
        match &self.world {
            World::Simulated(place) => place.name(),
            #[cfg(feature = "os")]
            World::Real(machine) => machine.name(),
        }
    }

    /// Which boot of the machine this is, from 1.
    #[must_use]
    pub fn incarnation(&self) -> u32 {
        match &self.world {
            World::Simulated(place) => place.incarnation(),
            #[cfg(feature = "os")]
            World::Real(machine) => machine.incarnation(),
        }
    }

    /// The machine's disk.
    #[must_use]
    pub fn disk(&self) -> Disk {
        Disk {
            world: self.world.clone(),
        }
    }

    /// The machine's clocks.
    #[must_use]
    pub fn clock(&self) -> Clock {
        Clock {
            world: self.world.clone(),
        }
    }

    /// The machine's network.
    #[must_use]
    pub fn network(&self) -> Network {
        Network {
            world: self.world.clone(),
        }
    }

    /// A stream of chance of this incarnation, by name; the same name gives the same stream.
    #[must_use]
    pub fn entropy(&self, stream: &str) -> Stream {
        match &self.world {
            World::Simulated(place) => match place.ground() {
                Some(ground) => ground.entropy(place, stream),
                None => Stream::open(crate::entropy::StreamKey(0)),
            },
            #[cfg(feature = "os")]
            World::Real(machine) => machine.entropy(stream),
        }
    }

    /// Says that a place which some run has to reach was reached.
    pub fn mark(&self, mark: &'static str) {
        match &self.world {
            World::Simulated(place) => {
                if let Some(ground) = place.ground() {
                    ground.mark_of(place, mark);
                }
            }
            #[cfg(feature = "os")]
            World::Real(machine) => machine.mark(mark),
        }
    }
}

/// The host of a real incarnation.
#[cfg(feature = "os")]
impl From<Rc<os::Machine>> for Host {
    fn from(machine: Rc<os::Machine>) -> Host {
        Host {
            world: World::Real(machine),
        }
    }
}
