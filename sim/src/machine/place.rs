//! Invariants of a place: a handle of an ended incarnation reaches nothing; handles keep no world
//! alive.

use std::cell::Cell;
use std::rc::{Rc, Weak};

use super::ground::Ground;
use crate::network::Address;

/// One incarnation of one machine, as its handles know it.
#[derive(Debug)]
pub struct Place {
    ground: Weak<Ground>,
    name: Rc<str>,
    machine: Address,
    incarnation: u32,
    life: Rc<Life>,
}

/// Whether an incarnation goes on.
#[derive(Debug, Default)]
pub(super) struct Life {
    ended: Cell<bool>,
}

impl Life {
    pub(super) fn end(&self) {
        self.ended.set(true);
    }

    pub(super) fn has_ended(&self) -> bool {
        self.ended.get()
    }
}

impl Place {
    pub(super) fn new(
        ground: &Rc<Ground>,
        name: Rc<str>,
        machine: Address,
        incarnation: u32,
        life: Rc<Life>,
    ) -> Rc<Place> {
        Rc::new(Place {
            ground: Rc::downgrade(ground),
            name,
            machine,
            incarnation,
            life,
        })
    }

    /// The ground, unless the incarnation has ended.
    #[must_use]
    #[inline]
    pub fn ground(&self) -> Option<Rc<Ground>> {
        if self.life.has_ended() {
            return None;
        }
        self.ground.upgrade()
    }

    /// The ground, also when the incarnation has ended: to give things back.
    pub(super) fn ground_of_any_life(&self) -> Option<Rc<Ground>> {
        self.ground.upgrade()
    }

    /// The machine's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The machine's address.
    #[must_use]
    pub fn machine(&self) -> Address {
        self.machine
    }

    /// The incarnation, from 1.
    #[must_use]
    pub fn incarnation(&self) -> u32 {
        self.incarnation
    }
}
