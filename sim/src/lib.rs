//! Vocabulary of the simulated machine: chance, time, tasks, disks, networks, machines, faults, traces.
//!
//! A run is a pure function of its options, its software and its faults: the same ones give the same
//! fingerprint in every process, on every thread, in debug and release.
//!
//! ```
//! use cenotaph_sim::disk::CrashKind;
//! use cenotaph_sim::entropy::RunKey;
//! use cenotaph_sim::host::{Host, OpenMode};
//! use cenotaph_sim::world::{Limits, MachineOptions, RunEnd, World, WorldOptions, software};
//! use std::time::Duration;
//!
//! /// Writes a file, and syncs it; forgets that its name is the directory's.
//! async fn write(host: &Host) -> std::io::Result<()> {
//!     let file = host.disk().open("data", OpenMode::Create).await?;
//!     file.write_at(0, "body".into()).await?;
//!     file.sync_data().await
//! }
//!
//! /// One world: a machine writes, loses its power, and looks again. Says whether the file is there.
//! fn survives(seed: u64) -> bool {
//!     let mut world = World::new(WorldOptions::new(RunKey(seed)));
//!     let controls = world.controls();
//!     let there = std::rc::Rc::new(std::cell::Cell::new(false));
//!     let found = std::rc::Rc::clone(&there);
//!     let main = software(move |host| {
//!         let (controls, found) = (controls.clone(), std::rc::Rc::clone(&found));
//!         async move {
//!             if host.incarnation() == 1 {
//!                 write(&host).await.map_err(|error| error.to_string())?;
//!                 let down = Duration::from_secs(600);
//!                 controls.crash(host.network().address(), CrashKind::PowerCut, Some(down));
//!             } else {
//!                 found.set(host.disk().open("data", OpenMode::Read).await.is_ok());
//!                 controls.finish();
//!             }
//!             std::future::pending().await
//!         }
//!     });
//!     let machine = world.add_machine(MachineOptions::new("n1"), main);
//!     world.boot(machine);
//!     assert_eq!(world.run(Limits::default()), RunEnd::Finished);
//!     there.get()
//! }
//!
//! // Ten minutes of virtual time take none; and whichever way a seed goes, it goes again.
//! assert!((0..32).any(survives), "a name may survive without a sync of its directory");
//! assert!(!(0..32).all(survives), "or not");
//! assert_eq!(survives(7), survives(7));
//! ```
//!
//! A larger one, with its judge, shrinking and a story at the end: `examples/wal`.
//!
//! # How to go about it
//! 1. Write the software against [`host::Host`]: it gives a disk, clocks, a network, tasks and chance.
//!    With the feature `os` the same software runs on the real machine (`os::run`).
//! 2. Make a [`world::World`] under a [`entropy::RunKey`], and add machines: how their disks die is a
//!    [`disk::Profile`] and a [`disk::Tear`], how their network behaves a [`network::LinkOptions`].
//! 3. Let things happen: [`fault::Fault`]s strike at named anchors, [`world::Controls`] crash from
//!    within the run. What the software was told outlives its machine in an `Rc` of the harness's own.
//! 4. [`world::World::run`] it, and judge. Of a failure keep the seed; [`world::smallest`] leaves out
//!    what is not needed; [`trace::watch`] tells the rest in virtual time.
//! 5. Run each seed twice: [`trace::Fingerprint`]s that differ mean chance from outside, and
//!    [`trace::first_difference`] names the event. `.clippy.toml` of this repository is a list of
//!    what lets it in.
//!
//! Software that is synchronous, and asks a trait of its own for storage, needs no host: [`disk::Disk`]
//! is a plain value that is `Send`, forks by `clone`, and dies by [`disk::Disk::crash`].
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
//! | `os` | the real machine behind the same handles, with the feature `os` |
//! | [`host`] | **all that software may ask of its machine: start reading here** |
//! | [`world`] | machines and links as one run; what fails, made smaller |

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

/// The page that stands beside this crate; what it shows is run as it stands.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
