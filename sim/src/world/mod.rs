//! Contents of `world`: machines, network and tasks as one run; build it, step it, read it.

mod build;
mod controls;
mod run;

pub use crate::executor::Schedule;
pub use crate::machine::{
    ClockOptions, DiskTiming, MachineOptions, PowerAction, Stop, WorldEvent, WorldOptions,
};
pub use build::{Software, World, software};
pub use controls::Controls;
pub use run::{Limits, RunEnd};
