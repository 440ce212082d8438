//! Invariants of barriers and slow links: what a closed way does to packets is what it was told to, on
//! that way and no other, and it ends.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::time::Duration;

use bytes::Bytes;
use cenotaph_sim::entropy::RunKey;
use cenotaph_sim::fault::{Anchor, Fault, FaultKind};
use cenotaph_sim::host::{Address, Host};
use cenotaph_sim::network::{Bandwidth, Barrier, Closed, LinkOptions, Way};
use cenotaph_sim::time::Instant;
use cenotaph_sim::world::{World, WorldOptions};

use crate::support::{machine, quiet, until};

/// A packet that arrived: who sent it, who heard it, and when, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Heard {
    from: u32,
    to: u32,
    sent: u64,
    at: u64,
}

impl Heard {
    fn way(&self) -> (u32, u32) {
        (self.from, self.to)
    }
}

const MILLISECOND: Duration = Duration::from_millis(1);

/// How long machines talk.
const TALK_MILLIS: u64 = 200;

/// Machines that each send one packet a millisecond to every other, over links on which a packet takes
/// `delay`; and what they heard once all is quiet.
fn talk(machines_count: u32, delay: Duration, faults: &[Fault]) -> (Vec<Heard>, World) {
    let nanos = u64::try_from(delay.as_nanos()).expect("short");
    let link = LinkOptions {
        delay_min_nanos: nanos,
        delay_max_nanos: nanos,
        ..LinkOptions::default()
    };
    talk_over(link, machines_count, 8, faults)
}

fn talk_over(
    link: LinkOptions,
    machines_count: u32,
    size: usize,
    faults: &[Fault],
) -> (Vec<Heard>, World) {
    let mut world = World::new(WorldOptions {
        link,
        ..WorldOptions::new(RunKey(31))
    });
    let heard: Rc<RefCell<Vec<Heard>>> = Rc::default();
    let (log, controls) = (Rc::clone(&heard), world.controls());
    let millis = move || controls.now().as_nanos() / 1_000_000;
    let millis = Rc::new(millis);
    let node = quiet(move |host: Host| {
        let (log, millis) = (Rc::clone(&log), Rc::clone(&millis));
        async move {
            let own = host.network().address();
            let (sender, send_millis) = (host.clone(), Rc::clone(&millis));
            host.spawn("sender", async move {
                for _ in 0..TALK_MILLIS {
                    let mut body = vec![0; size];
                    body[..8].copy_from_slice(&send_millis().to_le_bytes());
                    for to in (0..machines_count).map(Address).filter(|to| *to != own) {
                        let bytes = Bytes::copy_from_slice(&body);
                        sender.network().send(to, bytes).expect("small");
                    }
                    sender.clock().sleep(MILLISECOND).await;
                }
            });
            loop {
                let packet = host.network().recv().await;
                let sent = packet.bytes[..8].try_into().expect("8 bytes");
                log.borrow_mut().push(Heard {
                    from: packet.from.0,
                    to: own.0,
                    sent: u64::from_le_bytes(sent),
                    at: millis(),
                });
            }
        }
    });
    for index in 0..machines_count {
        world.add_machine(machine(&format!("m{index}")), Rc::clone(&node));
    }
    for fault in faults {
        world.add_fault(fault.clone());
    }
    for index in 0..machines_count {
        world.boot(Address(index));
    }
    world.run(until(60_000));
    let heard = heard.borrow().clone();
    (heard, world)
}

/// A barrier from 50 to 100 ms.
fn barrier(left: &[u32], right: &[u32], way: Way, closed: Closed) -> Fault {
    let addresses = |group: &[u32]| group.iter().copied().map(Address).collect();
    Fault {
        anchor: at_millis(50),
        kind: FaultKind::Partition {
            barrier: Barrier {
                left: addresses(left),
                right: addresses(right),
                way,
                closed,
            },
            duration: 50 * MILLISECOND,
        },
    }
}

fn at_millis(millis: u64) -> Anchor {
    Anchor::At(Instant::ZERO.after(Duration::from_millis(millis)))
}

/// The send times that are missing, by way.
fn missing(heard: &[Heard], machines_count: u32) -> BTreeMap<(u32, u32), Vec<u64>> {
    let mut missing = BTreeMap::new();
    for from in 0..machines_count {
        for to in (0..machines_count).filter(|to| *to != from) {
            let there: BTreeSet<u64> = heard
                .iter()
                .filter(|packet| packet.way() == (from, to))
                .map(|packet| packet.sent)
                .collect();
            let gone: Vec<u64> = (0..TALK_MILLIS)
                .filter(|sent| !there.contains(sent))
                .collect();
            if !gone.is_empty() {
                missing.insert((from, to), gone);
            }
        }
    }
    missing
}

