//! Vocabulary of where we are: the virtual instant and the machine whose task is being polled.

use std::cell::RefCell;
use std::rc::Rc;

use crate::time::Instant;

/// Where and when something happens in a simulated run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct At {
    /// Virtual time since the run began.
    pub now: Instant,
    /// The machine, or `-` for the world itself.
    pub machine: Rc<str>,
    /// The machine's incarnation.
    pub incarnation: u32,
}

thread_local! {
    static HERE: RefCell<Option<At>> = const { RefCell::new(None) };
}

/// Says where this thread's run is now; only a run with a subscriber needs to.
pub fn set_here(at: Option<At>) {
    HERE.with(|here| *here.borrow_mut() = at);
}

/// Where this thread's run is now.
#[must_use]
pub fn here() -> Option<At> {
    HERE.with(|here| here.borrow().clone())
}
