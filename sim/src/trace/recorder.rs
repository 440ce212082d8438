//! Steps of finding a difference: compare checkpoints, run both again with that window recorded,
//! compare event by event, show both contexts.

use std::fmt;
use std::ops::Range;

use super::event::Kind;
use super::fingerprint::Fingerprint;

/// One recorded event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Its number in the run, from 0.
    pub index: u64,
    /// What kind of thing happened.
    pub kind: Kind,
    /// What entered the fingerprint.
    pub words: [u64; 3],
    /// The same for people.
    pub text: String,
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c] = self.words;
        write!(
            f,
            "#{:<8} {:<8} {}  ({a:x} {b:x} {c:x})",
            self.index, self.kind, self.text
        )
    }
}

/// Keeps the events of one window of a run.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    window: Range<u64>,
    events: Vec<Event>,
}

impl Recorder {
    /// A recorder of the events whose numbers are in `window`.
    #[must_use]
    pub fn new(window: Range<u64>) -> Recorder {
        Recorder {
            window,
            events: Vec::new(),
        }
    }

    /// What was recorded.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.events
    }
}

/// The fingerprint of a run, and the recorder where one is wanted.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    fingerprint: Fingerprint,
    recorder: Option<Box<Recorder>>,
}

impl Trace {
    /// A trace that also records `window`, when there is one.
    #[must_use]
    pub fn new(window: Option<Range<u64>>) -> Trace {
        let recorder = window.map(|window| Box::new(Recorder::new(window)));
        Trace {
            fingerprint: Fingerprint::default(),
            recorder,
        }
    }

    /// Takes in one event; `text` is called only when it is being recorded.
    #[inline]
    pub fn event(&mut self, kind: Kind, words: [u64; 3], text: impl FnOnce() -> String) {
        if let Some(recorder) = &mut self.recorder {
            let index = self.fingerprint.events_count();
            if recorder.window.contains(&index) {
                recorder.events.push(Event {
                    index,
                    kind,
                    words,
                    text: text(),
                });
            }
        }
        self.fingerprint.absorb(kind, words);
    }

    /// The fingerprint so far.
    #[must_use]
    pub fn fingerprint(&self) -> &Fingerprint {
        &self.fingerprint
    }

    /// Ends the trace: the fingerprint and what was recorded.
    #[must_use]
    pub fn finish(self) -> (Fingerprint, Vec<Event>) {
        (
            self.fingerprint,
            self.recorder
                .map(|recorder| recorder.events)
                .unwrap_or_default(),
        )
    }
}

/// The first event in which two runs differ, with the events before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Number of the first event that differs.
    pub index: u64,
    /// The last events that both runs share.
    pub common: Vec<Event>,
    /// From there on, the first run.
    pub left: Vec<Event>,
    /// From there on, the second run.
    pub right: Vec<Event>,
}

const CONTEXT_EVENTS: usize = 12;

/// Finds the first event in which two recordings of one window differ.
#[must_use]
pub fn first_difference(left: &[Event], right: &[Event]) -> Option<Difference> {
    let same = |(ours, theirs): &(&Event, &Event)| {
        (ours.index, ours.kind, ours.words) == (theirs.index, theirs.kind, theirs.words)
    };
    let same_count = left.iter().zip(right).take_while(same).count();
    if same_count == left.len() && same_count == right.len() {
        return None;
    }
    let end = |events: &[Event]| {
        events
            .iter()
            .skip(same_count)
            .take(CONTEXT_EVENTS)
            .cloned()
            .collect::<Vec<_>>()
    };
    let index = left
        .get(same_count)
        .or_else(|| right.get(same_count))
        .map_or(0, |event| event.index);
    Some(Difference {
        index,
        common: left[same_count.saturating_sub(CONTEXT_EVENTS)..same_count].to_vec(),
        left: end(left),
        right: end(right),
    })
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "the runs differ from event {} on", self.index)?;
        for event in &self.common {
            writeln!(f, "  both   {event}")?;
        }
        for event in &self.left {
            writeln!(f, "  first  {event}")?;
        }
        for event in &self.right {
            writeln!(f, "  second {event}")?;
        }
        Ok(())
    }
}
