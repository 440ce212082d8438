//! Steps of telling a failure: what, where, how small, which faults struck, the events around it,
//! and the commands to type next.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::numbers::counted;
use crate::check::Violation;
use crate::explore::{Group, verdict_word};
use crate::history::Event;
use crate::plan::{Anchor, Fault, FaultKind, OperationRef, Plan};
use crate::run::Outcome;
use crate::shrink::Size;

/// A failure, with all that its report names.
#[derive(Clone, Copy, Debug)]
pub struct Finding<'a> {
    /// The plan that fails, as small as it got.
    pub plan: &'a Plan,
    /// What comes of it.
    pub outcome: &'a Outcome,
    /// Commit that the program was built of.
    pub commit: &'a str,
    /// The file that holds the plan; none when it was not written.
    pub file: Option<&'a str>,
    /// The commands to type next.
    pub next: &'a [String],
    /// The seed that makes the plan, or made the one that it was shrunk from; none when nobody knows.
    pub seed: Option<u64>,
    /// The seeds that fail like this, when a sweep found it.
    pub group: Option<&'a Group>,
    /// Size before shrinking, runs spent on it, and whether nothing more can be left out.
    pub shrunk: Option<(Size, u32, bool)>,
}

/// Events told before and after the violation.
const EVENTS_BEFORE: usize = 12;
const EVENTS_AFTER: usize = 2;

/// Violations told of one run.
const VIOLATIONS_MAX: usize = 3;

/// The longest line of a violation, in characters.
const LINE_SIZE_MAX: usize = 100;

/// The longest text of an event that is told whole, in characters.
const EVENT_SIZE_MAX: usize = 200;

/// A failure in one screen.
#[must_use]
pub fn failure(finding: &Finding<'_>) -> String {
    let outcome = finding.outcome;
    let mut text = head(finding);
    for fault in struck(finding.plan, outcome) {
        let kind = fault.kind.name();
        let _ = writeln!(text, "  struck     {kind} at {}", fault.at);
    }
    let violations = &outcome.verdict.violations;
    for violation in violations.iter().take(VIOLATIONS_MAX) {
        let lines = wrapped(&violation.to_string());
        let _ = writeln!(text, "  violation  {}", lines.join("\n             "));
    }
    if let Some(more) = violations.len().checked_sub(VIOLATIONS_MAX + 1) {
        let _ = writeln!(text, "             and {} more", more + 1);
    }
    text.push_str(&around(outcome));
    text.push_str("next\n");
    for command in finding.next {
        let _ = writeln!(text, "  {command}");
    }
    text
}

/// What fails, where it is, and how small it got.
fn head(finding: &Finding<'_>) -> String {
    let (plan, verdict) = (finding.plan, verdict_word(&finding.outcome.verdict));
    let name = match finding.seed {
        Some(seed) => format!("seed {seed}"),
        None => format!("run key {}", plan.run_key),
    };
    let bug = plan.bug.as_ref().map(|bug| format!(" (planted bug {bug})"));
    let (scenario, commit) = (&plan.scenario, finding.commit);
    let mut text = format!("FAILED {verdict}\n  scenario   {scenario}, {name}, commit {commit}");
    text.push_str(&bug.unwrap_or_default());
    text.push('\n');
    if let Some(group) = finding.group {
        let seeds = counted(group.seeds_count, "seed");
        let fail = if group.seeds_count == 1 {
            "fails"
        } else {
            "fail"
        };
        let _ = writeln!(
            text,
            "  seeds      {seeds} {fail} so, the smallest {}; this one has the fewest events",
            group.seed_min
        );
    }
    let file = finding.file.map(|file| format!("{file}: "));
    let size = Size::of(plan);
    let _ = writeln!(text, "  plan       {}{size}", file.unwrap_or_default());
    if let Some((before, runs_count, is_minimal)) = finding.shrunk {
        let runs = counted(u64::from(runs_count), "run");
        let end = match is_minimal {
            true => "nothing more can be left out",
            false => "the budget ended first",
        };
        let _ = writeln!(text, "  shrunk     from {before}, in {runs}; {end}");
    }
    text
}

