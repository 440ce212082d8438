//! Invariants of the network's target: it holds on many inputs, which reach every kind of loss, and it
//! objects to what no network may do.

use arbitrary::Unstructured;
use cenotaph_fuzz::network::{Act, Heard, Played, Program, Send, judge, play};
use cenotaph_sim::entropy::{RunKey, section_bytes};
use cenotaph_sim::network::{Closed, LinkOptions, Way};

const INPUT_SIZE: usize = 600;

#[test]
fn every_input_holds() {
    for seed in 0..3_000 {
        let input = section_bytes(RunKey(seed), "network", INPUT_SIZE);
        let size = INPUT_SIZE - usize::try_from(seed % 4).expect("small") * 140;
        cenotaph_fuzz::network(&input[..size]);
    }
    for size in 0..40 {
        cenotaph_fuzz::network(&vec![0xff; size]);
    }
}

#[test]
fn the_inputs_reach_every_kind_of_loss() {
    let (mut heard_count, mut doubled_count, mut lost_counts) = (0, 0, [0; 4]);
    for seed in 0..500 {
        let input = section_bytes(RunKey(seed), "network", INPUT_SIZE);
        let program = Program::draw(&mut Unstructured::new(&input)).expect("enough bytes");
        let played = play(&program, seed);
        heard_count += played.heard.len();
        doubled_count += played.doubled_count;
        for (sum, count) in lost_counts.iter_mut().zip(played.lost_counts) {
            *sum += count;
        }
    }
    assert!(heard_count > 2_000, "{heard_count} packets were heard");
    assert!(doubled_count > 200, "{doubled_count} packets arrived twice");
    assert!(
        lost_counts.iter().all(|count| *count > 50),
        "{lost_counts:?}"
    );
}

/// Three packets from one machine to another, a partition in the middle, and what came of it.
fn three_packets() -> (Program, Played) {
    let send = |quanta: u64| {
        (
            quanta * 100_000,
            Act::Send(Send {
                from: 0,
                to: 1,
                size: 3,
            }),
        )
    };
    let partition = (
        2_000_000,
        Act::Partition {
            left: 1,
            right: 0,
            way: Way::Both,
            closed: Closed::LosesAll,
            nanos: 1_000_000,
        },
    );
    let program = Program {
        machines_count: 2,
        link: LinkOptions {
            delay_max_nanos: 100_000,
            ..LinkOptions::default()
        },
        acts: vec![send(10), partition, send(25), send(50)],
    };
    let played = play(&program, 1);
    judge(&program, &played);
    (program, played)
}

fn objects_to(change: impl FnOnce(&mut Vec<Heard>)) {
    let (program, mut played) = three_packets();
    assert_eq!(
        played.heard.len(),
        2,
        "the one within the partition is lost"
    );
    change(&mut played.heard);
    judge(&program, &played);
}

#[test]
#[should_panic(expected = "was heard 0 times")]
fn a_packet_that_is_lost_to_nothing_is_noticed() {
    objects_to(|heard| {
        heard.pop();
    });
}

#[test]
#[should_panic(expected = "was heard 2 times")]
fn a_packet_that_is_doubled_by_nothing_is_noticed() {
    objects_to(|heard| heard.push(heard[1]));
}

#[test]
#[should_panic(expected = "was sent into a partition")]
fn a_packet_that_passes_a_partition_is_noticed() {
    objects_to(|heard| {
        heard.insert(
            1,
            Heard {
                act: 2,
                nanos: 2_600_000,
                ..heard[0]
            },
        )
    });
}

#[test]
#[should_panic(expected = "took too little or too long")]
fn a_packet_that_is_late_is_noticed() {
    objects_to(|heard| heard[1].nanos += 100_000);
}

#[test]
#[should_panic(expected = "was sent otherwise")]
fn a_packet_that_is_changed_is_noticed() {
    objects_to(|heard| heard[0].size += 1);
}

#[test]
#[should_panic(expected = "was never sent")]
fn a_packet_of_another_life_is_noticed() {
    objects_to(|heard| heard[0].incarnation += 1);
}

#[test]
#[should_panic(expected = "was overtaken")]
fn a_packet_that_overtakes_is_noticed() {
    objects_to(|heard| heard.swap(0, 1));
}
