//! Byte layout of manifest edits: a version byte, then the edit in postcard. `FORMAT.md` is its page.
//!
//! One edit is one record: several tables change at once, or not at all.

use serde::{Deserialize, Serialize};

use super::error::EditError;
use crate::commitlog::{Interval, Position};
use crate::limits::FILE_ID_MAX;
use crate::rows::TableId;
use crate::sstable::SstableName;

/// Version of the encoding.
pub const EDIT_VERSION: u8 = 3;

/// The version that knew nothing of repairs.
const EDIT_VERSION_UNREPAIRED: u8 = 2;

/// The version that knew nothing of settled parts of the log: an sstable went only with its table.
const EDIT_VERSION_UNSETTLED: u8 = 1;

/// An sstable that becomes part of its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Added {
    /// Which.
    pub name: SstableName,
    /// Bytes of its file.
    pub size: u64,
    /// The part of the commit log that it brings into the table; empty when it takes the place of others.
    pub interval: Interval,
}

/// A part of the commit log that a table needs no more: sstables held it, or it was truncated. It outlives
/// the sstables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settled {
    /// The table.
    pub table: TableId,
    /// The part.
    pub interval: Interval,
}

/// An sstable whose content the other replicas have too. What was never named so is not repaired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repaired {
    /// Which, held or added by the same edit.
    pub name: SstableName,
    /// Since which wall second, above 0; of an output the earliest of its inputs.
    pub seconds: u32,
}

/// A change of what is on the disk. Empty parts change nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edit {
    /// Sstables that come.
    pub added: Vec<Added>,
    /// Sstables that go.
    pub removed: Vec<SstableName>,
    /// Ids below this may have been given out.
    pub id_floor: Option<u64>,
    /// All that the commit log holds up to here, of every table, is in sstables.
    pub log_floor: Option<Position>,
    /// Parts of the commit log that their tables need no more, besides those that sstables bring.
    pub settled: Vec<Settled>,
    /// Tables that are no more: what is settled for them is forgotten, since nothing of them is replayed.
    pub dropped: Vec<TableId>,
    /// Sstables that are repaired from now on.
    pub repaired: Vec<Repaired>,
}

impl Edit {
    /// The edit that changes nothing. Written after a synced edit, it says that there was one.
    pub const SEAL: Edit = Edit {
        added: Vec::new(),
        removed: Vec::new(),
        id_floor: None,
        log_floor: None,
        settled: Vec::new(),
        dropped: Vec::new(),
        repaired: Vec::new(),
    };

    /// The record's payload.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let out = vec![EDIT_VERSION];
        postcard::to_extend(self, out).expect("plain data into memory has no way to fail")
    }

    /// Reads a record's payload.
    ///
    /// # Errors
    /// [`EditError::Encoding`] when the bytes are no edit of a known version.
    pub fn decode(bytes: &[u8]) -> Result<Edit, EditError> {
        let encoding = |cause: &str| EditError::Encoding(cause.to_owned());
        let Some((&version, rest)) = bytes.split_first() else {
            return Err(encoding("no bytes"));
        };
        let decoded = match version {
            EDIT_VERSION => postcard::take_from_bytes(rest),
            EDIT_VERSION_UNREPAIRED => postcard::take_from_bytes(rest).map(unrepaired),
            EDIT_VERSION_UNSETTLED => postcard::take_from_bytes(rest).map(unsettled),
            _ => return Err(EditError::Encoding(format!("version {version} is unknown"))),
        };
        match decoded {
            Ok((Edit { id_floor, .. }, [])) if id_floor > Some(FILE_ID_MAX) => {
                Err(encoding("an id floor beyond all ids"))
            }
            Ok((edit, [])) => Ok(edit),
            Ok(_) => Err(encoding("bytes left over")),
            Err(error) => Err(EditError::Encoding(error.to_string())),
        }
    }
}

/// The parts of an edit of version 1.
type Unsettled = (Vec<Added>, Vec<SstableName>, Option<u64>, Option<Position>);

/// The parts of an edit of version 2: those, and what came with it.
type Unrepaired = (
    Vec<Added>,
    Vec<SstableName>,
    Option<u64>,
    Option<Position>,
    Vec<Settled>,
    Vec<TableId>,
);

fn unsettled((parts, rest): (Unsettled, &[u8])) -> (Edit, &[u8]) {
    let (added, removed, id_floor, log_floor) = parts;
    let parts = (added, removed, id_floor, log_floor, Vec::new(), Vec::new());
    unrepaired((parts, rest))
}

fn unrepaired((parts, rest): (Unrepaired, &[u8])) -> (Edit, &[u8]) {
    let (added, removed, id_floor, log_floor, settled, dropped) = parts;
    let edit = Edit {
        added,
        removed,
        id_floor,
        log_floor,
        settled,
        dropped,
        repaired: Vec::new(),
    };
    (edit, rest)
}
