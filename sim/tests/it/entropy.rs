//! Invariants of chance: the first draws of every kind are frozen, for they are what a seed means.

use std::fmt::Write as _;

use cenotaph_sim::entropy::{Ratio, RunKey, Stream, hash_bytes, mix64, section_bytes};
use cenotaph_snapshots::golden;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

#[test]
fn the_first_draws_of_a_few_keys_are_frozen() {
    let mut text = String::new();
    for key in [0, 1, 42, u64::MAX] {
        let run = RunKey(key);
        let stream_key = run.stream("disk");
        let mut stream = Stream::open(stream_key);
        let words: Vec<String> = (0..3).map(|_| format!("{:016x}", stream.word())).collect();
        let dice: Vec<String> = (0..12).map(|_| stream.below(6).to_string()).collect();
        let mut order: Vec<u8> = (0..8).collect();
        stream.shuffle(&mut order);
        let section = section_bytes(run, "client-3", 8);
        writeln!(text, "run key {key}").expect("a String");
        writeln!(text, "  key of the stream `disk`   {:016x}", stream_key.0).expect("a String");
        writeln!(
            text,
            "  its words by ordinal       {:016x} {:016x}",
            stream_key.word(0),
            stream_key.word(1)
        )
        .expect("a String");
        writeln!(text, "  its ChaCha8 words          {}", words.join(" ")).expect("a String");
        writeln!(text, "  then twelve dice           {}", dice.join(" ")).expect("a String");
        writeln!(text, "  then eight shuffled        {order:?}").expect("a String");
        writeln!(text, "  section `client-3`         {section:02x?}").expect("a String");
    }
    writeln!(text, "mix64(1, 2)                  {:016x}", mix64(1, 2)).expect("a String");
    writeln!(
        text,
        "hash_bytes(0, \"cenotaph\")    {:016x}",
        hash_bytes(0, b"cenotaph")
    )
    .expect("a String");
    golden!(
        "sim/entropy",
        "first_draws",
        "What a seed means: the first draws of each kind of chance.",
        text
    );
}

#[test]
fn a_ratio_strikes_as_often_as_it_says() {
    let mut stream = Stream::open(RunKey(5).stream("ratio"));
    for (numerator, denominator) in [(0, 1), (1, 100), (1, 3), (99, 100), (1, 1)] {
        let ratio = Ratio::new(numerator, denominator).expect("a ratio");
        let rounds_count = 100_000_u64;
        let struck = (0..rounds_count).filter(|_| stream.strikes(ratio)).count() as u64;
        let expected = rounds_count * u64::from(numerator) / u64::from(denominator);
        // Four standard deviations of the worst of these ratios are about 600.
        assert!(
            struck.abs_diff(expected) < 700,
            "{ratio}: {struck} of {rounds_count}"
        );
    }
}

#[test]
fn a_ratio_above_one_or_of_nothing_is_refused() {
    assert_eq!(Ratio::new(2, 1), None);
    assert_eq!(Ratio::new(0, 0), None);
}

proptest! {
    #![proptest_config(ProptestConfig {
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn a_draw_stays_below_its_bound(key: u64, bound in 1_u64..) {
        let mut stream = Stream::open(RunKey(key).stream("below"));
        for _ in 0..16 {
            prop_assert!(stream.below(bound) < bound);
        }
    }

    #[test]
    fn a_shuffle_loses_and_invents_nothing(key: u64, items in proptest::collection::vec(0_u16.., 0..40)) {
        let mut shuffled = items.clone();
        Stream::open(RunKey(key).stream("shuffle")).shuffle(&mut shuffled);
        let sorted = |mut items: Vec<u16>| { items.sort_unstable(); items };
        prop_assert_eq!(sorted(shuffled), sorted(items));
    }

    #[test]
    fn equal_bytes_hash_alike_and_a_flipped_bit_shows(bytes in proptest::collection::vec(0_u8.., 1..64), at: usize, bit in 0_u8..8) {
        let mut other = bytes.clone();
        prop_assert_eq!(hash_bytes(3, &bytes), hash_bytes(3, &other));
        let index = at % other.len();
        other[index] ^= 1 << bit;
        prop_assert_ne!(hash_bytes(3, &bytes), hash_bytes(3, &other));
    }
}
