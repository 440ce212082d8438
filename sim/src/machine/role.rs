//! Vocabulary of file roles: what a path is for, so that faults and latencies have stable names.

/// The role of a path: its first part, up to a `-` or `.`; the root directory's is `root`.
#[must_use]
pub fn role_of(path: &str) -> &str {
    let first = path
        .split('/')
        .find(|part| !part.is_empty())
        .unwrap_or("root");
    let role = first.split(['-', '.']).next().unwrap_or(first);
    if role.is_empty() { "root" } else { role }
}
