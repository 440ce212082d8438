//! Invariants of the harness itself: each of its self-tests holds, and fails when the bug that it looks
//! for is planted in the harness.

use cenotaph_sim::planted::{Plant, choose};

use super::{chance, machines, storage};

/// A self-test: says what it saw, when that is not what has to be.
type SelfTest = fn() -> Result<(), String>;

const SELF_TESTS: [(Plant, SelfTest); 10] = [
    (Plant::HashOrder, chance::one_plan_gives_one_fingerprint),
    (Plant::RealClock, chance::one_plan_gives_one_fingerprint),
    (Plant::SecondSeed, chance::one_plan_gives_one_fingerprint),
    (Plant::HeapOrder, chance::one_instant_keeps_its_order),
    (Plant::RateOff, chance::losses_are_as_frequent_as_set),
    (
        Plant::UnsyncedSurvives,
        storage::a_power_cut_takes_what_was_not_synced,
    ),
    (
        Plant::RequestSpared,
        storage::every_kind_of_request_can_fail,
    ),
    (Plant::SleepsOn, machines::a_sleep_ends_at_its_time),
    (
        Plant::ClockStands,
        machines::a_wall_clock_goes_on_while_its_machine_is_down,
    ),
    (
        Plant::FlightSpared,
        machines::a_partition_takes_what_is_in_flight,
    ),
];

#[test]
fn the_harness_passes_its_self_tests() {
    for (plant, self_test) in SELF_TESTS {
        assert_eq!(
            self_test(),
            Ok(()),
            "the self-test that looks for {plant:?}"
        );
    }
}

#[test]
fn each_self_test_sees_the_bug_that_it_looks_for() {
    for (plant, self_test) in SELF_TESTS {
        let planted = choose(plant);
        let told = self_test();
        drop(planted);
        assert!(told.is_err(), "{plant:?} was planted and nobody saw it");
        assert_eq!(
            self_test(),
            Ok(()),
            "{plant:?} is still there without its guard"
        );
    }
}

#[test]
fn every_bug_of_the_harness_has_its_self_test() {
    let tested: Vec<Plant> = SELF_TESTS.iter().map(|(plant, _)| *plant).collect();
    for plant in Plant::ALL {
        assert!(tested.contains(&plant), "{plant:?} has no self-test");
    }
}

/// Holds, or says what was seen.
pub(super) fn hold(holds: bool, seen: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(seen()) }
}
