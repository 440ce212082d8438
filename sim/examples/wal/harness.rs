//! Steps of a run: a world of one machine; its software opens the log, looks whether everything that
//! was ever acknowledged is there, and goes on with the steps where the last incarnation left off.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::rc::Rc;
use std::time::Duration;

use bytes::Bytes;
use cenotaph_sim::disk::CrashKind;
use cenotaph_sim::entropy::{RunKey, Stream};
use cenotaph_sim::host::Host;
use cenotaph_sim::trace::{Fingerprint, Timeline, watch};
use cenotaph_sim::world::{
    Controls, Limits, MachineOptions, RunEnd, World, WorldOptions, software,
};
use tracing::{Level, error};

use crate::log::{Log, Names};

/// How long the machine stays down.
const DOWN: Duration = Duration::from_millis(100);

/// One step of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Appends a record of so many bytes, and waits for it.
    Append { size: u64 },
    /// Cuts the power after so many microseconds; the steps go on meanwhile.
    CutPower { after_micros: u64 },
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Append { size } => write!(f, "append a record of {size} bytes"),
            Step::CutPower { after_micros } => write!(f, "cut the power {after_micros} µs later"),
        }
    }
}

/// Draws the steps of a seed.
pub(crate) fn draw(seed: u64) -> Vec<Step> {
    let mut stream = Stream::open(RunKey(seed).stream("steps"));
    let count = 4 + stream.below(28);
    let mut step = || match stream.below(5) {
        0 => Step::CutPower {
            after_micros: stream.below(5_000),
        },
        _ => Step::Append {
            size: 8 + stream.below(600),
        },
    };
    (0..count).map(|_| step()).collect()
}

/// What came of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Every record that was acknowledged was there at every boot.
    Held,
    /// This acknowledged record was not there.
    Lost { record: u64 },
    /// This record was there, and nobody had appended it then.
    Invented { record: u64 },
    /// The run came to no end of its own.
    Stuck(RunEnd),
}

impl Verdict {
    /// Whether both are the same kind of failure.
    pub(crate) fn is_like(&self, other: &Verdict) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }
}

/// A run's outcome: equal for equal seeds and steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) verdict: Verdict,
    fingerprint: Fingerprint,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "fingerprint {}: ", self.fingerprint)?;
        match &self.verdict {
            Verdict::Held => f.write_str("nothing is lost"),
            Verdict::Lost { record } => write!(f, "record {record} was acknowledged, and is lost"),
            Verdict::Invented { record } => write!(f, "record {record} was never appended"),
            Verdict::Stuck(end) => write!(f, "{end}"),
        }
    }
}

/// What outlives the machine: the steps, and what its clients were told.
struct Book {
    steps: Vec<Step>,
    steps_taken: Cell<usize>,
    appended_count: Cell<u64>,
    acknowledged: RefCell<Vec<u64>>,
    failure: RefCell<Option<Verdict>>,
}

impl Book {
    fn next_step(&self) -> Option<Step> {
        let index = self.steps_taken.get();
        self.steps_taken.set(index + 1);
        self.steps.get(index).copied()
    }

    /// A payload of a new record: its number, then zeros.
    fn record(&self, size: u64) -> (u64, Vec<u8>) {
        let number = self.appended_count.get();
        self.appended_count.set(number + 1);
        let mut payload = vec![0; usize::try_from(size).expect("records are small")];
        payload[..8].copy_from_slice(&number.to_le_bytes());
        (number, payload)
    }

    /// Judges what a boot found.
    fn judge(&self, found: &[Bytes]) -> Result<(), Verdict> {
        let number =
            |record: &Bytes| u64::from_le_bytes(record[..8].try_into().expect("eight bytes"));
        let found: Vec<u64> = found.iter().map(number).collect();
        let known = 0..self.appended_count.get();
        if let Some(&record) = found.iter().find(|record| !known.contains(record)) {
            return Err(Verdict::Invented { record });
        }
        match self
            .acknowledged
            .borrow()
            .iter()
            .find(|record| !found.contains(record))
        {
            Some(&record) => Err(Verdict::Lost { record }),
            None => Ok(()),
        }
    }
}

/// The machine's software; the log in it sees of the world only its disk.
async fn node(host: Host, controls: Controls, book: Rc<Book>, names: Names) -> Result<(), String> {
    let opened = Log::open(host.disk(), names).await;
    let (mut log, found) = opened.map_err(|error| error.to_string())?;
    if let Err(failure) = book.judge(&found) {
        error!("{failure:?}");
        *book.failure.borrow_mut() = Some(failure);
        controls.finish();
        return Ok(());
    }
    while let Some(step) = book.next_step() {
        match step {
            Step::Append { size } => {
                let (number, payload) = book.record(size);
                log.append(&payload)
                    .await
                    .map_err(|error| error.to_string())?;
                book.acknowledged.borrow_mut().push(number);
            }
            Step::CutPower { after_micros } => {
                let (machine, clock) = (host.network().address(), host.clock());
                let controls = controls.clone();
                host.spawn("cut", async move {
                    clock.sleep(Duration::from_micros(after_micros)).await;
                    controls.crash(machine, CrashKind::PowerCut, Some(DOWN));
                });
            }
        }
    }
    // The last cut may be still to come.
    host.clock().sleep(DOWN).await;
    controls.finish();
    Ok(())
}

/// Runs the steps in the world of a seed.
pub(crate) fn run(seed: u64, steps: &[Step], names: Names) -> Outcome {
    run_in(WorldOptions::new(RunKey(seed)), steps, names)
}

fn run_in(options: WorldOptions, steps: &[Step], names: Names) -> Outcome {
    let book = Rc::new(Book {
        steps: steps.to_vec(),
        steps_taken: Cell::new(0),
        appended_count: Cell::new(0),
        acknowledged: RefCell::default(),
        failure: RefCell::default(),
    });
    let mut world = World::new(options);
    let (controls, shared) = (world.controls(), Rc::clone(&book));
    let main = move |host| node(host, controls.clone(), Rc::clone(&shared), names);
    let machine = world.add_machine(MachineOptions::new("n1"), software(main));
    world.boot(machine);
    let verdict = match world.run(Limits::default()) {
        RunEnd::Finished => book.failure.take().unwrap_or(Verdict::Held),
        end => Verdict::Stuck(end),
    };
    let fingerprint = world.trace().fingerprint().clone();
    Outcome {
        verdict,
        fingerprint,
    }
}

/// The same run, told line by line in virtual time.
pub(crate) fn story(seed: u64, steps: &[Step], names: Names) -> String {
    let timeline = Timeline::new();
    let mut options = WorldOptions::new(RunKey(seed));
    options.observed = true;
    watch(timeline.layer(Level::INFO), || {
        run_in(options, steps, names)
    });
    timeline.render()
}
