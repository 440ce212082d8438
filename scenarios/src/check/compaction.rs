//! Invariants of compactions, as they tell it themselves: graces are counted from the second for
//! which they decide, and nothing goes whose grace is not over.

use super::violation::{Identity, Invariant, Judge, Role};
use crate::model::{Cause, Objection};

/// What an objection is called, when it is this judge's.
pub(super) fn identity(objection: &Objection) -> Option<Identity> {
    let invariant = match &objection.cause {
        Cause::GraceMiscounted => Invariant::GraceIsCounted,
        Cause::PurgedEarly => Invariant::GraceIsKept,
        _ => return None,
    };
    Some(Identity {
        judge: Judge::Compaction,
        invariant,
        role: Role::Deletion,
    })
}
