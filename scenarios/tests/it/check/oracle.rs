//! Invariants of the judges as a whole: a right database that is slow, cut off and restarted passes; and
//! judges that took "unknown" for "not done" would not let it.

use cenotaph::check::{Evidence, judge};
use cenotaph::history::{Event, History, Outcome, Refusal};
use cenotaph::plan::Plan;
use cenotaph::run::{Outcome as RunOutcome, RunOptions, run};

const SCENARIO: &str = "crash-without-drain";

/// The same history as a stricter oracle would read it: what has no answer was not done.
fn strictly_read(history: &History) -> (History, usize) {
    let mut strict = History::default();
    let mut changed_count = 0;
    for event in history.events() {
        let mut event = event.clone();
        if let Event::Answered { outcome, .. } = &mut event
            && let Outcome::Unknown { why } = outcome
        {
            *outcome = Outcome::Refused(Refusal::Other(why.clone()));
            changed_count += 1;
        }
        strict.push(event);
    }
    (strict, changed_count)
}

#[test]
fn a_right_database_passes_with_timeouts_and_no_stricter_oracle_would_let_it() {
    let (mut unknown_count, mut objected_count) = (0, 0);
    for seed in 0..60 {
        let plan = Plan::from_seed(SCENARIO, seed).expect("the scenario exists");
        let RunOutcome {
            verdict,
            history,
            facts,
            ..
        } = run(&plan, &RunOptions::default());
        assert!(verdict.holds(), "seed {seed}: {:?}", verdict.violations);
        let (strict, changed_count) = strictly_read(&history);
        unknown_count += changed_count;
        let read_strictly = judge(&Evidence {
            plan: &plan,
            history: &strict,
            facts: &facts,
        });
        objected_count += usize::from(!read_strictly.holds());
    }
    assert!(unknown_count > 100, "{unknown_count} answers were unknown");
    assert!(
        objected_count > 0,
        "{unknown_count} unknown answers read as refusals, and no judge objects"
    );
}