#[test]
fn a_partition_of_groups_closes_the_ways_between_them_and_no_other() {
    let fault = barrier(&[0, 1], &[2, 3], Way::Both, Closed::LosesAll);
    let (heard, world) = talk(5, 10 * MILLISECOND, &[fault]);
    let gone = missing(&heard, 5);
    let between = [(0, 2), (0, 3), (1, 2), (1, 3)];
    let ways: BTreeSet<(u32, u32)> = between
        .into_iter()
        .flat_map(|(a, b)| [(a, b), (b, a)])
        .collect();
    assert_eq!(gone.keys().copied().collect::<BTreeSet<_>>(), ways);
    // Those of the last 10 ms before it were in flight; those of its last 10 ms arrive after it.
    for (way, sent) in gone {
        assert_eq!(sent, (40..100).collect::<Vec<_>>(), "{way:?}");
    }
    assert_eq!(world.marks().count("fault.network.partition"), 1);
}

#[test]
fn a_one_way_partition_leaves_the_other_way_open() {
    let fault = barrier(&[0], &[1], Way::LeftToRight, Closed::LosesAll);
    let (heard, world) = talk(2, 10 * MILLISECOND, &[fault]);
    let gone = missing(&heard, 2);
    assert_eq!(gone.keys().copied().collect::<Vec<_>>(), [(0, 1)]);
    assert_eq!(world.marks().count("fault.network.partition.one-way"), 1);
}

#[test]
fn packets_in_flight_arrive_when_only_those_sent_are_lost() {
    let fault = barrier(&[0], &[1], Way::Both, Closed::LosesSent);
    let (heard, world) = talk(2, 10 * MILLISECOND, &[fault]);
    for (way, sent) in missing(&heard, 2) {
        assert_eq!(sent, (50..100).collect::<Vec<_>>(), "{way:?}");
    }
    assert_eq!(world.marks().count("network.partitioned"), 100);
}

#[test]
fn what_a_clog_holds_arrives_in_order_and_all_at_once() {
    let fault = barrier(&[0], &[1], Way::LeftToRight, Closed::Holds);
    let (heard, world) = talk(2, 10 * MILLISECOND, &[fault]);
    assert_eq!(missing(&heard, 2), BTreeMap::new(), "a clog loses nothing");
    let storm: Vec<u64> = heard
        .iter()
        .filter(|packet| packet.way() == (0, 1) && packet.at == 100 && packet.sent < 90)
        .map(|packet| packet.sent)
        .collect();
    assert_eq!(storm, (40..90).collect::<Vec<_>>());
    let late = |packet: &&Heard| packet.at > packet.sent + 11;
    let ways: BTreeSet<_> = heard.iter().filter(late).map(Heard::way).collect();
    assert_eq!(ways, BTreeSet::from([(0, 1)]));
    assert_eq!(world.marks().count("network.burst"), 1);
    assert_eq!(world.marks().count("network.held"), 50);
}

#[test]
fn of_two_barriers_that_overlap_the_later_end_counts() {
    let mut second = barrier(&[0], &[1], Way::Both, Closed::LosesSent);
    second.anchor = at_millis(80);
    let first = barrier(&[0], &[1], Way::Both, Closed::LosesSent);
    let (heard, _) = talk(2, MILLISECOND, &[first, second]);
    for (way, sent) in missing(&heard, 2) {
        assert_eq!(sent, (50..130).collect::<Vec<_>>(), "{way:?}");
    }
}

#[test]
fn a_barrier_that_lets_arrivals_pass_opens_none_that_holds_them() {
    let holding = barrier(&[0], &[1], Way::Both, Closed::Holds);
    let passing = barrier(&[0], &[1], Way::Both, Closed::LosesSent);
    let (heard, _) = talk(2, 10 * MILLISECOND, &[holding, passing]);
    let in_flight = |packet: &&Heard| (41..49).contains(&packet.sent);
    assert_eq!(heard.iter().filter(in_flight).count(), 16, "none is lost");
    for packet in heard.iter().filter(in_flight) {
        assert!(packet.at >= 90, "{packet:?}");
    }
}

