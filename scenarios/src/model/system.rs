//! Invariants of the schema's own tables: while no schema change can be under way, their rows are the
//! schema.

use super::fate::View;
use super::objection::Cause;
use super::state::Model;
use crate::history::SystemSchemaSeen;

impl Model<'_> {
    /// Judges what the schema's own tables showed beside the schema.
    pub(super) fn system_schema(
        &self,
        seen: &SystemSchemaSeen,
        view: View,
    ) -> Result<(), (Cause, String)> {
        let mut changes = self.changes.values().flatten();
        let is_changing = changes.any(|change| {
            let landing = &self.fates[*change].landing;
            !landing.is_refused && landing.first_at <= view.to && landing.open_until >= view.from
        });
        if is_changing || seen.schema == seen.rows {
            return Ok(());
        }
        let extra = seen.rows.iter().find(|row| !seen.schema.contains(row));
        let missing = seen.schema.iter().find(|line| !seen.rows.contains(line));
        let detail = match (extra, missing) {
            (Some(row), _) => format!("a row shows that the schema does not have: {row}"),
            (None, Some(line)) => format!("no row shows what the schema has: {line}"),
            (None, None) => "the rows are not in order, or one shows twice".to_owned(),
        };
        Err((Cause::SystemRowsDiffer, detail))
    }
}
