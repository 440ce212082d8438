//! Vocabulary of a crash: the rules that hold for every file of a disk, and what one file's crash draws on.

use super::chance::Chance;
use super::constraints::{Constraints, Drive};
use super::content::Content;
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

impl Rules {
    /// Whether a file fares the same under these and under other rules.
    pub(super) fn is_same(&self, other: &Rules) -> bool {
        (self.constraints, self.tear, self.kind) == (other.constraints, other.tear, other.kind)
            && self.freed.is_same(&other.freed)
    }

    /// Whether the crash may leave nothing that can be mounted.
    pub(super) fn may_be_gone(&self) -> bool {
        self.kind == CrashKind::PowerCut && self.constraints.drive == Drive::Unsafe
    }

    /// Whether the crash may leave a file's name without its inode.
    pub(super) fn may_lack_inode(&self, content: &Content) -> bool {
        self.constraints.names_may_come_first && !content.inode_is_durable
    }
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
