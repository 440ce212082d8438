//! Vocabulary of violations. An identity has no values and no times, so that a shrunk or repeated
//! run fails in the same way or in another, and one can tell which.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::plan::OperationRef;

/// Declares an enum whose variants print and serialize by their names, in kebab case.
macro_rules! names {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
        )]
        pub enum $name { $($(#[$variant_doc])* #[serde(rename = $text)] $variant,)* }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self { $($name::$variant => $text,)* })
            }
        }
    };
}

names! {
    /// Who objects.
    Judge {
        /// Every answer is one that a right database gives.
        Answers = "answers",
        /// What was acknowledged survives.
        Durability = "durability",
        /// Nothing dead or never written shows.
        Resurrection = "resurrection",
        /// The schema is what was acknowledged.
        Schema = "schema",
        /// What is stored of deletions is canonical, written, and kept until it may go.
        Stones = "stones",
        /// A compaction forgets only what has outlived its grace.
        Compaction = "compaction",
        /// The schema's own tables are flushed in time.
        SchemaFlush = "schema-flush",
        /// The schema's own tables show the schema.
        SystemSchema = "system-schema",
        /// Healed, the database serves.
        Liveness = "liveness",
        /// On an honest disk the node boots and keeps running.
        Boot = "boot",
        /// No task of the node panics.
        Panics = "panics",
        /// What the node shows is what it wrote down.
        Store = "store",
    }
}

names! {
    /// What does not hold.
    Invariant {
        /// Rows come in clustering order, each once.
        RowsInOrder = "rows-in-order",
        /// Only rows of the slice show.
        RowsInSlice = "rows-in-slice",
        /// No more rows show than the limit.
        LimitHolds = "limit-holds",
        /// Static cells show beside a row, or for the whole partition.
        StaticsBesideRows = "statics-beside-rows",
        /// A row that shows has a live cell or marker.
        RowsHaveContent = "rows-have-content",
        /// Two reads of the same, with nothing between them, show the same.
        ReadsAgree = "reads-agree",
        /// Elements of a collection come by key, or as they were put, each once.
        ElementsInOrder = "elements-in-order",
        /// The node does a request at a second that its clock shows while it does.
        SecondIsTrue = "second-is-true",
        /// An operation shows whole or not at all.
        OperationsAreWhole = "operations-are-whole",
        /// What this incarnation acknowledged or showed, it shows.
        AcknowledgedShows = "acknowledged-shows",
        /// The later write shows; of two at one time, the larger value.
        NewestWins = "newest-wins",
        /// What an earlier incarnation acknowledged is still there.
        AcknowledgedSurvives = "acknowledged-survives",
        /// What a deletion hides stays hidden.
        DeletedStaysDeleted = "deleted-stays-deleted",
        /// Only written values show.
        OnlyWrittenShows = "only-written-shows",
        /// What the node refused does not show.
        RefusedStaysOut = "refused-stays-out",
        /// What was lost stays lost.
        LostStaysLost = "lost-stays-lost",
        /// Nothing of a dropped table shows in a later one of that name.
        DroppedStaysGone = "dropped-stays-gone",
        /// What a truncation took stays gone.
        TruncatedStaysGone = "truncated-stays-gone",
        /// What expired does not show.
        ExpiredStaysDead = "expired-stays-dead",
        /// A created table is there until it is dropped.
        TablesSurvive = "tables-survive",
        /// A table that was not created, or is dropped, is not there.
        TablesStayGone = "tables-stay-gone",
        /// An added column is there.
        ColumnsSurvive = "columns-survive",
        /// A column that was not added is not there.
        ColumnsStayGone = "columns-stay-gone",
        /// A column comes back with the type that it had.
        TypesStay = "types-stay",
        /// Stored deletions are in order, do not overlap, and none stands within one as strong.
        StonesAreCanonical = "stones-are-canonical",
        /// Every stored deletion is somebody's.
        StonesAreWritten = "stones-are-written",
        /// A deletion is stored until its grace is over.
        StonesSurvive = "stones-survive",
        /// A compaction counts graces from the second for which it decides.
        GraceIsCounted = "grace-is-counted",
        /// A compaction forgets nothing whose grace is not over.
        GraceIsKept = "grace-is-kept",
        /// A schema change is flushed within the window.
        FlushesFollow = "flushes-follow",
        /// A window has no more flushes than it allows.
        FlushesAreFew = "flushes-are-few",
        /// A flush that begins ends.
        FlushesEnd = "flushes-end",
        /// Without a window a schema change is answered when it is flushed.
        FlushesComeFirst = "flushes-come-first",
        /// The rows of the schema's own tables are the schema.
        RowsAreTheSchema = "rows-are-the-schema",
        /// Healed, the node serves.
        NodeServes = "node-serves",
        /// Healed, requests are answered in time.
        RequestsAnswered = "requests-answered",
        /// Virtual time passes, and somebody always has something to do.
        TimePasses = "time-passes",
        /// A node boots from what an honest disk kept.
        BootSucceeds = "boot-succeeds",
        /// A node does not stop by itself on an honest disk.
        NodeKeepsRunning = "node-keeps-running",
        /// Only where the disk failed does the node say so, and stored bytes never contradict themselves.
        FailuresHaveCauses = "failures-have-causes",
        /// No task panics.
        NoPanic = "no-panic",
        /// Views, manifest and parts of the commit log agree.
        StoreAgrees = "store-agrees",
    }
}

names! {
    /// What the object at fault is to the database.
    Role {
        /// A row of a partition, or a cell of it.
        Row = "row",
        /// A static cell of a partition.
        Static = "static",
        /// An operation.
        Operation = "operation",
        /// A stored deletion.
        Deletion = "deletion",
        /// A table.
        Table = "table",
        /// A column.
        Column = "column",
        /// The node.
        Node = "node",
        /// A client.
        Client = "client",
    }
}

/// In which way a run fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Identity {
    /// Who objects.
    pub judge: Judge,
    /// What does not hold.
    pub invariant: Invariant,
    /// Of what kind of object.
    pub role: Role,
}

impl fmt::Display for Identity {
    /// `durability/acknowledged-survives/row`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.judge, self.invariant, self.role)
    }
}

/// One thing that does not hold in a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// In which way the run fails.
    pub identity: Identity,
    /// The operation whose answer shows it, when there is one.
    pub operation: Option<OperationRef>,
    /// The same for a person: names, values, times.
    pub detail: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.identity, self.detail)
    }
}
