//! Byte layout of the file that counts boots: one byte a boot, whatever it is; its length is the count.
//!
//! So there is nothing to parse, and nothing that a crash can tear. The byte is durable before anyone
//! sees the incarnation that it stands for, so no two boots are ever taken for one.
#![expect(
    clippy::disallowed_types,
    reason = "the real machine keeps its count on the real disk"
)]

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// The file's name in the root; the host's disk neither lists nor opens it.
pub(super) const BOOTS: &str = ".boots";

/// Counts a boot of the machine whose disk is `root`, and says which it is, from 1.
pub(super) fn count_boot(root: &Path) -> io::Result<u32> {
    let path = root.join(BOOTS);
    let mut file = OpenOptions::new().append(true).create(true).open(path)?;
    // Two processes that begin at once count one after the other; closing gives the lock back.
    file.lock()?;
    file.write_all(b".")?;
    file.sync_all()?;
    File::open(root)?.sync_all()?;
    let count = file.metadata()?.len();
    u32::try_from(count).map_err(|_| io::Error::other("more boots than can be counted"))
}
