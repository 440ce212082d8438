//! Vocabulary of controls: what the harness's own software may ask of the world it runs in, beyond
//! what a host gives.

use std::rc::{Rc, Weak};
use std::time::Duration;

use crate::disk::CrashKind;
use crate::machine::Ground;
use crate::network::Address;
use crate::time::Instant;
use crate::trace::Kind;

/// A handle on the world for the harness's clients. It keeps no world alive; after the run it does
/// nothing.
#[derive(Clone, Debug)]
pub struct Controls {
    ground: Weak<Ground>,
}

impl Controls {
    pub(super) fn new(ground: &Rc<Ground>) -> Controls {
        Controls {
            ground: Rc::downgrade(ground),
        }
    }

    /// Virtual time of the world.
    #[must_use]
    pub fn now(&self) -> Instant {
        self.ground
            .upgrade()
            .map_or(Instant::ZERO, |ground| ground.now())
    }

    /// Ends [`super::World::run`] when the present poll is over.
    pub fn finish(&self) {
        if let Some(ground) = self.ground.upgrade() {
            ground.finish();
        }
    }

    /// Strikes with the faults that wait for this signal.
    pub fn signal(&self, number: u64) {
        if let Some(ground) = self.ground.upgrade() {
            ground.signal(number);
        }
    }

    /// Stops a machine now.
    pub fn crash(&self, machine: Address, how: CrashKind, down: Option<Duration>) {
        if let Some(ground) = self.ground.upgrade() {
            ground.crash(machine, how, down);
        }
    }

    /// The running incarnation of a machine, when it is up.
    #[must_use]
    pub fn incarnation(&self, machine: Address) -> Option<u32> {
        let ground = self.ground.upgrade()?;
        ground.with_machine(machine, |machine| {
            machine.is_up().then(|| machine.incarnation())
        })
    }

    /// How many events the world has logged so far: a place in [`super::World::events`].
    #[must_use]
    pub fn events_count(&self) -> usize {
        self.ground
            .upgrade()
            .map_or(0, |ground| ground.events_count())
    }

    /// Counts a mark.
    pub fn mark(&self, mark: &'static str) {
        if let Some(ground) = self.ground.upgrade() {
            ground.mark(mark);
        }
    }

    /// Takes three words of the harness's own into the fingerprint.
    pub fn note(&self, words: [u64; 3], text: impl FnOnce() -> String) {
        if let Some(ground) = self.ground.upgrade() {
            ground.event(Kind::Note, words, text);
        }
    }
}
