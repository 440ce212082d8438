//! Invariants of paths: what a path names lies below the root, and is not the host's own file.
//!
//! A symbolic link below the root is followed: it is how an operator puts a directory on another disk.

use std::path::{Path, PathBuf};

use super::boots::BOOTS;
use crate::disk::{DiskError, DiskResult};

/// Bytes of the longest name.
const NAME_SIZE_MAX: usize = 255;

/// Where a path of the host's disk lies.
///
/// # Errors
/// `Invalid` when it makes no sense: an empty or dot name, a name too long, a name of the host's own.
pub(super) fn resolve(root: &Path, path: &str) -> DiskResult<PathBuf> {
    if path.is_empty() {
        return Ok(root.to_owned());
    }
    for name in path.split('/') {
        let cause = match name {
            "" => "an empty name between slashes",
            "." | ".." => "a dot name",
            _ if name.contains('\0') => "a zero byte in a name",
            _ if name.len() > NAME_SIZE_MAX => "a name of more than 255 bytes",
            _ => continue,
        };
        return Err(invalid(path, cause));
    }
    if path.split('/').next() == Some(BOOTS) {
        return Err(invalid(path, "the host's own file"));
    }
    Ok(root.join(path))
}

/// As [`resolve`], for a path that has a last name: all but the root.
pub(super) fn resolve_name(root: &Path, path: &str) -> DiskResult<PathBuf> {
    if path.is_empty() {
        return Err(invalid(path, "the root is not a name"));
    }
    resolve(root, path)
}

fn invalid(path: &str, cause: &'static str) -> DiskError {
    DiskError::Invalid {
        path: path.to_owned(),
        cause,
    }
}
