//! Vocabulary of the simulated machine: chance, time, tasks, disks, networks, machines, faults, traces.
//!
//! A run is a pure function of its options, its software and its faults: the same ones give the same
//! fingerprint in every process, on every thread, in debug and release.
//!
//! ```
//! use std::time::Duration;
//! use cenotaph_sim::disk::{DiskOptions, Profile, Tear};
//! use cenotaph_sim::entropy::RunKey;
//! use cenotaph_sim::world::{
//!     ClockOptions, DiskTiming, Limits, MachineOptions, RunEnd, World, WorldOptions, software,
//! };
//!
//! let mut world = World::new(WorldOptions::new(RunKey(42)));
//! let controls = world.controls();
//! let node = software(move |host| {
//!     let controls = controls.clone();
//!     async move {
//!         host.clock().sleep(Duration::from_secs(3_600)).await;
//!         controls.finish();
//!         Ok(())
//!     }
//! });
//! let options = MachineOptions {
//!     name: "n1".to_owned(),
//!     disk: DiskOptions {
//!         profile: Profile::PosixAdversarial,
//!         tear: Tear::Sector512,
//!         capacity_bytes: 1 << 20,
//!     },
//!     disk_timing: DiskTiming::default(),
//!     clock: ClockOptions::default(),
//!     work_nanos: 0,
//!     revive_after: None,
//! };
//! let address = world.add_machine(options, node);
//! world.boot(address);
//! assert_eq!(world.run(Limits::default()), RunEnd::Finished);
//! assert_eq!(world.now().to_string(), "3600.000000s");
//! ```
//!
//! # The map
//! Rooms in order; each may import only rooms before it.
//!
//! | room | what it knows |
//! |---|---|
//! | [`planted`] | bugs of the harness itself, off unless its own self-tests ask for them |
//! | [`entropy`] | keyed streams: a decision's chance hangs on its name, not on how many came before |
//! | [`time`] | three kinds of time as three types; what is due when |
//! | [`trace`] | the fingerprint with checkpoints, marks, the first difference, timelines |
//! | [`executor`] | tasks, and the policy that picks the next |
//! | [`sync`] | notifications, oneshots, semaphores, timeouts |
//! | [`disk`] | registers by inode; what a crash leaves of what was not synced |
//! | [`network`] | links with loss, delay, duplication; partitions |
//! | [`fault`] | what strikes, and at which named anchor |
//! | [`machine`] | power, incarnations, clocks, requests in flight |
//! | [`host`] | **all that software may ask of its machine: start reading here** |
//! | [`world`] | machines and links as one run |

pub mod planted;
pub mod entropy;
pub mod time;
pub mod trace;
pub mod executor;
pub mod sync;
pub mod disk;
pub mod network;
pub mod fault;
pub mod machine;
#[cfg(feature = "os")]
pub mod os;
pub mod host;
pub mod world;
