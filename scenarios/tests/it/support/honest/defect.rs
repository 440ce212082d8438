//! Vocabulary of what may be wrong with a node.

/// What is wrong with a node, if anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Defect {
    None,
    /// A crash may undo acknowledged writes, whatever the mode.
    LosesAcknowledged,
    /// A restart forgets deletions.
    ForgetsDeletions,
    /// What a crash undid comes back after the next one.
    BringsBackLost,
    /// A restart forgets the table created last.
    ForgetsTable,
    /// A dropped table's rows show in the next table of that name.
    KeepsDropped,
    /// Range tombstones leave out their upper bound.
    ExclusiveEnds,
}
