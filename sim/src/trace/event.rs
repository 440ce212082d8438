//! Vocabulary of events: each enters the fingerprint as its kind and three words.

use std::fmt;

/// What kind of thing happened. The numbers are frozen: they enter every fingerprint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Kind {
    /// A task was polled: name hash, wake number, instant.
    Poll = 1,
    /// A task was spawned: name hash, its number, machine.
    Spawn = 2,
    /// A task ended: name hash, wake number, how.
    End = 3,
    /// A timer fired: timer's ordinal, instant, 0.
    Timer = 4,
    /// A packet was sent: link, ordinal, content hash.
    Send = 5,
    /// A packet arrived: link, ordinal, instant.
    Deliver = 6,
    /// A packet was lost: link, ordinal, why.
    Lose = 7,
    /// A disk request was made: role hash with kind, ordinal, argument hash.
    Request = 8,
    /// A disk request completed: role hash with kind, ordinal, result hash.
    Complete = 9,
    /// A clock was read: machine and which, value, 0.
    Clock = 10,
    /// A machine's power changed: machine, incarnation, how.
    Power = 11,
    /// A fault struck: its number, instant, 0.
    Fault = 12,
    /// Chance was handed to software: machine, stream hash, ordinal.
    Entropy = 13,
    /// A word that the harness itself wants in the fingerprint.
    Note = 14,
    /// A packet waits at a closed way: link, ordinal, instant.
    Hold = 15,
}

impl Kind {
    /// The word that stands for this kind.
    #[must_use]
    #[inline]
    pub const fn word(self) -> u64 {
        self as u64
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Poll => "poll",
            Kind::Spawn => "spawn",
            Kind::End => "end",
            Kind::Timer => "timer",
            Kind::Send => "send",
            Kind::Deliver => "deliver",
            Kind::Lose => "lose",
            Kind::Request => "request",
            Kind::Complete => "complete",
            Kind::Clock => "clock",
            Kind::Power => "power",
            Kind::Fault => "fault",
            Kind::Entropy => "entropy",
            Kind::Note => "note",
            Kind::Hold => "hold",
        })
    }
}
