//! Contents of `machine`: power, incarnations, clocks, and the requests of each machine.

mod barriers;
mod clock;
mod ground;
mod inbox;
mod options;
mod state;
mod place;
mod outage;
mod pause;
mod power;
mod request;
mod role;
mod strike;
mod submit;
mod tasks;
mod waits;
mod watch;

pub use clock::ClockOptions;
pub use ground::{Due, Ground, WorldEvent};
pub use inbox::Receiving;
pub use options::WorldOptions;
pub use place::Place;
pub use power::{PowerAction, Stop};
pub use request::{Operation, Response};
pub use role::role_of;
pub use state::{DiskTiming, Machine, MachineOptions, REVIVES_MAX};
pub use strike::role_hash;
pub use submit::Submitted;
pub use waits::{Sleep, Wait};
pub use watch::DiskStep;
