//! Contents of `world`: machines, network and tasks as one run; build it, step it, read it.

mod build;
mod controls;
mod run;

pub use crate::machine::{ClockOptions, DiskTiming, MachineOptions, PowerAction, Stop, WorldEvent};
pub use build::{Software, World, WorldOptions, software};
pub use controls::Controls;
pub use run::{Limits, RunEnd};
