//! Invariants of the default quantum: there is something to choose, and the network still reorders.

use bytes::Bytes;
use cenotaph_sim::host::{Address, Host};

use crate::support::{machine, quiet, until, world};

#[test]
fn with_fifty_machines_a_pick_has_more_than_three_tasks_to_choose_from() {
    let mut world = world(42);
    let main = quiet(|host: Host| async move {
        let network = host.network();
        let own = network.address().0;
        if own.is_multiple_of(2) {
            let sent = network.send(Address(own ^ 1), Bytes::from_static(b"ping"));
            sent.expect("small");
        }
        loop {
            let packet = network.recv().await;
            network.send(packet.from, packet.bytes).expect("small");
        }
    });
    let addresses: Vec<Address> = (0..50)
        .map(|index| world.add_machine(machine(&format!("m{index}")), std::rc::Rc::clone(&main)))
        .collect();
    for address in addresses {
        world.boot(address);
    }
    world.run(until(500));
    let statistics = world.statistics();
    assert!(statistics.polls_count > 5_000, "{statistics:?}");
    assert!(
        statistics.ready_sum > 3 * statistics.polls_count,
        "{statistics:?}"
    );
}
