//! Fault policy of plan files: a wrong one names its place and cause; a written one is whole, since
//! it takes its name only once all of it is there. Links are followed, and what is no regular file
//! (a pipe, a terminal, `/dev/null`) is written where it stands, never replaced.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use super::error::CliError;
use crate::plan::Plan;

/// No plan is larger, in bytes; what is may not even end.
const PLAN_SIZE_MAX: u64 = 16 << 20;

/// Links that are followed, one after the other, and names that are tried for a partial file.
const ATTEMPTS_MAX: usize = 64;

/// Reads a plan.
pub(super) fn read(path: &Path) -> Result<Plan, CliError> {
    let name = path.display().to_string();
    let bytes = read_bounded(path).map_err(|cause| CliError::File {
        path: name.clone(),
        cause,
    })?;
    if bytes.len() as u64 > PLAN_SIZE_MAX {
        let max = PLAN_SIZE_MAX >> 20;
        return Err(CliError::Argument(format!(
            "{name}: larger than {max} MiB: no plan is"
        )));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        CliError::Argument(format!("{name}: not UTF-8 from byte {at} on"))
    })?;
    Ok(Plan::from_json(&name, &text)?)
}

#[expect(clippy::disallowed_types, reason = "plans come from the real disk")]
fn read_bounded(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path)?;
    file.take(PLAN_SIZE_MAX + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Writes a plan, and returns the path that commands use for it.
pub(super) fn write(path: &Path, plan: &Plan) -> Result<String, CliError> {
    let name = path.display().to_string();
    match written(path, plan.to_json().as_bytes()) {
        Ok(()) => Ok(name),
        Err(cause) => Err(CliError::File { path: name, cause }),
    }
}

#[expect(clippy::disallowed_methods, reason = "plans go to the real disk")]
fn written(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if is_special(path)? {
        let mut file = std::fs::OpenOptions::new().write(true).open(path)?;
        return file.write_all(bytes);
    }
    let target = followed(path);
    if let Some(folder) = folder_of(&target) {
        std::fs::create_dir_all(folder)?;
    }
    let (partial, mut file) = partial(&target)?;
    let result = file
        .write_all(bytes)
        .and_then(|()| std::fs::rename(&partial, &target));
    if result.is_err() {
        let _ = std::fs::remove_file(&partial);
    }
    result
}

/// Whether something is there that must not be replaced. A folder is an error.
fn is_special(path: &Path) -> io::Result<bool> {
    match path.metadata() {
        Ok(there) if there.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(there) => Ok(!there.is_file()),
        Err(_) => Ok(false),
    }
}

/// Where a path leads, even if nothing is there yet.
fn followed(path: &Path) -> PathBuf {
    let mut target = path.to_owned();
    for _ in 0..ATTEMPTS_MAX {
        let Ok(next) = target.read_link() else {
            break;
        };
        target = match folder_of(&target) {
            Some(folder) => folder.join(next),
            None => next,
        };
    }
    target
}

fn folder_of(path: &Path) -> Option<&Path> {
    path.parent()
        .filter(|folder| !folder.as_os_str().is_empty())
}

/// A new file beside the target; other processes may be writing theirs.
#[expect(clippy::disallowed_types, reason = "plans go to the real disk")]
fn partial(target: &Path) -> io::Result<(PathBuf, std::fs::File)> {
    for attempt in 0..ATTEMPTS_MAX {
        let mut name = OsString::from(target);
        name.push(format!(".partial-{attempt}"));
        let path = PathBuf::from(name);
        let file = std::fs::OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&path);
        match file {
            Err(cause) if cause.kind() == io::ErrorKind::AlreadyExists => {}
            Ok(file) => return Ok((path, file)),
            Err(cause) => return Err(cause),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Makes sure that a plan could be written to a path, and leaves nothing there: better told before
/// the work than after it.
#[expect(
    clippy::disallowed_methods,
    reason = "what is tried on the real disk is removed"
)]
pub(super) fn probe(path: &Path) -> Result<(), CliError> {
    let tried = || {
        if is_special(path)? {
            return Ok(());
        }
        let target = followed(path);
        let folders = target.ancestors().skip(1);
        let missing: Vec<&Path> = folders
            .take_while(|folder| !folder.as_os_str().is_empty() && !folder.exists())
            .collect();
        let made = match folder_of(&target) {
            Some(folder) => std::fs::create_dir_all(folder),
            None => Ok(()),
        };
        let tried = made.and_then(|()| partial(&target));
        let removed = tried.and_then(|(partial, _)| std::fs::remove_file(partial));
        for folder in missing {
            // One that is not empty is somebody else's by now.
            let _ = std::fs::remove_dir(folder);
        }
        removed
    };
    tried().map_err(|cause| CliError::File {
        path: path.display().to_string(),
        cause,
    })
}

/// Makes sure that plans could be kept in a folder.
pub(super) fn probe_folder(folder: &Path) -> Result<(), CliError> {
    probe(&folder.join("plan.json")).map_err(|error| match error {
        CliError::File { cause, .. } => CliError::File {
            path: folder.display().to_string(),
            cause,
        },
        other => other,
    })
}

/// Keeps a plan that fails: `SCENARIO-SEED-HASH.json`, a planted bug's name before it.
pub(super) fn keep(folder: &Path, plan: &Plan, seed: u64) -> Result<String, CliError> {
    let bug = plan.bug.as_ref().map(|bug| format!("{bug}-"));
    let (bug, scenario, hash) = (bug.unwrap_or_default(), &plan.scenario, plan.hash());
    write(
        &folder.join(format!("{bug}{scenario}-{seed}-{hash}.json")),
        plan,
    )
}

/// Forgets a plan that was kept, once a better one is.
#[expect(clippy::disallowed_methods, reason = "kept plans are on the real disk")]
pub(super) fn forget(file: &str) {
    // One that cannot be removed is still a right plan.
    let _ = std::fs::remove_file(file);
}

/// A path as a shell and this program read it: quoted where it has to be, no option.
pub(super) fn quoted(path: &str) -> String {
    let path = match path.starts_with('-') {
        true => format!("./{path}"),
        false => path.to_owned(),
    };
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+=:@%,".contains(c);
    match !path.is_empty() && path.chars().all(is_plain) {
        true => path,
        false => format!("'{}'", path.replace('\'', r"'\''")),
    }
}

/// The commands to type next about a plan that fails.
pub(super) fn next(file: &str, is_minimal: bool) -> Vec<String> {
    let file = quoted(file);
    let mut next = vec![format!("cenotaph replay {file} --trace")];
    if !is_minimal {
        next.push(format!("cenotaph shrink {file} -o min.json"));
    }
    next
}
