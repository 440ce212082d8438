//! Vocabulary of a crash: the rules that hold for every file of a disk, and what one file's crash draws on.

use super::chance::Chance;
use super::constraints::Constraints;
use super::freed::FreedPages;
use super::moment::Moment;
use super::options::{CrashKind, CrashReport};
use super::tear::Tear;

/// What a crash may do to the files of one disk.
#[derive(Clone, Debug)]
pub(super) struct Rules {
    pub(super) constraints: Constraints,
    pub(super) tear: Tear,
    pub(super) kind: CrashKind,
    /// The pages whose bytes blocks may still hold.
    pub(super) freed: FreedPages,
}

/// What a file's crash draws on, and where it reports.
pub(super) struct ContentDraw<'a> {
    pub(super) inode: u64,
    pub(super) rules: &'a Rules,
    /// Metadata issued from here on is out, where all of it is one history.
    pub(super) horizon: Moment,
    pub(super) chance: &'a mut dyn Chance,
    pub(super) report: &'a mut CrashReport,
}
