//! Invariants of what was once found: each plan under `snapshots/failures` failed before its fix, or
//! was not read back, and holds now; its file's name says what was wrong.

use std::path::Path;

use cenotaph::history::Record;
use cenotaph::plan::Plan;
use cenotaph::run::{RunOptions, run};

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "the plans are files of this repository"
)]
fn every_failure_that_was_found_stays_mended() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../snapshots/failures");
    let entries = std::fs::read_dir(&folder).expect("the folder of plans");
    let mut paths: Vec<_> = entries
        .map(|entry| entry.expect("readable").path())
        .collect();
    paths.sort();
    assert!(
        paths.len() >= 12,
        "{} plans in {}",
        paths.len(),
        folder.display()
    );
    for path in paths {
        let name = path
            .file_name()
            .expect("a file")
            .to_string_lossy()
            .into_owned();
        let text = std::fs::read_to_string(&path).expect("text");
        let plan = Plan::from_json(&name, &text).expect("a valid plan");
        let outcome = run(&plan, &RunOptions::default());
        assert!(
            outcome.verdict.holds(),
            "{name}: {:?}",
            outcome.verdict.violations
        );
        let reader = plan.clients.len();
        let timeline = outcome.history.timeline();
        let of_reader = |record: &&Record<'_>| usize::from(record.name.client) == reader;
        let read_count = timeline.records.iter().filter(of_reader).count();
        assert_eq!(read_count, outcome.facts.finals_count, "{name}");
        assert_eq!(
            outcome.fingerprint,
            run(&plan, &RunOptions::default()).fingerprint,
            "{name} is one run"
        );
    }
}
