//! Steps of the self-tests of chance: run one plan twice, put one event more among many of an instant,
//! count what was lost.

use std::time::Duration;

use bytes::Bytes;
use cenotaph_sim::entropy::{Ratio, RunKey};
use cenotaph_sim::host::{Address, Host};
use cenotaph_sim::network::LinkOptions;
use cenotaph_sim::time::{Instant, Queue};
use cenotaph_sim::trace::Fingerprint;
use cenotaph_sim::world::{World, WorldOptions};

use super::table::hold;
use crate::support::{machine, quiet, until, world};

/// Two machines that read their clocks, draw chance and send what they saw, several tasks at once.
fn fingerprint() -> Fingerprint {
    let mut world = world(77);
    let node = quiet(|host: Host| async move {
        let other = Address(1 - host.network().address().0);
        for number in 0..5_u64 {
            let inner = host.clone();
            host.spawn("worker", async move {
                let mut chance = inner.entropy("worker");
                for _ in 0..10 {
                    inner.clock().sleep(Duration::from_millis(2)).await;
                    let seen = [number, chance.word(), inner.clock().wall().0 as u64];
                    let bytes: Vec<u8> = seen.iter().flat_map(|word| word.to_le_bytes()).collect();
                    inner
                        .network()
                        .send(other, Bytes::from(bytes))
                        .expect("a small packet");
                }
            });
        }
        loop {
            host.network().recv().await;
        }
    });
    for name in ["n1", "n2"] {
        let address = world.add_machine(machine(name), node.clone());
        world.boot(address);
    }
    world.run(until(100));
    world.trace().fingerprint().clone()
}

/// The same plan has the same events, each time.
pub(super) fn one_plan_gives_one_fingerprint() -> Result<(), String> {
    let first = fingerprint();
    for _ in 0..3 {
        let other = fingerprint();
        hold(first == other, || format!("{first}, then {other}"))?;
    }
    Ok(())
}

/// Events of one instant come as they were put in, and one more among them moves no other.
pub(super) fn one_instant_keeps_its_order() -> Result<(), String> {
    const UNRELATED: u32 = u32::MAX;
    let instant = Instant::from_nanos(1_000);
    let expected: Vec<u32> = (0..100).collect();
    for place in 0..100 {
        let mut queue = Queue::new();
        for event in &expected {
            if *event == place {
                queue.push(instant, UNRELATED);
            }
            queue.push(instant, *event);
        }
        let mut came: Vec<u32> = std::iter::from_fn(|| queue.pop_due(instant)).collect();
        came.retain(|event| *event != UNRELATED);
        hold(came == expected, || {
            format!("one more at {place}: {came:?}")
        })?;
    }
    Ok(())
}

/// Of 10,000 packets at one loss in ten, a tenth is lost.
pub(super) fn losses_are_as_frequent_as_set() -> Result<(), String> {
    let link = LinkOptions {
        loss: Ratio::new(1, 10).expect("a ratio"),
        ..LinkOptions::default()
    };
    let mut world = World::new(WorldOptions {
        link,
        ..WorldOptions::new(RunKey(5))
    });
    let sender = quiet(|host: Host| async move {
        for _ in 0..100 {
            for _ in 0..100 {
                let own = host.network().address();
                host.network().send(own, Bytes::new()).expect("small");
            }
            host.clock().sleep(Duration::from_millis(1)).await;
        }
    });
    let address = world.add_machine(machine("n1"), sender);
    world.boot(address);
    world.run(until(1_000));
    let lost = world.marks().count("network.lost");
    hold(lost.abs_diff(1_000) < 150, || {
        format!("{lost} of 10,000 at 1/10")
    })
}
