//! Vocabulary of the tests: small worlds.

use std::future::Future;
use std::time::Duration;

use cenotaph_sim::disk::{DiskOptions, Profile, Tear};
use cenotaph_sim::entropy::RunKey;
use cenotaph_sim::host::{Address, Host};
use cenotaph_sim::time::Instant;
use cenotaph_sim::world::{
    Limits, MachineOptions, RunEnd, Software, World, WorldOptions, software,
};

pub(crate) fn disk(profile: Profile) -> DiskOptions {
    DiskOptions {
        profile,
        tear: Tear::Sector512,
        capacity_bytes: 16 << 20,
    }
}

pub(crate) fn machine(name: &str) -> MachineOptions {
    MachineOptions {
        disk: disk(Profile::PosixAdversarial),
        ..MachineOptions::new(name)
    }
}

pub(crate) fn world(key: u64) -> World {
    World::new(WorldOptions::new(RunKey(key)))
}

/// Software that returns nothing.
pub(crate) fn quiet<F, R>(main: F) -> Software
where
    F: Fn(Host) -> R + 'static,
    R: Future<Output = ()> + 'static,
{
    software(move |host| {
        let main = main(host);
        async move {
            main.await;
            Ok(())
        }
    })
}

pub(crate) fn until(millis: u64) -> Limits {
    Limits {
        until: Instant::ZERO.after(Duration::from_millis(millis)),
        ..Limits::default()
    }
}

/// A world of one machine that runs `main` to its end.
pub(crate) fn alone<F, R>(key: u64, main: F) -> (World, RunEnd)
where
    F: Fn(Host) -> R + 'static,
    R: Future<Output = ()> + 'static,
{
    let mut world = world(key);
    let address = world.add_machine(machine("n1"), quiet(main));
    assert_eq!(address, Address(0), "the only machine");
    world.boot(address);
    let end = world.run(until(3_600_000));
    (world, end)
}
