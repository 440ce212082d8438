//! Vocabulary of the tests: small worlds of one machine.

use std::future::Future;
use std::time::Duration;

use cenotaph_sim::disk::{CrashKind, Profile};
use cenotaph_sim::entropy::RunKey;
use cenotaph_sim::fault::{Anchor, Fault, FaultKind};
use cenotaph_sim::host::{Address, Host};
use cenotaph_sim::time::Instant;
use cenotaph_sim::world::{
    Limits, MachineOptions, RunEnd, Stop, World, WorldEvent, WorldOptions, software,
};

/// The only machine, called `n1`.
pub(crate) const MACHINE: Address = Address(0);

/// A world of one machine that runs `main` at each boot, until it finishes with `Ok`; the machine is
/// not booted yet.
pub(crate) fn machine_with<F, R>(key: u64, profile: Profile, main: F) -> World
where
    F: Fn(Host) -> R + 'static,
    R: Future<Output = ()> + 'static,
{
    let mut world = World::new(WorldOptions::new(RunKey(key)));
    let controls = world.controls();
    let main = software(move |host| {
        let (main, controls) = (main(host), controls.clone());
        async move {
            main.await;
            controls.finish();
            Ok(())
        }
    });
    let mut options = MachineOptions::new("n1");
    options.disk.profile = profile;
    assert_eq!(world.add_machine(options, main), MACHINE);
    world
}

/// Boots the machine and runs the world until `main` ends in some incarnation.
pub(crate) fn run(world: &World) {
    world.boot(MACHINE);
    let until = Instant::ZERO.after(Duration::from_secs(3_600));
    let end = world.run(Limits {
        until,
        ..Limits::default()
    });
    for (_, event) in world.events() {
        if let WorldEvent::Stopped {
            stop: Stop::Panic { message, .. },
            ..
        } = event
        {
            panic!("{message}");
        }
    }
    assert_eq!(end, RunEnd::Finished);
}

/// Runs `main` to its end on an honest disk that keeps nothing unsynced.
pub(crate) fn alone<F, R>(main: F) -> World
where
    F: Fn(Host) -> R + 'static,
    R: Future<Output = ()> + 'static,
{
    let world = machine_with(1, Profile::Strict, main);
    run(&world);
    world
}

/// A fault at a disk request: `anchor` as `n1/1/commitlog/sync/0`.
pub(crate) fn at_request(anchor: &str, kind: FaultKind) -> Fault {
    Fault {
        anchor: Anchor::Disk(anchor.parse().expect("an anchor")),
        kind,
    }
}

/// A crash with a second of downtime.
pub(crate) fn crash(how: CrashKind) -> FaultKind {
    FaultKind::Crash {
        machine: MACHINE,
        how,
        down: Duration::from_secs(1),
    }
}

/// Runs a world for each request of a kind and of its first incarnation, with a power cut there, and
/// for some keys; gives the number of runs. `make` makes the world, `check` looks at it after its run.
pub(crate) fn power_cut_at_each(
    role: &str,
    kinds: &[&str],
    keys: std::ops::Range<u64>,
    make: impl Fn(u64) -> World,
    check: impl Fn(&World, &str),
) -> usize {
    let mut runs = 0;
    for kind in kinds {
        for ordinal in 0.. {
            let anchor = format!("n1/1/{role}/{kind}/{ordinal}");
            let mut struck = false;
            for key in keys.clone() {
                let world = make(key);
                world.add_fault(at_request(&anchor, crash(CrashKind::PowerCut)));
                run(&world);
                struck |= world.faults_waiting().is_empty();
                check(&world, &anchor);
                runs += 1;
            }
            if !struck {
                break;
            }
        }
    }
    runs
}
