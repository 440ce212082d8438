//! Vocabulary of profiles: what each lets a crash do, as data that the crash steps read.

use super::options::Profile;

/// What a profile allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rules {
    /// Unsynced versions may survive, each register by itself.
    pub(super) keeps_unsynced: bool,
    /// Units that a file gained without a durable write may show a block's former bytes.
    pub(super) stale_fill: bool,
    /// A rename of a file may lose both names, though nobody synced the old one's directory.
    pub(super) rename_loses_both: bool,
}

impl Profile {
    /// The profile's rules.
    pub(super) const fn rules(self) -> Rules {
        match self {
            Profile::Strict => Rules {
                keeps_unsynced: false,
                stale_fill: false,
                rename_loses_both: false,
            },
            Profile::PosixAdversarial => Rules {
                keeps_unsynced: true,
                stale_fill: true,
                rename_loses_both: false,
            },
        }
    }
}
