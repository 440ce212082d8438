//! Invariants of the dead: nothing shows that was deleted, expired, refused, lost for good, dropped with
//! its table or column, truncated, or never written.

use super::answers::role;
use super::violation::{Identity, Invariant, Judge, Role};
use crate::model::{Cause, Objection};

/// What an objection is called, when it is this judge's.
pub(super) fn identity(objection: &Objection) -> Option<Identity> {
    let (invariant, role) = match &objection.cause {
        Cause::Deleted { place, .. } => (Invariant::DeletedStaysDeleted, role(place)),
        Cause::NeverWritten { place } => (Invariant::OnlyWrittenShows, role(place)),
        Cause::FutureShows { .. } => (Invariant::OnlyWrittenShows, Role::Operation),
        Cause::RefusedShows { .. } => (Invariant::RefusedStaysOut, Role::Operation),
        Cause::DeadShows { .. } => (Invariant::LostStaysLost, Role::Operation),
        Cause::ExpiredShows { place, .. } => (Invariant::ExpiredStaysDead, role(place)),
        Cause::DroppedCellShows { .. } => (Invariant::DroppedStaysGone, Role::Column),
        Cause::TruncatedShows { .. } => (Invariant::TruncatedStaysGone, Role::Operation),
        Cause::DroppedShows { .. } => (Invariant::DroppedStaysGone, Role::Operation),
        _ => return None,
    };
    Some(Identity {
        judge: Judge::Resurrection,
        invariant,
        role,
    })
}