/// Faults of the plan whose anchor was reached, in the order in which they struck.
fn struck(plan: &Plan, outcome: &Outcome) -> Vec<Fault> {
    let mut waiting = outcome.faults_waiting.clone();
    let struck = plan.faults.iter().filter(|fault| {
        let place = waiting.iter().position(|idle| idle == *fault);
        place.map(|place| waiting.swap_remove(place)).is_none()
    });
    let mut struck: Vec<Fault> = struck.cloned().collect();
    let events = outcome.history.events();
    struck.sort_by_key(|fault| moment(fault, events).unwrap_or(usize::MAX));
    struck
}

/// Before which event a fault struck; none when no event tells.
fn moment(fault: &Fault, events: &[Event]) -> Option<usize> {
    let anchor = format!(" at {}", fault.at);
    events.iter().position(|event| match (&fault.at, event) {
        (Anchor::Time { millis }, event) => event.at().as_nanos() >= u64::from(*millis) * 1_000_000,
        (Anchor::Operation(wanted), Event::Invoked { operation, .. }) => operation == wanted,
        (Anchor::Io { .. }, Event::DiskFault { what, .. }) => what.ends_with(&anchor),
        (
            Anchor::Io {
                incarnation: of, ..
            },
            Event::Crashed { incarnation, .. },
        ) => matches!(fault.kind, FaultKind::Crash { .. }) && incarnation == of,
        _ => false,
    })
}

fn around(outcome: &Outcome) -> String {
    let events = outcome.history.events();
    let at = outcome
        .verdict
        .violations
        .first()
        .and_then(|first| place(first, events));
    let end = at.map_or(events.len(), |at| (at + 1 + EVENTS_AFTER).min(events.len()));
    let start = at.unwrap_or(end).saturating_sub(EVENTS_BEFORE);
    let blamed = blamed(&outcome.verdict.violations);
    let is_told = |index: usize| {
        let own = operation(&events[index]).is_some_and(|own| blamed.contains(&own));
        (start..end).contains(&index) || own
    };
    let (mut text, mut next) = (String::from("  events\n"), 0);
    for (index, event) in events.iter().enumerate() {
        if !is_told(index) {
            continue;
        }
        let gap = index - next;
        if gap > 0 {
            let place = if next == 0 { "before" } else { "between" };
            let _ = writeln!(text, "    .. {} {place}", counted(gap as u64, "event"));
        }
        next = index + 1;
        let mark = if at == Some(index) { ">" } else { " " };
        let _ = writeln!(text, "  {mark} {}", cut(&event.to_string()));
    }
    text
}

/// The event that shows a violation: the answer, or what became of the node.
fn place(violation: &Violation, events: &[Event]) -> Option<usize> {
    let tells = |incarnation: &u32, what: &str| {
        let detail = &violation.detail;
        detail.contains(&format!("n1/{incarnation} ")) && detail.contains(what)
    };
    events
        .iter()
        .position(|event| match (event, violation.operation) {
            (Event::Answered { operation, .. }, Some(wanted)) => *operation == wanted,
            (
                Event::Exited {
                    incarnation,
                    error: Some(error),
                    ..
                },
                None,
            ) => tells(incarnation, error),
            (
                Event::Panicked {
                    incarnation,
                    message,
                    ..
                },
                None,
            ) => tells(incarnation, message),
            _ => false,
        })
}

/// Operations whose answers show the violations that are told.
fn blamed(violations: &[Violation]) -> BTreeSet<OperationRef> {
    let told = violations.iter().take(VIOLATIONS_MAX);
    told.filter_map(|violation| violation.operation).collect()
}

/// The operation that an event belongs to.
const fn operation(event: &Event) -> Option<OperationRef> {
    match event {
        Event::Invoked { operation, .. } | Event::Answered { operation, .. } => Some(*operation),
        _ => None,
    }
}

/// A text in lines of its words, with all its spaces but those where a line ends. A word that is
/// longer than a line has one of its own.
fn wrapped(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for whole in text.lines() {
        let mut line: Option<String> = None;
        for word in whole.split(' ') {
            line = Some(match line {
                None => word.to_owned(),
                Some(line) if line.chars().count() + word.chars().count() < LINE_SIZE_MAX => {
                    line + " " + word
                }
                Some(full) => {
                    lines.push(full);
                    word.to_owned()
                }
            });
        }
        lines.extend(line);
    }
    lines
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(EVENT_SIZE_MAX) {
        Some((end, _)) => format!("{} ..", &text[..end]),
        None => text.to_owned(),
    }
}
