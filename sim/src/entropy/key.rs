//! Invariants of keys: a stream's key depends on the run's key and the stream's name, on nothing else.

use super::mix::{hash_bytes, mix64};

/// The key that a whole run's chance hangs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunKey(pub u64);

impl RunKey {
    /// The key of the stream with this name.
    #[must_use]
    pub fn stream(self, name: &str) -> StreamKey {
        StreamKey(hash_bytes(
            mix64(0x63_656e_6f74_6170, self.0),
            name.as_bytes(),
        ))
    }
}

/// The key of one source of chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StreamKey(pub u64);

impl StreamKey {
    /// The word that belongs to event `ordinal` of this source: for decisions too frequent for a
    /// cipher. It does not depend on how many others were asked for.
    #[must_use]
    #[inline]
    pub const fn word(self, ordinal: u64) -> u64 {
        mix64(mix64(self.0, ordinal), 0x7374_7265_616d)
    }

    /// The key of a stream below this one.
    #[must_use]
    pub fn child(self, name: &str) -> StreamKey {
        StreamKey(hash_bytes(self.0, name.as_bytes()))
    }
}
