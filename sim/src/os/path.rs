//! Invariants of paths: what a path names lies below the root, and is not the host's own file.
//!
//! A symbolic link below the root is followed: it is how an operator puts a directory on another disk.

use std::path::{Path, PathBuf};

use super::boots::BOOTS;
use crate::disk::{DiskError, DiskResult, check_path};

/// Where a path of the host's disk lies.
///
/// # Errors
/// `Invalid` when the simulated disk would say so, or when it is the host's own file.
pub(super) fn resolve(root: &Path, path: &str) -> DiskResult<PathBuf> {
    check_path(path)?;
    if path.is_empty() {
        return Ok(root.to_owned());
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
