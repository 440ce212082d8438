//! Vocabulary of disk requests: what is asked, and what comes back.

use std::io;

use bytes::Bytes;

use crate::disk::{Access, Disk, DiskResult, Handle, LockId, SECTOR_SIZE};
use crate::entropy::{hash_bytes, mix64, scale};
use crate::fault::RequestKind;

/// What is asked of a disk.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(
    missing_docs,
    reason = "each is the host's call of that name, with its arguments"
)]
pub enum Operation {
    Open {
        path: String,
        access: Access,
    },
    Read {
        handle: Handle,
        offset: u64,
        size: usize,
    },
    Write {
        handle: Handle,
        offset: u64,
        bytes: Bytes,
    },
    SyncData {
        handle: Handle,
    },
    SyncAll {
        handle: Handle,
    },
    Len {
        handle: Handle,
    },
    Truncate {
        handle: Handle,
        size: u64,
    },
    Preallocate {
        handle: Handle,
        offset: u64,
        size: u64,
    },
    Rename {
        from: String,
        to: String,
    },
    Remove {
        path: String,
    },
    Link {
        existing: String,
        new: String,
    },
    List {
        path: String,
    },
    CreateDir {
        path: String,
    },
    RemoveDir {
        path: String,
    },
    SyncDir {
        path: String,
    },
    Lock {
        path: String,
    },
}

/// What comes back.
#[derive(Debug)]
#[expect(missing_docs, reason = "each names what it carries")]
pub enum Response {
    Done,
    Handle(Handle),
    Bytes(Bytes),
    Count(usize),
    Size(u64),
    Names(Vec<String>),
    Lock(LockId),
}

impl Operation {
    pub(super) fn kind(&self) -> RequestKind {
        match self {
            Operation::Open { .. } => RequestKind::Open,
            Operation::Read { .. } => RequestKind::Read,
            Operation::Write { .. } => RequestKind::Write,
            Operation::SyncData { .. } | Operation::SyncAll { .. } => RequestKind::Sync,
            Operation::Len { .. } => RequestKind::Len,
            Operation::Truncate { .. } => RequestKind::Truncate,
            Operation::Preallocate { .. } => RequestKind::Preallocate,
            Operation::Rename { .. } => RequestKind::Rename,
            Operation::Remove { .. } => RequestKind::Remove,
            Operation::Link { .. } => RequestKind::Link,
            Operation::List { .. } => RequestKind::List,
            Operation::CreateDir { .. } => RequestKind::CreateDir,
            Operation::RemoveDir { .. } => RequestKind::RemoveDir,
            Operation::SyncDir { .. } => RequestKind::SyncDir,
            Operation::Lock { .. } => RequestKind::Lock,
        }
    }

    /// The handle that this request is about, when it is about an open file.
    pub(super) fn handle(&self) -> Option<Handle> {
        match self {
            Operation::Read { handle, .. }
            | Operation::Write { handle, .. }
            | Operation::SyncData { handle }
            | Operation::SyncAll { handle }
            | Operation::Len { handle }
            | Operation::Truncate { handle, .. }
            | Operation::Preallocate { handle, .. } => Some(*handle),
            _ => None,
        }
    }

    /// A hash of the arguments, for the fingerprint.
    pub(super) fn word(&self) -> u64 {
        let path = |path: &str| hash_bytes(1, path.as_bytes());
        match self {
            Operation::Open { path: name, .. }
            | Operation::Remove { path: name }
            | Operation::List { path: name }
            | Operation::CreateDir { path: name }
            | Operation::RemoveDir { path: name }
            | Operation::SyncDir { path: name }
            | Operation::Lock { path: name } => path(name),
            Operation::Rename { from: old, to: new } | Operation::Link { existing: old, new } => {
                mix64(path(old), path(new))
            }
            Operation::Read { offset, size, .. } => mix64(*offset, *size as u64),
            Operation::Write { offset, bytes, .. } => hash_bytes(*offset, bytes),
            Operation::Truncate { size, .. } => *size,
            Operation::Preallocate { offset, size, .. } => mix64(*offset, *size),
            Operation::SyncData { .. } | Operation::SyncAll { .. } | Operation::Len { .. } => 0,
        }
    }

