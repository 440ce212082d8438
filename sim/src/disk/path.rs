//! Vocabulary of paths: names between single slashes, relative to the root, which is the empty path.

use super::error::{DiskError, DiskResult};

/// Bytes of the longest name.
const NAME_SIZE_MAX: usize = 255;

/// The names of a path that was checked.
pub(super) fn names(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(move |_| !path.is_empty())
}

/// Refuses a path that makes no sense.
pub(crate) fn check(path: &str) -> DiskResult<()> {
    for name in names(path) {
        let cause = match name {
            "" => "an empty name between slashes",
            "." | ".." => "a dot name",
            _ if name.contains('\0') => "a zero byte in a name",
            _ if name.len() > NAME_SIZE_MAX => "a name of more than 255 bytes",
            _ => continue,
        };
        return Err(invalid(path, cause));
    }
    Ok(())
}

/// The directory's path and the last name.
pub(super) fn split(path: &str) -> DiskResult<(&str, &str)> {
    if path.is_empty() {
        return Err(invalid(path, "the root is not a name"));
    }
    Ok(path.rsplit_once('/').unwrap_or(("", path)))
}

/// The refusal of a path that makes no sense.
pub(super) fn invalid(path: &str, cause: &'static str) -> DiskError {
    DiskError::Invalid {
        path: path.to_owned(),
        cause,
    }
}
