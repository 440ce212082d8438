//! Contents of `disk`: registers by inode, and what a crash leaves of them.

mod error;
mod options;
mod chance;
mod volume;

pub use chance::{Chance, KeyedChance, RegisterName};
pub use error::{DiskError, DiskResult};
pub use options::{
    Access, CrashKind, CrashReport, Damage, DiskOptions, FILE_SIZE_MAX, Handle, LockId, PAGE_SIZE,
    Profile, SECTOR_SIZE, Stat, Tear,
};
pub use volume::{Disk, pages_alive};
