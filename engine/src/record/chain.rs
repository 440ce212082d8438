//! Steps of reading a log of several files: list them by id; read their headers; let each say where the
//! one before it ends; read each up to there.
//!
//! A file whose header never became whole counts for nothing, unless its records say otherwise. What a failed
//! sync left in the page cache may be gone at a second look: a chain looks at each file once, and decides
//! on the bytes that it then gives.

use bytes::Bytes;
use cenotaph_sim::host::Disk;

use super::error::{Damage, RecordError};
use super::file::{FileKind, FileName, load, load_prefix};
use super::format::FileHeader;
use super::read::{Contents, read_all};
use crate::error::IoFailure;
use crate::limits::{FILE_HEADER_SIZE, FILE_ID_MAX};

/// A file that a directory lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its name.
    pub name: FileName,
    /// Its header, when that is whole.
    pub header: Option<FileHeader>,
    /// Where the file that continues it says that it ends.
    pub known_end: Option<u64>,
    /// All its bytes, when the header comes from a look at the whole file.
    bytes: Option<Bytes>,
}

/// How much of each file to look at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Look {
    Header,
    Whole,
}

/// The record files of a kind, ascending by id. Other names in the directory are passed over.
///
/// # Errors
/// The machine's, a header of another version, or a name that no file was ever given.
pub async fn list(disk: &Disk, kind: FileKind) -> Result<Vec<Listed>, RecordError> {
    list_with(disk, kind, Look::Header).await
}

async fn list_with(disk: &Disk, kind: FileKind, look: Look) -> Result<Vec<Listed>, RecordError> {
    let failed = |error: std::io::Error| IoFailure::new("list", kind.dir(), &error);
    let entries = disk.list(kind.dir()).await.map_err(failed)?;
    let mut names: Vec<_> = entries
        .iter()
        .filter_map(|entry| FileName::parse(kind, entry))
        .collect();
    names.sort_unstable();
    if let Some(last) = names.last().filter(|name| name.id > FILE_ID_MAX) {
        let (file, id_max) = (last.to_string(), FILE_ID_MAX);
        return Err(RecordError::IdTooLarge { file, id_max });
    }
    let mut files: Vec<Listed> = Vec::new();
    for name in names {
        let path = name.to_string();
        let bytes = match look {
            Look::Header => load_prefix(disk, &path, FILE_HEADER_SIZE).await?,
            Look::Whole => load(disk, &path).await?,
        };
        let header = match FileHeader::decode(name, &bytes) {
            Ok(header) => Some(header),
            Err(Damage::Version(_)) => {
                return Err(read_all(name, &bytes, None).expect_err("always corruption"));
            }
            Err(_) => None,
        };
        if let Some(previous) = header.and_then(|header| header.previous)
            && let Ok(index) = files.binary_search_by_key(&previous.id, |file| file.name.id)
        {
            files[index].known_end = Some(previous.end);
        }
        files.push(Listed {
            name,
            header,
            known_end: None,
            bytes: (look == Look::Whole).then_some(bytes),
        });
    }
    Ok(files)
}

/// Reads a file; one of a [`chain`] from the bytes that the chain was found by.
///
/// # Errors
/// The machine's, or corruption.
pub async fn read_file(disk: &Disk, file: &Listed) -> Result<Contents, RecordError> {
    let bytes = match &file.bytes {
        Some(bytes) => bytes.clone(),
        None => load(disk, &file.name.to_string()).await?,
    };
    read_all(file.name, &bytes, file.known_end)
}

/// The files of a log in which every file but the first continues another that must be there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    /// The log's files, in order.
    pub files: Vec<Listed>,
    /// Files that are not part of the log: later ones took their place, or they never became whole.
    pub superseded: Vec<FileName>,
    /// The largest id in the directory, 0 when it is empty.
    pub id_max: u64,
}

/// The chain that ends in the newest whole file of a kind. Reads every file whole, once.
///
/// # Errors
/// The machine's; corruption; [`RecordError::MissingFile`].
pub async fn chain(disk: &Disk, kind: FileKind) -> Result<Chain, RecordError> {
    let listed = list_with(disk, kind, Look::Whole).await?;
    let id_max = listed.last().map_or(0, |file| file.name.id);
    let mut chain = Chain {
        files: Vec::new(),
        superseded: Vec::new(),
        id_max,
    };
    let mut wanted: Option<Option<u64>> = None;
    for file in listed.into_iter().rev() {
        let next = match wanted {
            // The newest whole file ends the chain.
            None => file.header.is_some(),
            Some(id) => id == Some(file.name.id),
        };
        if !next {
            if wanted.is_none() {
                // It must not have been whole ever: its records would tell.
                read_file(disk, &file).await?;
            }
            chain.superseded.push(file.name);
            continue;
        }
        wanted = Some(
            file.header
                .and_then(|header| header.previous)
                .map(|previous| previous.id),
        );
        chain.files.push(file);
    }
    // A file whose header was damaged after another continued it ends the walk early: reading it up to
    // its known end reports that.
    if let (Some(Some(id)), Some(first)) = (wanted, chain.files.last()) {
        let (file, successor) = (FileName { kind, id }.to_string(), first.name.to_string());
        return Err(RecordError::MissingFile { file, successor });
    }
    chain.files.reverse();
    chain.superseded.reverse();
    Ok(chain)
}
