//! Steps of a timeline: a layer turns each `tracing` event into a line with virtual time and
//! machine; tracing is observation, and no run depends on it.

use std::fmt::{self, Write as _};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use tracing::field::{Field, Visit};
use tracing::{Dispatch, Event, Level, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::{Context, SubscriberExt as _};

use super::context::here;

/// One line of a timeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Virtual nanoseconds since the run began.
    pub nanos: u64,
    /// Machine and incarnation: `n1/2`, or `-`.
    pub place: String,
    /// How much it matters.
    pub level: Level,
    /// What happened.
    pub text: String,
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (seconds, micros) = (self.nanos / 1_000_000_000, self.nanos / 1_000 % 1_000_000);
        let level = match self.level {
            Level::ERROR => "!!",
            Level::WARN => "! ",
            Level::INFO | Level::DEBUG | Level::TRACE => "  ",
        };
        write!(
            f,
            "{seconds:>5}.{micros:06}  {:<8}{level}{}",
            self.place, self.text
        )
    }
}

/// The lines that a [`TimelineLayer`] collects.
#[derive(Clone, Debug, Default)]
pub struct Timeline {
    lines: Arc<Mutex<Vec<Line>>>,
}

impl Timeline {
    /// An empty timeline.
    #[must_use]
    pub fn new() -> Timeline {
        Timeline::default()
    }

    /// The layer that fills this timeline with events up to `level`.
    #[must_use]
    pub fn layer(&self, level: Level) -> TimelineLayer {
        TimelineLayer {
            timeline: self.clone(),
            level,
        }
    }

    /// What was collected so far.
    #[must_use]
    pub fn lines(&self) -> Vec<Line> {
        self.lines
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// The whole timeline as text, one line an event.
    #[must_use]
    pub fn render(&self) -> String {
        let mut text = String::new();
        for line in self.lines() {
            writeln!(text, "{line}").expect("writing to a String does not fail");
        }
        text
    }
}

/// A `tracing` layer for the thread of a run.
#[derive(Clone, Debug)]
pub struct TimelineLayer {
    timeline: Timeline,
    level: Level,
}

/// Runs `run` on this thread with `layer` as its subscriber.
///
/// A second dispatcher stays alive beside it: while there is only one, `tracing` asks the thread that
/// meets a call site first whether anybody listens, and a thread without a subscriber would answer
/// no for all.
pub fn watch<T>(layer: TimelineLayer, run: impl FnOnce() -> T) -> T {
    static SECOND: OnceLock<Dispatch> = OnceLock::new();
    SECOND.get_or_init(|| Dispatch::new(tracing_subscriber::registry()));
    tracing::subscriber::with_default(tracing_subscriber::registry().with(layer), run)
}

impl<S: Subscriber> Layer<S> for TimelineLayer {
    fn on_event(&self, event: &Event<'_>, _context: Context<'_, S>) {
        let level = *event.metadata().level();
        if level > self.level {
            return;
        }
        let mut text = TextOf::default();
        event.record(&mut text);
        let (nanos, place) = match here() {
            Some(at) if at.incarnation > 0 => (
                at.now.as_nanos(),
                format!("{}/{}", at.machine, at.incarnation),
            ),
            Some(at) => (at.now.as_nanos(), at.machine.to_string()),
            None => (0, "-".to_owned()),
        };
        let line = Line {
            nanos,
            place,
            level,
            text: text.finish(),
        };
        self.timeline
            .lines
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(line);
    }
}

#[derive(Default)]
struct TextOf {
    message: String,
    fields: String,
}

impl TextOf {
    fn finish(mut self) -> String {
        self.message.push_str(&self.fields);
        self.message
    }
}

impl Visit for TextOf {
    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == "message" {
            self.message.push_str(value);
        } else {
            write!(self.fields, " {}={value}", field.name())
                .expect("writing to a String does not fail");
        }
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        let written = if field.name() == "message" {
            write!(self.message, "{value:?}")
        } else {
            write!(self.fields, " {}={value:?}", field.name())
        };
        written.expect("writing to a String does not fail");
    }
}
