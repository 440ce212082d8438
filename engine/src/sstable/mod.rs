//! Contents of `sstable`: one immutable file of one table's partitions. `FORMAT.md` is its page.

mod builder;
mod content;
mod entry;
mod error;
mod filter;
mod id;
mod layout;
mod reader;
mod section;
mod source;
mod statistics;
mod writer;

pub use builder::encode;
pub use error::{Flaw, SstableError};
pub use id::{DATA_DIR, SstableId, SstableName};
pub use layout::{
    BLOCK_HEAD_SIZE, FOOTER_SIZE, FRAME_SIZE, HEADER_SIZE, Kind, MAGIC_FOOT, MAGIC_HEAD, VERSION,
};
pub use reader::{Scan, Sstable, decode};
pub use statistics::{Statistics, Totals};
pub use writer::{SstableInfo, SstableWriter};
