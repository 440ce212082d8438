//! Contents of `store`: a table's memtables and sstables as one view, and the node's manifest.
//!
//! `FORMAT.md` describes the manifest's edits.

mod check;
mod contents;
mod edit;
mod error;
mod growth;
mod manifest;
mod node;
mod open;
mod repaired;
mod slot;
mod table;
mod truncate;
mod turns;
mod view;

pub use contents::Contents;
pub use edit::{Added, EDIT_VERSION, Edit, Repaired, Settled};
pub use error::{EditError, StoreError};
pub use growth::Growth;
pub use manifest::{Manifest, ManifestOptions};
pub use node::Store;
pub use open::{open_manifest, open_sstables, remove_unknown_files, sync_data_dir};
pub use slot::Slot;
pub use table::{Claim, TableStore};
pub use turns::FlushPlace;
pub use view::View;
