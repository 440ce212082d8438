//! Steps of the bench: run small worlds through the public host API, fingerprint on, and print how
//! many messages or timers a CPU-second carries. Prints only; nothing is asserted about time.

mod cpu;

use std::rc::Rc;
use std::time::Duration;

use bytes::Bytes;
use cenotaph_sim::entropy::RunKey;
use cenotaph_sim::host::{Address, Host};
use cenotaph_sim::time::Instant;
use cenotaph_sim::world::{
    Limits, MachineOptions, RunEnd, Software, World, WorldOptions, software,
};

use crate::cpu::cpu_nanos;

fn build(machines_count: u32, main: impl Fn(&World) -> Software) -> World {
    let mut world = World::new(WorldOptions::new(RunKey(42)));
    let main = main(&world);
    let addresses: Vec<Address> = (0..machines_count)
        .map(|index| world.add_machine(MachineOptions::new(&format!("m{index}")), Rc::clone(&main)))
        .collect();
    for address in addresses {
        world.boot(address);
    }
    world
}

/// Pairs of machines that send a 64-byte packet to and fro.
fn ping_pong(machines_count: u32, total: u64) -> World {
    build(machines_count, |world| {
        let controls = world.controls();
        let heard = Rc::new(std::cell::Cell::new(0_u64));
        software(move |host: Host| {
            let (controls, heard) = (controls.clone(), Rc::clone(&heard));
            async move {
                let network = host.network();
                let own = network.address().0;
                let payload = Bytes::from(vec![7_u8; 64]);
                if own.is_multiple_of(2) {
                    network
                        .send(Address(own ^ 1), payload.clone())
                        .map_err(|e| e.to_string())?;
                }
                loop {
                    let packet = network.recv().await;
                    heard.set(heard.get() + 1);
                    if heard.get() >= total {
                        controls.finish();
                    }
                    network
                        .send(packet.from, Bytes::copy_from_slice(&packet.bytes))
                        .map_err(|e| e.to_string())?;
                }
            }
        })
    })
}

/// Machines that each send to all others, again when they heard as many.
fn broadcast(machines_count: u32, total: u64) -> World {
    build(machines_count, |world| {
        let controls = world.controls();
        let heard = Rc::new(std::cell::Cell::new(0_u64));
        software(move |host: Host| {
            let (controls, heard) = (controls.clone(), Rc::clone(&heard));
            async move {
                let network = host.network();
                let own = network.address().0;
                let payload = Bytes::from(vec![7_u8; 64]);
                loop {
                    for other in (0..machines_count).filter(|other| *other != own) {
                        let copy = Bytes::copy_from_slice(&payload);
                        network
                            .send(Address(other), copy)
                            .map_err(|e| e.to_string())?;
                    }
                    for _ in 1..machines_count {
                        network.recv().await;
                        heard.set(heard.get() + 1);
                    }
                    if heard.get() >= total {
                        controls.finish();
                    }
                }
            }
        })
    })
}

/// Tasks of one machine that sleep for pseudo-random times.
fn timers(tasks_count: u32, total: u64) -> World {
    build(1, |world| {
        let controls = world.controls();
        software(move |host: Host| {
            let controls = controls.clone();
            async move {
                let fired = Rc::new(std::cell::Cell::new(0_u64));
                for task in 0..tasks_count {
                    let (clock, fired, controls) =
                        (host.clock(), Rc::clone(&fired), controls.clone());
                    let mut state = u64::from(task);
                    host.spawn("sleeper", async move {
                        loop {
                            state = cenotaph_sim::entropy::mix64(state, 1);
                            clock
                                .sleep(Duration::from_micros(100 + state % 10_000))
                                .await;
                            fired.set(fired.get() + 1);
                            if fired.get() >= total {
                                controls.finish();
                            }
                        }
                    });
                }
                std::future::pending::<()>().await;
                Ok(())
            }
        })
    })
}

fn measure(name: &str, unit: &str, total: u64, world: World) {
    let limits = Limits {
        until: Instant::from_nanos(u64::MAX / 2),
        polls_max: u64::MAX,
        polls_at_once_max: u64::MAX,
    };
    let began = cpu_nanos();
    let end = world.run(limits);
    let took = (cpu_nanos() - began).max(1);
    assert_eq!(end, RunEnd::Finished, "{name}");
    let statistics = world.statistics();
    println!(
        "{name:<16} {:>9} {unit}/CPU-s   {:>5} ns each   {:>6} ready tasks in ten picks   {}",
        total * 1_000_000 / (took / 1_000),
        took / total,
        statistics.ready_sum * 10 / statistics.polls_count.max(1),
        world.trace().fingerprint(),
    );
}

#[expect(
    clippy::disallowed_methods,
    reason = "a bench is told on the command line what to run"
)]
fn main() {
    let total = 3_000_000;
    let wanted = std::env::args().skip(1).find(|word| !word.starts_with('-'));
    let run = |name: &str, unit: &str, build: &dyn Fn() -> World| {
        if wanted.as_ref().is_none_or(|wanted| name.contains(wanted)) {
            measure(name, unit, total, build());
        }
    };
    run("ping-pong 2", "messages", &|| ping_pong(2, total));
    run("ping-pong 100", "messages", &|| ping_pong(100, total));
    run("broadcast 5", "messages", &|| broadcast(5, total));
    run("broadcast 50", "messages", &|| broadcast(50, total));
    run("timers 1k", "timers", &|| timers(1_000, total));
    run("timers 100k", "timers", &|| timers(100_000, total));
}
