//! Invariants of the schema: tables and columns that were acknowledged or seen are there, before
//! and after every crash, until dropped; no others are.

use super::violation::{Identity, Invariant, Judge, Role};
use crate::model::{Cause, Objection};

/// What an objection is called, when it is this judge's.
pub(super) fn identity(objection: &Objection) -> Option<Identity> {
    let (invariant, role) = match &objection.cause {
        Cause::TableMissing { .. } => (Invariant::TablesSurvive, Role::Table),
        Cause::TableShows { .. } => (Invariant::TablesStayGone, Role::Table),
        Cause::ColumnMissing { .. } => (Invariant::ColumnsSurvive, Role::Column),
        Cause::ColumnRetyped { .. } => (Invariant::TypesStay, Role::Column),
        Cause::ColumnShows { .. } => (Invariant::ColumnsStayGone, Role::Column),
        _ => return None,
    };
    Some(Identity {
        judge: Judge::Schema,
        invariant,
        role,
    })
}
