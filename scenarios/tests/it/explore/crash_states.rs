//! Invariants of crash states: bugs of durability show in some state, the right engine recovers from all, and a
//! state has one name that leads to it again.

use std::num::NonZeroUsize;

use cenotaph::explore::{CrashStates, CrashStatesOptions, StateName, crash_state, crash_states};
use cenotaph::plan::Plan;
use cenotaph::run::{RunOptions, record};
use cenotaph_sim::world::World;

const SCENARIO: &str = "crash-without-drain";

fn plan(seed: u64, bug: Option<&str>) -> Plan {
    let mut plan = Plan::from_seed(SCENARIO, seed).expect("the scenario exists");
    plan.bug = bug.map(str::to_owned);
    plan
}

fn searched(plan: &Plan, bound: u32, states_max: u64, jobs: usize) -> CrashStates {
    let options = CrashStatesOptions {
        bound,
        states_max,
        jobs: NonZeroUsize::new(jobs).expect("some threads"),
    };
    let mut told = (0, 0, 0);
    let found = crash_states(plan, &options, &mut |done, all, failing| {
        assert!(told.0 <= done && told.2 <= failing && done <= all);
        told = (done, all, failing);
    });
    let failing = found.failures.iter().map(|failure| failure.count).sum();
    assert_eq!(
        told,
        (found.recovered_count, found.recovered_count, failing)
    );
    found
}

#[test]
fn the_right_engine_recovers_from_every_state() {
    for (seed, bound) in [(2, 0), (4, 1)] {
        let found = searched(&plan(seed, None), bound, 150, 2);
        assert!(found.holds(), "seed {seed}: {:?}", found.failures);
        assert_eq!(found.recovered_count, 150.min(found.states_count));
    }
    assert_eq!(World::alive_count(), 0);
}

#[test]
fn a_replay_that_leaves_tables_out_loses_what_was_acknowledged_in_few_states() {
    let plan = plan(4, Some("P30"));
    let found = searched(&plan, 0, 1_000, 2);
    let [failure] = &found.failures[..] else {
        panic!("{:?}", found.failures);
    };
    assert_eq!(
        failure.identity.to_string(),
        "durability/acknowledged-survives/row"
    );
    assert_eq!(found.recovered_count, found.states_count);
    assert!(failure.count * 10 < found.states_count, "{}", failure.count);
    let again = crash_state(&plan, failure.first.name, 0).expect("its name leads to it");
    assert_eq!(again.state, failure.first);
    let outcome = again.recover(&RunOptions::default());
    assert_eq!(outcome.verdict, failure.outcome.verdict);
    assert_eq!(outcome.fingerprint, failure.outcome.fingerprint);
}

#[test]
fn logs_that_go_before_their_tables_directory_is_synced_leave_what_no_node_boots_from() {
    let found = searched(&plan(2, Some("P05")), 0, 40, 2);
    let identities = found.failures.iter().map(|failure| failure.identity);
    let identities: Vec<String> = identities.map(|identity| identity.to_string()).collect();
    assert_eq!(identities, ["boot/boot-succeeds/node"]);
}

#[test]
fn a_search_is_the_same_on_any_number_of_threads_and_keeps_within_its_budget() {
    for states_max in [7, 60] {
        let one = searched(&plan(3, None), 1, states_max, 1);
        let two = searched(&plan(3, None), 1, states_max, 2);
        assert_eq!(one.fingerprint, two.fingerprint);
        assert_eq!(one.recovered_count, states_max);
        assert_eq!(one.recovered_count, two.recovered_count);
        assert_eq!(one.states_count, two.states_count);
    }
}

#[test]
fn wider_bounds_have_more_states_and_moments_name_requests() {
    let plan = plan(2, None);
    let states = [0, 1, 2].map(|bound| searched(&plan, bound, 1, 2).states_count);
    assert!(states.is_sorted() && states[0] < states[2], "{states:?}");
    let recording = record(&plan);
    assert!(recording.plan.faults.is_empty());
    let moments = recording.moments.iter();
    assert!(
        moments
            .clone()
            .is_sorted_by_key(|moment| (moment.at, moment.events_before))
    );
    let requests: Vec<&str> = moments.map(|moment| moment.request.as_str()).collect();
    for wanted in [
        "n1/1/commitlog/write/0",
        "n1/1/commitlog/sync/0",
        "n1/1/root/sync-dir/0",
    ] {
        assert!(requests.contains(&wanted), "{wanted}: {requests:?}");
    }
}

#[test]
fn a_state_has_a_name_and_unknown_ones_lead_nowhere() {
    let name = StateName {
        moment: 17,
        image: 0xab,
    };
    assert_eq!(name.to_string().parse(), Ok(name));
    for wrong in ["", "17", "17:", ":ab", "17:xyz", "-1:ab"] {
        let told = wrong.parse::<StateName>().unwrap_err();
        assert!(told.contains("MOMENT:IMAGE"), "{told}");
    }
    assert!(crash_state(&plan(2, None), name, 0).is_none());
    let far = StateName {
        moment: 1 << 20,
        image: 0,
    };
    assert!(crash_state(&plan(2, None), far, 0).is_none());
}
