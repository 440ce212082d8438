//! Contents of `world`: machines, network and tasks as one run; build it, step it, read it, and make
//! smaller what fails.

mod build;
mod controls;
mod run;
mod shrink;

pub use crate::executor::Schedule;
pub use crate::machine::{
    ClockOptions, DiskStep, DiskTiming, MachineOptions, PowerAction, Stop, WorldEvent, WorldOptions,
};
pub use build::{Software, World, software};
pub use controls::Controls;
pub use run::{Limits, RunEnd};
pub use shrink::smallest;
