//! Vocabulary of record files on a disk: kinds, names, and what is done to them whole.

use std::{fmt, io};

use bytes::{Bytes, BytesMut};
use cenotaph_sim::host::{Disk, OpenMode};

use crate::error::IoFailure;

/// What a record file is for. Each kind has a directory of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FileKind {
    /// `commitlog/`
    CommitLog,
    /// `metadata/`
    Metadata,
    /// `manifest/`
    Manifest,
}

impl FileKind {
    /// The directory.
    #[must_use]
    pub const fn dir(self) -> &'static str {
        match self {
            FileKind::CommitLog => "commitlog",
            FileKind::Metadata => "metadata",
            FileKind::Manifest => "manifest",
        }
    }

    /// What stands in a file header. Frozen.
    pub(super) const fn code(self) -> u16 {
        match self {
            FileKind::CommitLog => 1,
            FileKind::Metadata => 2,
            FileKind::Manifest => 3,
        }
    }
}

/// The name of a record file; `Display` is its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileName {
    /// What it is for.
    pub kind: FileKind,
    /// Its number among its kind, from 1; the order of numbers is the order of files.
    pub id: u64,
}

impl FileName {
    /// The name that a directory of `kind` lists as `entry`, unless it is none.
    pub(super) fn parse(kind: FileKind, entry: &str) -> Option<FileName> {
        let digits = entry.strip_suffix(".log")?;
        let id = digits.parse().ok().filter(|id| *id > 0)?;
        // One spelling a file: no sign, no leading zeros.
        (FileName { kind, id }.entry() == entry).then_some(FileName { kind, id })
    }

    /// The name in its directory.
    fn entry(self) -> String {
        format!("{}.log", self.id)
    }
}

impl fmt::Display for FileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}.log", self.kind.dir(), self.id)
    }
}

/// Creates a directory of the root where there is none, and makes its name durable.
///
/// # Errors
/// The machine's.
pub async fn ensure_dir(disk: &Disk, dir: &str) -> Result<(), IoFailure> {
    match disk.create_dir(dir).await {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            return Err(IoFailure::new("create directory", dir, &error));
        }
        Ok(()) | Err(_) => {}
    }
    // Also when it was there: the process that created it may have died before this.
    disk.sync_dir("")
        .await
        .map_err(|error| IoFailure::new("sync directory", "", &error))
}

/// All bytes of a file.
///
/// # Errors
/// The machine's.
pub async fn load(disk: &Disk, path: &str) -> Result<Bytes, IoFailure> {
    let failed = |error: io::Error| IoFailure::new("read", path, &error);
    let file = disk.open(path, OpenMode::Read).await.map_err(failed)?;
    let size = file.len().await.map_err(failed)?;
    read_upto(&file, size).await.map_err(failed)
}

/// The first bytes of a file, fewer when it ends before.
pub(super) async fn load_prefix(disk: &Disk, path: &str, size: usize) -> Result<Bytes, IoFailure> {
    let failed = |error: io::Error| IoFailure::new("read", path, &error);
    let file = disk.open(path, OpenMode::Read).await.map_err(failed)?;
    read_upto(&file, size as u64).await.map_err(failed)
}

/// Reads may be short, so it takes an empty one to know the end.
async fn read_upto(file: &cenotaph_sim::host::File, size: u64) -> io::Result<Bytes> {
    let mut all = BytesMut::new();
    while (all.len() as u64) < size {
        let rest = usize::try_from(size - all.len() as u64).unwrap_or(usize::MAX);
        let read = file.read_at(all.len() as u64, rest).await?;
        if read.is_empty() {
            break;
        }
        all.extend_from_slice(&read);
    }
    Ok(all.freeze())
}

/// Removes files, all of one kind, and makes that durable. Those that are gone already do not matter.
///
/// # Errors
/// The machine's; some of the files may be gone.
pub async fn remove_all(disk: &Disk, kind: FileKind, names: &[FileName]) -> Result<(), IoFailure> {
    if names.is_empty() {
        return Ok(());
    }
    for name in names {
        assert_eq!(name.kind, kind, "one directory at a time");
        let path = name.to_string();
        match disk.remove(&path).await {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(IoFailure::new("remove", &path, &error));
            }
            Ok(()) | Err(_) => {}
        }
    }
    sync_listing(disk, kind).await
}

/// Makes durable which files of a kind there are.
///
/// # Errors
/// The machine's.
pub async fn sync_listing(disk: &Disk, kind: FileKind) -> Result<(), IoFailure> {
    let failed = |error: io::Error| IoFailure::new("sync directory", kind.dir(), &error);
    disk.sync_dir(kind.dir()).await.map_err(failed)
}
