//! Steps of showing progress: a bar with ETA to a person, a plain line now and then to a log.

use std::num::NonZeroUsize;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::console::Console;
use crate::explore::Step;
use crate::pool::Stopwatch;
use crate::report::{counted, grouped, seconds};
use crate::shrink::Progress;

/// Time between two lines in a log.
const LINE_SECONDS: u64 = 10;

/// Shows the progress of one command.
pub(super) struct Meter<'c, 'a> {
    console: &'c mut Console<'a>,
    bar: Option<ProgressBar>,
    /// When time decides the end: how much of it there is.
    wall_max: Option<Duration>,
    since_line: Stopwatch,
}

impl<'c, 'a> Meter<'c, 'a> {
    pub(super) fn new(console: &'c mut Console<'a>, wall_max: Option<Duration>) -> Meter<'c, 'a> {
        let bar = console.is_terminal().then(|| {
            let style = ProgressStyle::with_template("{bar:30} {percent:>3}% {msg}, ETA {eta}");
            ProgressBar::new(0).with_style(style.expect("the template is right"))
        });
        Meter {
            console,
            bar,
            wall_max,
            since_line: Stopwatch::start(),
        }
    }

    pub(super) fn step(&mut self, step: Step<'_>) {
        match step {
            Step::Seeds {
                done_count,
                count,
                wall,
                failing_count,
            } => {
                let seeds = match count {
                    Some(all) => {
                        format!("{} of {}", grouped(done_count.into()), counted(all, "seed"))
                    }
                    None => counted(done_count, "seed"),
                };
                let text = format!("{seeds} in {}, {failing_count} failing", seconds(wall));
                match (count, self.wall_max) {
                    (Some(count), _) => self.show(done_count, count, &text),
                    (None, Some(max)) => self.show(millis(wall), millis(max), &text),
                    (None, None) => self.show(0, 0, &text),
                }
            }
            Step::Shrinks(progress) => self.shrinks(progress),
            Step::Fails(..) | Step::Shrunk(..) => {}
        }
    }

    pub(super) fn shrinks(&mut self, progress: Progress) {
        let Progress {
            runs_count,
            runs_max,
            size,
        } = progress;
        let text = format!("shrinking: {size} after {runs_count} runs");
        self.show(runs_count.into(), runs_max.into(), &text);
    }

    /// So many crash states of all were recovered from.
    pub(super) fn states(&mut self, done: u64, all: u64, failing: u64) {
        let states = counted(all, "state");
        let text = format!("{} of {states}, {failing} failing", grouped(done.into()));
        self.show(done, all, &text);
    }

    fn show(&mut self, done: u64, all: u64, text: &str) {
        if let Some(bar) = &self.bar {
            bar.set_length(all);
            bar.set_position(done);
            bar.set_message(text.to_owned());
        } else if self.since_line.elapsed().as_secs() >= LINE_SECONDS {
            self.since_line = Stopwatch::start();
            self.console.tell(&format!("{text}\n"));
        }
    }
}

impl Drop for Meter<'_, '_> {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// As many threads as were asked for, or as there are cores.
pub(super) fn threads(asked: Option<NonZeroUsize>) -> NonZeroUsize {
    asked
        .or_else(|| std::thread::available_parallelism().ok())
        .unwrap_or(NonZeroUsize::MIN)
}
