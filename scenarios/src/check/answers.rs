//! Invariants of answers: each is one that a right database gives, as far as form and the node's
//! own incarnation go.

use super::violation::{Identity, Invariant, Judge, Role};
use crate::model::{Cause, Objection, Place};

/// What an objection is called, when it is this judge's.
pub(super) fn identity(objection: &Objection) -> Option<Identity> {
    let (invariant, role) = match &objection.cause {
        Cause::RowsOutOfOrder { .. } => (Invariant::RowsInOrder, Role::Row),
        Cause::OutsideSlice { .. } => (Invariant::RowsInSlice, Role::Row),
        Cause::LimitExceeded => (Invariant::LimitHolds, Role::Row),
        Cause::StaticWithoutRow => (Invariant::StaticsBesideRows, Role::Static),
        Cause::RowWithoutContent { .. } => (Invariant::RowsHaveContent, Role::Row),
        Cause::CollectionMalformed { place } => (Invariant::ElementsInOrder, role(place)),
        Cause::SecondWrong => (Invariant::SecondIsTrue, Role::Operation),
        Cause::Torn { .. } => (Invariant::OperationsAreWhole, Role::Operation),
        Cause::Missing {
            place,
            across_restart: false,
            ..
        } => (Invariant::AcknowledgedShows, role(place)),
        Cause::Replaced {
            place,
            across_restart: false,
            ..
        } => (Invariant::NewestWins, role(place)),
        _ => return None,
    };
    Some(Identity {
        judge: Judge::Answers,
        invariant,
        role,
    })
}

pub(super) fn role(place: &Place) -> Role {
    match place {
        Place::Static => Role::Static,
        Place::Row(_) => Role::Row,
    }
}
