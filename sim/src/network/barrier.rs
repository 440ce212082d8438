//! Invariants of barriers: each stands until it is taken down by its own number, so of two that overlap
//! the second still closes its ways when the first is gone.

use super::packet::Address;

/// What a closed way does to packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closed {
    /// They wait, whether sent before or after it closed; when it opens, all arrive at once.
    Holds,
    /// Those that are sent while it is closed are lost; those in flight arrive.
    LosesSent,
    /// As above, and those in flight that would arrive while it is closed are lost, too.
    LosesAll,
}

/// Which ways are closed between two groups of machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// From each to the other.
    Both,
    /// From the left to the right only.
    LeftToRight,
}

/// Something that closes ways between two groups of machines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Barrier {
    /// One group.
    pub left: Vec<Address>,
    /// The other group.
    pub right: Vec<Address>,
    /// Which ways are closed.
    pub way: Way,
    /// What happens to packets there.
    pub closed: Closed,
}

impl Barrier {
    fn stands_between(&self, from: Address, to: Address) -> bool {
        let lies = |left: Address, right: Address| {
            self.left.contains(&left) && self.right.contains(&right)
        };
        lies(from, to) || (self.way == Way::Both && lies(to, from))
    }
}

/// The barriers that stand.
#[derive(Debug, Default)]
pub(super) struct Barriers {
    standing: Vec<(u32, Barrier)>,
}

impl Barriers {
    pub(super) fn put_up(&mut self, number: u32, barrier: Barrier) {
        self.standing.push((number, barrier));
    }

    /// Whether it stood.
    pub(super) fn take_down(&mut self, number: u32) -> bool {
        let before = self.standing.len();
        self.standing.retain(|(of, _)| *of != number);
        self.standing.len() < before
    }

    pub(super) fn take_all_down(&mut self) {
        self.standing.clear();
    }

    /// What the barriers on this way do to its packets, each by itself: one that lets something pass
    /// opens nothing that another closes.
    #[inline]
    pub(super) fn between(&self, from: Address, to: Address) -> impl Iterator<Item = Closed> {
        let here = self.standing.iter();
        here.filter(move |(_, barrier)| barrier.stands_between(from, to))
            .map(|(_, barrier)| barrier.closed)
    }
}
