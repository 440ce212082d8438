//! Invariants of the schema's own tables: at rest, their rows are the schema, before and after every
//! crash.

use super::violation::{Identity, Invariant, Judge, Role};
use crate::model::{Cause, Objection};

/// What an objection is called, when it is this judge's.
pub(super) fn identity(objection: &Objection) -> Option<Identity> {
    (objection.cause == Cause::SystemRowsDiffer).then_some(Identity {
        judge: Judge::SystemSchema,
        invariant: Invariant::RowsAreTheSchema,
        role: Role::Table,
    })
}
