//! Invariants of the queue: by due instant, and at one instant as they were put in, against a naive list.

use cenotaph_sim::time::{Instant, Queue};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// What is done to a queue.
#[derive(Clone, Debug)]
enum Step {
    /// Put in so many events, each so far from the present.
    Push(Vec<u64>),
    /// Put in so many events that are due at the end of time.
    PushLast(u64),
    /// Move time on by so much, and take out what is due.
    Advance(u64),
    /// Drop every event of this residue.
    Drop(u32),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        // Few distinct instants, as when they are quantised, or many.
        proptest::collection::vec((0_u64..8).prop_map(|n| n * 100), 1..40).prop_map(Step::Push),
        proptest::collection::vec(0_u64..100_000, 1..200).prop_map(Step::Push),
        (1_u64..3).prop_map(Step::PushLast),
        (0_u64..20_000).prop_map(Step::Advance),
        (0_u32..5).prop_map(Step::Drop),
    ];
    proptest::collection::vec(step, 1..40)
}

/// A queue beside a list of (due, number).
#[derive(Default)]
struct Pair {
    queue: Queue<u32>,
    list: Vec<(u64, u32)>,
    now: u64,
    pushed_count: u32,
}

impl Pair {
    fn apply(&mut self, step: &Step) {
        match step {
            Step::Push(delays) => {
                delays.iter().for_each(|delay| self.push(self.now + delay));
            }
            Step::PushLast(count) => (0..*count).for_each(|_| self.push(u64::MAX)),
            Step::Advance(nanos) => {
                self.now += nanos;
                self.take_due();
            }
            Step::Drop(residue) => {
                self.queue.retain(|number| number % 5 != *residue);
                self.list.retain(|(_, number)| number % 5 != *residue);
            }
        }
        self.list.sort_unstable();
        let next = self.list.first();
        let next_due = next.map(|(due, _)| Instant::from_nanos(*due));
        assert_eq!(self.queue.next_due(), next_due);
        assert_eq!(self.queue.len(), self.list.len());
        assert_eq!(self.queue.is_empty(), self.list.is_empty());
    }

    fn push(&mut self, due: u64) {
        self.queue.push(Instant::from_nanos(due), self.pushed_count);
        self.list.push((due, self.pushed_count));
        self.pushed_count += 1;
    }

    fn take_due(&mut self) {
        let now = Instant::from_nanos(self.now);
        let due_count = self.list.partition_point(|(due, _)| *due <= self.now);
        for (due, number) in self.list.drain(..due_count) {
            assert_eq!(self.queue.next_events().first(), Some(&number));
            assert_eq!(self.queue.pop_due(now), Some(number), "due at {due}");
        }
        assert_eq!(self.queue.pop_due(now), None);
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 300,
        rng_seed: RngSeed::Fixed(0x7175_6575),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn events_come_out_as_a_naive_list_would_give_them(steps in steps()) {
        let mut pair = Pair::default();
        for step in &steps {
            pair.apply(step);
        }
        pair.apply(&Step::Advance(u64::MAX - pair.now));
        assert!(pair.queue.is_empty());
    }
}
