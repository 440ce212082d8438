//! Vocabulary of kinds of operation: each has the name that plans give it, and a number to count by.

use super::operation::Operation;

impl Operation {
    /// The names of all kinds, by number.
    pub const NAMES: [&'static str; 21] = [
        "create_table",
        "add_column",
        "drop_column",
        "drop_table",
        "insert",
        "update",
        "delete_cells",
        "delete_row",
        "delete_range",
        "delete_partition",
        "read",
        "describe",
        "flush",
        "compact",
        "truncate",
        "mark_repaired",
        "stones",
        "set_schema_flush_window",
        "system_schema",
        "drain",
        "pause",
    ];

    /// The number of the operation's kind: a place in [`Operation::NAMES`].
    #[must_use]
    pub const fn kind_number(&self) -> usize {
        match self {
            Operation::CreateTable { .. } => 0,
            Operation::AddColumn { .. } => 1,
            Operation::DropColumn { .. } => 2,
            Operation::DropTable { .. } => 3,
            Operation::Insert { .. } => 4,
            Operation::Update { .. } => 5,
            Operation::DeleteCells { .. } => 6,
            Operation::DeleteRow { .. } => 7,
            Operation::DeleteRange { .. } => 8,
            Operation::DeletePartition { .. } => 9,
            Operation::Read { .. } => 10,
            Operation::Describe => 11,
            Operation::Flush { .. } => 12,
            Operation::Compact { .. } => 13,
            Operation::Truncate { .. } => 14,
            Operation::MarkRepaired { .. } => 15,
            Operation::Stones { .. } => 16,
            Operation::SetSchemaFlushWindow { .. } => 17,
            Operation::SystemSchema => 18,
            Operation::Drain => 19,
            Operation::Pause { .. } => 20,
        }
    }

    /// The name of the operation's kind, as in a plan.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        Operation::NAMES[self.kind_number()]
    }
}
