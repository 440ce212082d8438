//! Vocabulary of a machine's network: unreliable datagrams with a size maximum.

use std::io;

use bytes::Bytes;

use super::machine::World;
use crate::machine::Receiving;
use crate::network::{Address, Packet};

/// Unreliable datagrams: each may be lost, late, doubled, or overtaken by another.
#[derive(Clone, Debug)]
pub struct Network {
    pub(super) world: World,
}

impl Network {
    /// This machine's own address.
    #[must_use]
    pub fn address(&self) -> Address {
        match &self.world {
            World::Simulated(place) => place.machine(),
            #[cfg(feature = "os")]
            World::Real(machine) => machine.address(),
        }
    }

    /// Sends one datagram.
    ///
    /// # Errors
    /// `InvalidInput` when it exceeds [`crate::network::PACKET_SIZE_MAX`]; what happens to it on its
    /// way is never an error.
    pub fn send(&self, to: Address, bytes: Bytes) -> io::Result<()> {
        match &self.world {
            World::Simulated(place) => match place.ground() {
                Some(ground) => ground.send(place, to, bytes),
                None => Ok(()),
            },
            #[cfg(feature = "os")]
            World::Real(machine) => machine.send(to, bytes),
        }
    }

    /// The next datagram. One task at a time may wait here.
    pub async fn recv(&self) -> Packet {
        match &self.world {
            World::Simulated(place) => Receiving { place }.await,
            #[cfg(feature = "os")]
            World::Real(machine) => machine.recv().await,
        }
    }
}