#[test]
fn healing_opens_every_way_and_lets_go_what_was_held() {
    let mut fault = barrier(&[0], &[1], Way::Both, Closed::Holds);
    let FaultKind::Partition { duration, .. } = &mut fault.kind else {
        panic!("a barrier is a partition");
    };
    *duration = Duration::from_secs(3_600);
    let swizzle = Fault {
        anchor: at_millis(40),
        kind: FaultKind::Swizzle {
            among: vec![Address(0), Address(1)],
            duration: Duration::from_secs(3_600),
        },
    };
    let (heard, world) = talk(2, MILLISECOND, &[fault, swizzle]);
    assert!(
        heard.iter().all(|packet| packet.at <= 60),
        "both are clogged"
    );
    world.heal();
    // The clogs that were yet to come do not.
    world.run(until(8 * 3_600_000));
    assert_eq!(world.marks().count("network.burst"), 1);
    let held = world.marks().count("network.held");
    assert_eq!(held + heard.len() as u64, 2 * TALK_MILLIS);
}

#[test]
fn a_swizzle_clogs_some_machines_and_unclogs_them_in_another_order() {
    let (mut orders, mut counts) = (BTreeSet::new(), BTreeSet::new());
    for millis in 0..24 {
        let among = (0..4).map(Address).collect();
        let kind = FaultKind::Swizzle {
            among,
            duration: 100 * MILLISECOND,
        };
        let anchor = at_millis(20 + millis);
        let (heard, world) = talk(5, MILLISECOND, &[Fault { anchor, kind }]);
        assert_eq!(missing(&heard, 5), BTreeMap::new(), "a clog loses nothing");
        assert_eq!(world.marks().count("fault.network.swizzle"), 1);
        // Of the ways from a machine that is never clogged: the first late packet and the end of its wait.
        let clogs: Vec<(u64, u64, u32)> = (0..4)
            .filter_map(|machine| {
                let late =
                    |packet: &&Heard| packet.way() == (4, machine) && packet.at > packet.sent + 2;
                let first = heard.iter().find(late)?;
                Some((first.sent, first.at, machine))
            })
            .collect();
        counts.insert(clogs.len());
        let order_by = |key: fn(&(u64, u64, u32)) -> u64| {
            let mut clogs = clogs.clone();
            clogs.sort_by_key(key);
            clogs.iter().map(|clog| clog.2).collect::<Vec<u32>>()
        };
        let (clogged, unclogged) = (order_by(|clog| clog.0), order_by(|clog| clog.1));
        assert!(clogs.len() == 1 || clogged != unclogged, "{clogs:?}");
        orders.insert((clogged, unclogged));
    }
    assert_eq!(counts, BTreeSet::from([1, 2, 3, 4]));
    assert!(orders.len() > 12, "{} orders", orders.len());
}

#[test]
fn a_slow_link_delays_packets_by_size_and_queue() {
    let link = |bandwidth| LinkOptions {
        delay_min_nanos: 1_000_000,
        delay_max_nanos: 1_000_000,
        bandwidth,
        ..LinkOptions::default()
    };
    // One packet of 1,000 bytes a millisecond through a link that takes 500 a millisecond.
    let slow = Bandwidth {
        bytes_per_second: 500_000,
        queue_bytes_max: u64::MAX,
    };
    let (heard, _) = talk_over(link(Some(slow)), 2, 1_000, &[]);
    assert_eq!(missing(&heard, 2), BTreeMap::new());
    for packet in &heard {
        let (sent, at) = (packet.sent, packet.at);
        assert_eq!(at, 2 * (sent + 1) + 1, "sent at {sent}");
    }
    // A queue that takes no more than 10 of them: half are lost, and none is later than those 10.
    let short = Bandwidth {
        queue_bytes_max: 10_000,
        ..slow
    };
    let (heard, world) = talk_over(link(Some(short)), 2, 1_000, &[]);
    let lost = world.marks().count("network.queue-full");
    assert_eq!(heard.len() as u64 + lost, 2 * TALK_MILLIS);
    assert!(lost.abs_diff(TALK_MILLIS) < 40, "{lost} are lost");
    let slowest = heard.iter().map(|packet| packet.at - packet.sent).max();
    assert!(slowest.expect("some arrive") <= 24, "{slowest:?}");
}

#[test]
fn a_wide_link_changes_nothing() {
    let wide = Bandwidth {
        bytes_per_second: u64::MAX,
        queue_bytes_max: 0,
    };
    let with = LinkOptions {
        bandwidth: Some(wide),
        ..LinkOptions::default()
    };
    let (narrow, _) = talk_over(with, 3, 8, &[]);
    let (free, _) = talk_over(LinkOptions::default(), 3, 8, &[]);
    assert_eq!(narrow.len(), free.len());
}
