//! Invariants of durability: what an earlier incarnation acknowledged, or showed and a later one
//! replayed, is there, whatever crashed in between; unless the commit log's mode allows its loss.

use super::answers::role;
use super::violation::{Identity, Invariant, Judge};
use crate::model::{Cause, Objection};

/// What an objection is called, when it is this judge's.
pub(super) fn identity(objection: &Objection) -> Option<Identity> {
    match &objection.cause {
        Cause::Missing {
            place,
            across_restart: true,
            ..
        }
        | Cause::Replaced {
            place,
            across_restart: true,
            ..
        } => Some(Identity {
            judge: Judge::Durability,
            invariant: Invariant::AcknowledgedSurvives,
            role: role(place),
        }),
        _ => None,
    }
}