    /// Whether a full disk can refuse it.
    pub(super) fn takes_space(&self) -> bool {
        matches!(
            self,
            Operation::Write { .. }
                | Operation::Preallocate { .. }
                | Operation::CreateDir { .. }
                | Operation::Rename { .. }
                | Operation::Link { .. }
                | Operation::Open {
                    access: Access::Create | Access::CreateNew,
                    ..
                }
        )
    }

    /// Carries out what a failed request may leave: of a write nothing, its first sectors, or all of it, in the
    /// cache. `word` decides. Gives how many bytes are left.
    pub(super) fn execute_failed(&self, disk: &mut Disk, word: u64) -> usize {
        let Operation::Write {
            handle,
            offset,
            bytes,
        } = self
        else {
            return 0;
        };
        let size = match scale(word & 0xffff_ffff, 3) {
            0 => return 0,
            1 => sectors_before(*offset, bytes.len(), word >> 32),
            _ => bytes.len(),
        };
        // It may fail by itself, as at any other time.
        let written = disk.write_at(*handle, *offset, &bytes[..size]);
        written.unwrap_or(0)
    }

    /// Carries the request out.
    pub(super) fn execute(&self, disk: &mut Disk) -> DiskResult<Response> {
        let done = |()| Response::Done;
        match self {
            Operation::Open { path, access } => disk.open(path, *access).map(Response::Handle),
            Operation::Read {
                handle,
                offset,
                size,
            } => disk.read_at(*handle, *offset, *size).map(Response::Bytes),
            Operation::Write {
                handle,
                offset,
                bytes,
            } => disk.write_at(*handle, *offset, bytes).map(Response::Count),
            Operation::SyncData { handle } => disk.sync_data(*handle).map(done),
            Operation::SyncAll { handle } => disk.sync_all(*handle).map(done),
            Operation::Len { handle } => disk.size(*handle).map(Response::Size),
            Operation::Truncate { handle, size } => disk.truncate(*handle, *size).map(done),
            Operation::Preallocate {
                handle,
                offset,
                size,
            } => disk.preallocate(*handle, *offset, *size).map(done),
            Operation::Rename { from, to } => disk.rename(from, to).map(done),
            Operation::Remove { path } => disk.remove(path).map(done),
            Operation::Link { existing, new } => disk.link(existing, new).map(done),
            Operation::List { path } => disk.list(path).map(Response::Names),
            Operation::CreateDir { path } => disk.create_dir(path).map(done),
            Operation::RemoveDir { path } => disk.remove_dir(path).map(done),
            Operation::SyncDir { path } => disk.sync_dir(path).map(done),
            Operation::Lock { path } => disk.lock(path).map(Response::Lock),
        }
    }
}

/// Bytes up to one of the borders between sectors within a write; 0 when there is none.
fn sectors_before(offset: u64, size: usize, word: u64) -> usize {
    let sector_size = SECTOR_SIZE as u64;
    let first = sector_size - offset % sector_size;
    let Some(rest) = (size as u64).checked_sub(first + 1) else {
        return 0;
    };
    let border = first + sector_size * scale(word, rest / sector_size + 1);
    usize::try_from(border).expect("less than the size")
}

/// A hash of a result, for the fingerprint. Only the kind of an error enters, never its words.
pub(super) fn result_word(result: &io::Result<Response>) -> u64 {
    match result {
        Ok(Response::Done) => 1,
        Ok(Response::Handle(_)) => 2,
        Ok(Response::Bytes(bytes)) => hash_bytes(3, bytes),
        Ok(Response::Count(count)) => mix64(4, *count as u64),
        Ok(Response::Size(size)) => mix64(5, *size),
        Ok(Response::Names(names)) => names
            .iter()
            .fold(6, |hash, name| hash_bytes(hash, name.as_bytes())),
        Ok(Response::Lock(_)) => 7,
        Err(error) => hash_bytes(8, error.kind().to_string().as_bytes()),
    }
}
