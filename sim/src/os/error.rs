//! Vocabulary of the system's refusals, told as the simulated disk tells them.

use std::io;

use crate::disk::DiskError;

/// The system's error, with the path. Where the simulated disk has a word for it, that word; so an
/// engine meets the same kinds in both worlds. All else keeps the system's kind and text.
pub(super) fn told(path: &str, error: &io::Error) -> io::Error {
    let path = path.to_owned();
    let known = match error.kind() {
        io::ErrorKind::NotFound => DiskError::NotFound { path },
        io::ErrorKind::AlreadyExists => DiskError::AlreadyExists { path },
        io::ErrorKind::IsADirectory => DiskError::IsADirectory { path },
        io::ErrorKind::NotADirectory => DiskError::NotADirectory { path },
        io::ErrorKind::DirectoryNotEmpty => DiskError::NotEmpty { path },
        // To who writes, a used-up quota is a full disk.
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => DiskError::NoSpace { path },
        io::ErrorKind::InvalidInput | io::ErrorKind::InvalidFilename => DiskError::Invalid {
            path,
            cause: "the system finds no sense in it",
        },
        kind => return io::Error::new(kind, format!("{path}: {error}")),
    };
    known.into()
}
