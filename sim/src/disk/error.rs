//! Vocabulary of refusals: what the disk answers instead of doing, with the path and the cause.

use std::io;

use thiserror::Error;

/// An answer of the disk.
pub type DiskResult<T> = Result<T, DiskError>;

/// Why an operation was refused. The caller's mistakes come first, the medium's failures last.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DiskError {
    /// Nothing has this name.
    #[error("{path}: not found")]
    NotFound {
        /// The path asked for.
        path: String,
    },
    /// Something has this name already.
    #[error("{path}: exists already")]
    AlreadyExists {
        /// The path asked for.
        path: String,
    },
    /// A file was needed.
    #[error("{path}: is a directory")]
    IsADirectory {
        /// The path asked for.
        path: String,
    },
    /// A directory was needed, here or further up the path.
    #[error("{path}: not a directory")]
    NotADirectory {
        /// The path asked for.
        path: String,
    },
    /// A directory with names in it neither goes nor is replaced.
    #[error("{path}: directory not empty")]
    NotEmpty {
        /// The path asked for.
        path: String,
    },
    /// The path, the range or the move makes no sense.
    #[error("{path}: {cause}")]
    Invalid {
        /// The path asked for.
        path: String,
        /// What is wrong with it.
        cause: &'static str,
    },
    /// Files end at [`super::FILE_SIZE_MAX`].
    #[error("{path}: {size} bytes exceed the largest file")]
    FileTooLarge {
        /// The file's path when it was opened.
        path: String,
        /// The size asked for, in bytes.
        size: u64,
    },
    /// The handle was closed, or belongs to an earlier incarnation.
    #[error("bad handle {handle}")]
    BadHandle {
        /// The handle's number.
        handle: u64,
    },
    /// The handle was opened to read only.
    #[error("{path}: opened to read only")]
    ReadOnlyHandle {
        /// The file's path when it was opened.
        path: String,
    },
    /// Another holder has the lock.
    #[error("{path}: locked by another")]
    Locked {
        /// The path asked for.
        path: String,
    },
    /// No free block is left for even one byte.
    #[error("{path}: no space left on the disk")]
    NoSpace {
        /// The file's path when it was opened.
        path: String,
    },
    /// The file system serves reads only.
    #[error("{path}: the file system is mounted to read only")]
    ReadOnly {
        /// The path asked for.
        path: String,
    },
    /// The file was removed or replaced behind this machine's back.
    #[error("{path}: stale file handle")]
    Stale {
        /// The file's path when it was opened.
        path: String,
    },
    /// The name leads to an inode that was never written.
    #[error("{path}: structure needs cleaning")]
    Unclean {
        /// The path asked for.
        path: String,
    },
    /// The medium failed.
    #[error("{path}: input/output error: {cause}")]
    Io {
        /// The file's path when it was opened.
        path: String,
        /// What failed.
        cause: &'static str,
    },
}

impl DiskError {
    /// The standard library's kind of this refusal.
    #[must_use]
    pub fn kind(&self) -> io::ErrorKind {
        match self {
            DiskError::NotFound { .. } => io::ErrorKind::NotFound,
            DiskError::AlreadyExists { .. } => io::ErrorKind::AlreadyExists,
            DiskError::IsADirectory { .. } => io::ErrorKind::IsADirectory,
            DiskError::NotADirectory { .. } => io::ErrorKind::NotADirectory,
            DiskError::NotEmpty { .. } => io::ErrorKind::DirectoryNotEmpty,
            DiskError::Invalid { .. } | DiskError::BadHandle { .. } => io::ErrorKind::InvalidInput,
            DiskError::FileTooLarge { .. } => io::ErrorKind::FileTooLarge,
            DiskError::ReadOnlyHandle { .. } => io::ErrorKind::PermissionDenied,
            DiskError::Locked { .. } => io::ErrorKind::WouldBlock,
            DiskError::NoSpace { .. } => io::ErrorKind::StorageFull,
            DiskError::ReadOnly { .. } => io::ErrorKind::ReadOnlyFilesystem,
            DiskError::Stale { .. } => io::ErrorKind::StaleNetworkFileHandle,
            // The standard library has a word for this one only inside itself.
            DiskError::Unclean { .. } | DiskError::Io { .. } => io::ErrorKind::Other,
        }
    }
}

impl From<DiskError> for io::Error {
    fn from(error: DiskError) -> io::Error {
        io::Error::new(error.kind(), error)
    }
}
