//! Invariants of stored deletions: their form is canonical, each is somebody's, and none is gone
//! before its grace is over.

use super::violation::{Identity, Invariant, Judge, Role};
use crate::model::{Cause, Objection};

/// What an objection is called, when it is this judge's.
pub(super) fn identity(objection: &Objection) -> Option<Identity> {
    let invariant = match &objection.cause {
        Cause::StonesMalformed => Invariant::StonesAreCanonical,
        Cause::StoneInvented => Invariant::StonesAreWritten,
        Cause::StoneLost { .. } => Invariant::StonesSurvive,
        _ => return None,
    };
    Some(Identity {
        judge: Judge::Stones,
        invariant,
        role: Role::Deletion,
    })
}
