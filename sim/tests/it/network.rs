//! Invariants of networks: what is drawn happens as often as it is set, and switching one thing off
//! re-deals no other.

use std::cell::RefCell;
use std::rc::Rc;

use bytes::Bytes;
use cenotaph_sim::entropy::{Ratio, RunKey};
use cenotaph_sim::host::{Address, Host, PACKET_SIZE_MAX};
use cenotaph_sim::network::LinkOptions;
use cenotaph_sim::world::{World, WorldOptions};

use crate::support::{machine, quiet, until};

/// Sends `count` numbered packets and gives the numbers in the order of arrival, with the world.
fn arrivals(link: LinkOptions, count: u32) -> (Vec<u32>, World) {
    let options = WorldOptions {
        link,
        ..WorldOptions::new(RunKey(21))
    };
    let mut world = World::new(options);
    let heard = Rc::new(RefCell::new(Vec::new()));
    let log = Rc::clone(&heard);
    let listener = quiet(move |host: Host| {
        let log = Rc::clone(&log);
        async move {
            loop {
                let packet = host.network().recv().await;
                let number = u32::from_le_bytes(packet.bytes[..].try_into().expect("4 bytes"));
                log.borrow_mut().push(number);
            }
        }
    });
    let left = world.add_machine(machine("listener"), listener);
    let sender = quiet(move |host: Host| async move {
        for number in 0..count {
            let bytes = Bytes::copy_from_slice(&number.to_le_bytes());
            host.network().send(left, bytes).expect("small");
            host.clock()
                .sleep(std::time::Duration::from_micros(500))
                .await;
        }
    });
    let right = world.add_machine(machine("sender"), sender);
    world.boot(left);
    world.boot(right);
    world.run(until(3_600_000));
    let numbers = heard.borrow().clone();
    (numbers, world)
}

#[test]
fn loss_and_duplication_strike_as_often_as_they_are_set() {
    let link = LinkOptions {
        loss: Ratio::new(1, 10).expect("a ratio"),
        duplication: Ratio::new(1, 20).expect("a ratio"),
        ..LinkOptions::default()
    };
    let (numbers, world) = arrivals(link, 20_000);
    let (lost, doubled) = (
        world.marks().count("network.lost"),
        world.marks().count("network.doubled"),
    );
    assert!(lost.abs_diff(2_000) < 200, "{lost} of 20,000 at 1/10");
    assert!(doubled.abs_diff(900) < 150, "{doubled} of 18,000 at 1/20");
    assert_eq!(numbers.len() as u64, 20_000 - lost + doubled);
}

#[test]
fn packets_overtake_one_another() {
    let (numbers, _) = arrivals(LinkOptions::default(), 1_000);
    assert_eq!(numbers.len(), 1_000);
    assert!(!numbers.is_sorted());
}

#[test]
fn switching_loss_off_moves_no_packet_that_was_not_lost() {
    let lossy = LinkOptions {
        loss: Ratio::new(1, 4).expect("a ratio"),
        ..LinkOptions::default()
    };
    let (with_loss, _) = arrivals(lossy, 2_000);
    let (whole, _) = arrivals(LinkOptions::default(), 2_000);
    let kept: Vec<u32> = whole
        .into_iter()
        .filter(|number| with_loss.contains(number))
        .collect();
    assert_eq!(with_loss, kept, "the survivors arrive in the same order");
}

#[test]
fn a_packet_beyond_the_maximum_is_refused_where_it_is_sent() {
    let refused = Rc::new(RefCell::new(None));
    let note = Rc::clone(&refused);
    crate::support::alone(1, move |host| {
        let note = Rc::clone(&note);
        async move {
            let bytes = Bytes::from(vec![0; PACKET_SIZE_MAX + 1]);
            *note.borrow_mut() = host.network().send(Address(0), bytes).err();
        }
    });
    let error = refused.borrow_mut().take().expect("an error");
    assert_eq!(error.kind(), std::io::ErrorKind::InvalidInput);
    assert_eq!(
        error.to_string(),
        "a packet of 4194305 bytes exceeds 4194304"
    );
}
