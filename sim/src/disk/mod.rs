//! Contents of `disk`: registers by inode, and what a crash leaves of them.
//!
//! The durability contract, on an honest drive (a lying one keeps it until the power is cut):
//!
//! 1. A read sees every write that returned before it, whatever is durable.
//! 2. A process kill loses nothing written; a kernel panic or power cut may lose what no sync covered.
//! 3. After `sync_data` or `sync_all`, the file's bytes and length survive every crash; later
//!    overwrites put only the tear units they touch at risk, and those fall back to the synced bytes.
//! 4. A file's sync says nothing about its name: names survive once `sync_dir` of their directory did.
//! 5. Unsynced data, lengths and names survive or not each by itself, in no order (adversarial), or
//!    never (strict). A tear unit shows one whole version, never a mixture of two.
//! 6. A range that a file gained without a sync may read as zeros, or as former bytes of its blocks.
//! 7. A rename of a file leaves the old name, the new one, or both; of a directory, one of them.
//!    Only syncing the old name's directory alone can lose both.
//! 8. A file reached by no name after a crash is freed; so is all below a directory that went.
//! 9. After a failed sync, nothing unsynced in that file counts as written, though reads show it:
//!    later syncs succeed without it. Each handle open at the time hears of it once.
//! 10. Space comes back when a removal or cut is durable and the last handle is closed.
//! 11. The other profiles allow a part of 4 to 7, as real file systems do: see [`Constraints`]. A
//!     [`Tear`] that damages breaks the last sentence of 5, in units that 3 puts at risk.
//! 12. All that a crash may leave is one relation, [`CrashPoint`]: drawn from, listed, read lazily, and
//!     asked about an image. What breaks the rest of this list is a [`Trouble`], planted by a call.

mod error;
mod constraints;
mod profile;
mod tear;
mod options;
mod chance;
mod path;
mod page;
mod freed;
mod moment;
mod table;
mod readable;
mod pending;
mod content;
mod writeback;
mod directory;
mod inode;
mod issued;
mod volume;
mod drive;
mod trouble;
mod mount;
mod at_rest;
mod room;
mod late;
mod files;
mod names;
mod sync;
mod scope;
mod crash_names;
mod extents;
mod rules;
mod units;
mod crash_content;
mod file_space;
mod choices;
mod crash_point;
mod undetermined;
mod crash;
mod damage;
mod astray;
mod hash;
mod check;
mod image_hash;
mod atlas;
pub mod states;

pub use at_rest::{Cluster, FileCopy, SectorDamage};
pub use atlas::{Area, Atlas, AtlasError, Holder};
pub use chance::{Chance, KeyedChance, RegisterName};
pub use choices::{Base, Choice, Choices};
pub use constraints::{
    Allocation, Constraints, DataOrder, Drive, GrowthFill, MetadataOrder, SyncScope,
};
pub use crash_point::CrashPoint;
pub use error::{DiskError, DiskResult};
pub use late::LateWrite;
pub use mount::Mount;
pub use options::{
    Access, CrashKind, CrashReport, Damage, DiskOptions, FILE_SIZE_MAX, Handle, LockId, PAGE_SIZE,
    SECTOR_SIZE, Stat,
};
pub use page::pages_alive;
#[cfg(feature = "os")]
pub(crate) use path::check as check_path;
pub use profile::Profile;
pub use tear::Tear;
pub use trouble::Trouble;
pub use volume::Disk;
