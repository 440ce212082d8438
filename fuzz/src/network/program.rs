//! Vocabulary of programs: who sends when to whom, over which links, and what stands in the way.

use arbitrary::{Result, Unstructured};
use cenotaph_sim::entropy::Ratio;
use cenotaph_sim::network::{Closed, LinkOptions, Way};

/// Nanoseconds that instants are multiples of.
pub(super) const QUANTUM_NANOS: u64 = 100_000;

const MACHINES_COUNT_MAX: usize = 4;
const ACTS_COUNT_MAX: usize = 40;
/// The largest span between two acts, in quanta: as long as a packet takes, so that they meet.
const GAP_QUANTA_MAX: u64 = 40;

/// One packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Send {
    /// The sender.
    pub from: usize,
    /// The receiver; may be the sender.
    pub to: usize,
    /// Bytes beside the packet's number.
    pub size: u16,
}

/// What happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// A packet is sent, if its sender is up.
    Send(Send),
    /// Ways between two machines are closed for a while.
    Partition {
        /// One side.
        left: usize,
        /// The other side.
        right: usize,
        /// In both directions, or from the left to the right.
        way: Way,
        /// What happens to packets there.
        closed: Closed,
        /// For how long, in nanoseconds.
        nanos: u64,
    },
    /// The next packets are lost.
    Drop {
        /// How many.
        count: u64,
    },
    /// A machine is killed, and comes back.
    Crash {
        /// The machine.
        machine: usize,
        /// After how long, in nanoseconds.
        down_nanos: u64,
    },
}

/// A network, and what happens on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Machines.
    pub machines_count: usize,
    /// How links behave.
    pub link: LinkOptions,
    /// What happens, with its time in nanoseconds, in order.
    pub acts: Vec<(u64, Act)>,
}

impl Program {
    /// Draws a program.
    ///
    /// # Errors
    /// The generator's, when it runs dry where it needs a byte.
    pub fn draw(source: &mut Unstructured<'_>) -> Result<Program> {
        let machines_count = source.int_in_range(2..=MACHINES_COUNT_MAX)?;
        let delay_min_nanos = source.int_in_range(0..=2_000_000)?;
        let spread = if source.arbitrary()? {
            source.int_in_range(0..=4_000_000)?
        } else {
            0
        };
        let link = LinkOptions {
            delay_min_nanos,
            delay_max_nanos: delay_min_nanos + spread,
            straggling: ratio(source)?,
            loss: ratio(source)?,
            duplication: ratio(source)?,
            ..LinkOptions::default()
        };
        let faults = source.arbitrary::<u8>()?;
        let mut acts = Vec::new();
        let mut at_nanos = 0;
        for _ in 0..source.int_in_range(0..=ACTS_COUNT_MAX)? {
            at_nanos += source.int_in_range(0..=GAP_QUANTA_MAX)? * QUANTUM_NANOS;
            acts.push((at_nanos, Act::draw(source, machines_count, faults)?));
        }
        Ok(Program {
            machines_count,
            link,
            acts,
        })
    }

    /// Whether some act is like this one.
    pub fn has(&self, is_like: impl Fn(&Act) -> bool) -> bool {
        self.acts.iter().any(|(_, act)| is_like(act))
    }
}

impl Act {
    /// Draws an act; of the faults only those whose bit is set in `faults`.
    fn draw(source: &mut Unstructured<'_>, machines_count: usize, faults: u8) -> Result<Act> {
        let machine = |source: &mut Unstructured<'_>| source.int_in_range(0..=machines_count - 1);
        let nanos = |source: &mut Unstructured<'_>| {
            Ok(source.int_in_range(0..=3 * GAP_QUANTA_MAX)? * QUANTUM_NANOS)
        };
        Ok(match source.int_in_range(0..=9)? {
            0 if faults & 1 != 0 => Act::Partition {
                left: machine(source)?,
                right: machine(source)?,
                way: *source.choose(&[Way::Both, Way::LeftToRight])?,
                closed: *source.choose(&[Closed::Holds, Closed::LosesSent, Closed::LosesAll])?,
                nanos: nanos(source)?,
            },
            1 if faults & 2 != 0 => Act::Drop {
                count: source.int_in_range(1..=3)?,
            },
            2 if faults & 4 != 0 => Act::Crash {
                machine: machine(source)?,
                down_nanos: nanos(source)?,
            },
            _ => Act::Send(Send {
                from: machine(source)?,
                to: machine(source)?,
                size: source.int_in_range(0..=300)?,
            }),
        })
    }
}

/// Never and always as often as anything between.
fn ratio(source: &mut Unstructured<'_>) -> Result<Ratio> {
    Ok(match source.int_in_range(0..=4)? {
        0..=2 => Ratio::NEVER,
        3 => Ratio::ALWAYS,
        _ => Ratio::new(source.int_in_range(1..=9)?, 10).expect("below one"),
    })
}
