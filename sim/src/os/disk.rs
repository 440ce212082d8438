//! Steps of calls on names: find the place below the root, refuse what the simulated disk would
//! refuse, then ask the system, beside the event loop.
#![expect(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "the real machine's disk is the system's"
)]

use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use super::boots::BOOTS;
use super::error::told;
use super::file::{File, Open};
use super::lock::{self, Lock};
use super::machine::Machine;
use super::path::{resolve, resolve_name};
use crate::disk::{Access, DiskError};

impl Machine {
    /// Opens a file.
    ///
    /// # Errors
    /// `NotFound`, `AlreadyExists`, `IsADirectory`, `InvalidInput`, or an I/O error.
    pub async fn open(self: &Rc<Machine>, path: &str, access: Access) -> io::Result<File> {
        let (root, path) = (Arc::clone(&self.root), path.to_owned());
        let work = move || open(&root, path, access);
        Ok(File::new(self, self.beside_loop(work).await?))
    }

    /// Renames a file or directory.
    ///
    /// # Errors
    /// `NotFound`, or an I/O error.
    pub async fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        self.on_two(from, to, |from, to| {
            fs::rename(from, to).map_err(|error| taken_in_one_word(from, error))
        })
        .await
    }

    /// Removes a file's name.
    ///
    /// # Errors
    /// `NotFound`, `IsADirectory`, or an I/O error.
    pub async fn remove(&self, path: &str) -> io::Result<()> {
        self.on_one(path, |place| {
            refuse_dir(place)?;
            fs::remove_file(place)
        })
        .await
    }

    /// Gives a file a second name.
    ///
    /// # Errors
    /// `NotFound`, `AlreadyExists`, `IsADirectory`, or an I/O error.
    pub async fn link(&self, existing: &str, new: &str) -> io::Result<()> {
        self.on_two(existing, new, |existing, new| {
            refuse_dir(existing)?;
            fs::hard_link(existing, new)
        })
        .await
    }

    /// The names in a directory, sorted.
    ///
    /// # Errors
    /// `NotFound`, `NotADirectory`, `InvalidData` when a name is not UTF-8, or an I/O error.
    pub async fn list(&self, dir: &str) -> io::Result<Vec<String>> {
        let is_root = dir.is_empty();
        self.on_one_or_root(dir, move |place| list(place, is_root))
            .await
    }

    /// Makes a directory.
    ///
    /// # Errors
    /// `AlreadyExists`, `NotFound` for the parent, or an I/O error.
    pub async fn create_dir(&self, path: &str) -> io::Result<()> {
        self.on_one_or_root(path, |place| fs::create_dir(place))
            .await
    }

    /// Removes an empty directory.
    ///
    /// # Errors
    /// `NotFound`, `DirectoryNotEmpty`, or an I/O error.
    pub async fn remove_dir(&self, path: &str) -> io::Result<()> {
        self.on_one(path, |place| {
            fs::remove_dir(place).map_err(|error| taken_in_one_word(place, error))
        })
        .await
    }

    /// Makes the names in a directory durable.
    ///
    /// # Errors
    /// `NotFound`, `NotADirectory`, or an I/O error.
    pub async fn sync_dir(&self, dir: &str) -> io::Result<()> {
        self.on_one_or_root(dir, |place| {
            if !fs::metadata(place)?.is_dir() {
                return Err(io::ErrorKind::NotADirectory.into());
            }
            fs::File::open(place)?.sync_all()
        })
        .await
    }

    /// Takes an advisory lock on a path.
    ///
    /// # Errors
    /// `WouldBlock` when another holds it, or an I/O error.
    pub async fn lock(&self, path: &str) -> io::Result<Lock> {
        let (root, path) = (Arc::clone(&self.root), path.to_owned());
        self.beside_loop(move || lock::take(&file_place(&root, &path)?, &path))
            .await
    }

    async fn on_one<T: Send + 'static>(
        &self,
        path: &str,
        ask: impl FnOnce(&Path) -> io::Result<T> + Send + 'static,
    ) -> io::Result<T> {
        resolve_name(&self.root, path)?;
        self.on_one_or_root(path, ask).await
    }

    async fn on_one_or_root<T: Send + 'static>(
        &self,
        path: &str,
        ask: impl FnOnce(&Path) -> io::Result<T> + Send + 'static,
    ) -> io::Result<T> {
        let (place, path) = (resolve(&self.root, path)?, path.to_owned());
        self.beside_loop(move || ask(&place).map_err(|error| told(&path, &error)))
            .await
    }

    async fn on_two(
        &self,
        from: &str,
        to: &str,
        ask: impl FnOnce(&Path, &Path) -> io::Result<()> + Send + 'static,
    ) -> io::Result<()> {
        let from_place = resolve(&self.root, from)?;
        let to_place = resolve(&self.root, to)?;
        let path = format!("{from} -> {to}");
        self.beside_loop(move || ask(&from_place, &to_place).map_err(|error| told(&path, &error)))
            .await
    }
}

/// Where a file lies; the root is none.
fn file_place(root: &Path, path: &str) -> io::Result<PathBuf> {
    if path.is_empty() {
        return Err(DiskError::IsADirectory {
            path: path.to_owned(),
        }
        .into());
    }
    Ok(resolve(root, path)?)
}

fn open(root: &Path, path: String, access: Access) -> io::Result<Open> {
    let place = file_place(root, &path)?;
    let mut options = OpenOptions::new();
    options.read(true).write(access != Access::Read);
    options.create(access == Access::Create);
    options.create_new(access == Access::CreateNew);
    let file = options.open(place).map_err(|error| told(&path, &error))?;
    // The system opens a directory to read; its content is nobody's business.
    if access == Access::Read && file.metadata()?.is_dir() {
        return Err(DiskError::IsADirectory { path }.into());
    }
    Ok(Open::new(file, path, access))
}

/// The system's own words for this differ: some say that it is not permitted.
fn refuse_dir(place: &Path) -> io::Result<()> {
    if fs::symlink_metadata(place)?.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    Ok(())
}

/// Of a directory with names in it, systems say that it is not empty, or that it exists; also to a
/// file that would replace it, when the file is one of those names.
fn taken_in_one_word(gone: &Path, error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::AlreadyExists | io::ErrorKind::DirectoryNotEmpty => match refuse_dir(gone) {
            Ok(()) => io::ErrorKind::IsADirectory.into(),
            Err(_) => io::ErrorKind::DirectoryNotEmpty.into(),
        },
        _ => error,
    }
}

fn list(place: &Path, is_root: bool) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(place)? {
        let name = entry?.file_name().into_string().map_err(|name| {
            let text = format!("{} is not UTF-8", name.display());
            io::Error::new(io::ErrorKind::InvalidData, text)
        })?;
        if !(is_root && name == BOOTS) {
            names.push(name);
        }
    }
    names.sort_unstable();
    Ok(names)
}
