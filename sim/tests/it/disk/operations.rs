//! Vocabulary of random operations, done to a disk and to the naive file system in step.

use std::collections::BTreeMap;
use std::io::ErrorKind;

use cenotaph_sim::disk::{Access, Disk, DiskResult, Handle};
use proptest::prelude::*;

use super::posix::Posix;
use super::support::{PAGE, chance};

#[derive(Clone, Debug)]
pub(crate) enum Operation {
    Open(&'static str, Access),
    Close(usize),
    Write {
        handle: usize,
        offset: usize,
        size: usize,
        byte: u8,
    },
    Truncate(usize, usize),
    Preallocate {
        handle: usize,
        offset: usize,
        size: usize,
    },
    Sync(usize),
    FailSync(usize),
    SyncDir(&'static str),
    FlushSome(u64),
    Rename(&'static str, &'static str),
    Link(&'static str, &'static str),
    Remove(&'static str),
    CreateDir(&'static str),
    RemoveDir(&'static str),
}

const PATHS: [&str; 9] = ["a", "b", "d", "e", "d/a", "d/e", "e/b", "d/e/a", "e/d"];
const DIRS: [&str; 4] = ["", "d", "e", "d/e"];

pub(crate) fn operations(count: usize) -> impl Strategy<Value = Vec<Operation>> {
    prop::collection::vec(operation(), 1..count)
}

fn operation() -> impl Strategy<Value = Operation> {
    use Operation::*;
    let path = || prop::sample::select(&PATHS[..]);
    let access = prop::sample::select(
        &[
            Access::Read,
            Access::Write,
            Access::Create,
            Access::Create,
            Access::CreateNew,
        ][..],
    );
    let handle = || 0..6_usize;
    let place = || prop_oneof![0..700_usize, 0..3 * PAGE];
    let size = || prop_oneof![0..700_usize, 0..2 * PAGE];
    prop_oneof![
        6 => (path(), access).prop_map(|(path, access)| Open(path, access)),
        1 => handle().prop_map(Close),
        8 => (handle(), place(), size(), 1..=255_u8)
            .prop_map(|(handle, offset, size, byte)| Write { handle, offset, size, byte }),
        3 => (handle(), place()).prop_map(|(handle, size)| Truncate(handle, size)),
        1 => (handle(), place(), size())
            .prop_map(|(handle, offset, size)| Preallocate { handle, offset, size }),
        3 => handle().prop_map(Sync),
        1 => handle().prop_map(FailSync),
        2 => prop::sample::select(&DIRS[..]).prop_map(SyncDir),
        2 => any::<u64>().prop_map(FlushSome),
        5 => (path(), path()).prop_map(|(from, to)| Rename(from, to)),
        2 => (path(), path()).prop_map(|(existing, new)| Link(existing, new)),
        3 => path().prop_map(Remove),
        3 => prop::sample::select(&DIRS[1..]).prop_map(CreateDir),
        1 => prop::sample::select(&DIRS[1..]).prop_map(RemoveDir),
    ]
}

/// A disk and its model, in step.
#[derive(Clone)]
pub(crate) struct Pair {
    pub(crate) disk: Disk,
    pub(crate) posix: Posix,
    pub(crate) handles: Vec<Handle>,
}

fn kind<T>(result: DiskResult<T>) -> Result<(), ErrorKind> {
    result.map(drop).map_err(|error| error.kind())
}

impl Pair {
    pub(crate) fn new(disk: Disk) -> Pair {
        Pair {
            disk,
            posix: Posix::default(),
            handles: Vec::new(),
        }
    }

    /// A disk after these operations.
    pub(crate) fn after(disk: Disk, operations: &[Operation]) -> Pair {
        let mut pair = Pair::new(disk);
        for operation in operations {
            pair.apply(operation);
        }
        pair
    }

    /// The open handle that this number stands for, if any is open.
    fn pick(&self, handle: usize) -> Option<(usize, Handle)> {
        let index = handle.checked_rem(self.handles.len())?;
        Some((index, self.handles[index]))
    }

    /// Does the operation to both; both must answer alike.
    pub(crate) fn apply(&mut self, operation: &Operation) {
        let answers = match *operation {
            Operation::Open(path, access) => self.open(path, access),
            Operation::SyncDir(dir) => {
                let is_dir = self.posix.dirs().contains(dir);
                assert_eq!(self.disk.sync_dir(dir).is_ok(), is_dir);
                return;
            }
            Operation::FlushSome(seed) => {
                self.disk.flush_some(&mut chance(seed));
                return;
            }
            Operation::Rename(from, to) => (
                kind(self.disk.rename(from, to)),
                self.posix.rename(from, to),
            ),
            Operation::Link(existing, new) => (
                kind(self.disk.link(existing, new)),
                self.posix.link(existing, new),
            ),
            Operation::Remove(path) => (kind(self.disk.remove(path)), self.posix.remove(path)),
            Operation::CreateDir(path) => (
                kind(self.disk.create_dir(path)),
                self.posix.create_dir(path),
            ),
            Operation::RemoveDir(path) => (
                kind(self.disk.remove_dir(path)),
                self.posix.remove_dir(path),
            ),
            Operation::Close(handle)
            | Operation::Truncate(handle, _)
            | Operation::Sync(handle)
            | Operation::FailSync(handle)
            | Operation::Write { handle, .. }
            | Operation::Preallocate { handle, .. } => {
                let Some((index, handle)) = self.pick(handle) else {
                    return;
                };
                self.apply_to_file(operation, index, handle)
            }
        };
        assert_eq!(answers.0, answers.1, "{operation:?}");
    }

    fn open(
        &mut self,
        path: &str,
        access: Access,
    ) -> (Result<(), ErrorKind>, Result<(), ErrorKind>) {
        let opened = self.disk.open(path, access);
        self.handles.extend(&opened);
        (kind(opened), self.posix.open(path, access))
    }

    fn apply_to_file(
        &mut self,
        operation: &Operation,
        index: usize,
        handle: Handle,
    ) -> (Result<(), ErrorKind>, Result<(), ErrorKind>) {
        let wide = |size: usize| size as u64;
        match *operation {
            Operation::Write {
                offset, size, byte, ..
            } => {
                let bytes = vec![byte; size];
                let written = self.disk.write_at(handle, wide(offset), &bytes);
                if let Ok(written) = &written {
                    assert_eq!(*written, size);
                }
                if size == 0 && written.is_ok() {
                    return (Ok(()), Ok(()));
                }
                (kind(written), self.posix.write(index, offset, &bytes))
            }
            Operation::Truncate(_, size) => (
                kind(self.disk.truncate(handle, wide(size))),
                self.posix.truncate(index, size),
            ),
            Operation::Preallocate { offset, size, .. } => {
                let done = self.disk.preallocate(handle, wide(offset), wide(size));
                let end = if size == 0 { 0 } else { offset + size };
                (kind(done), self.posix.preallocate(index, end))
            }
            Operation::Close(_) => {
                self.disk.close(handle);
                self.handles.remove(index);
                self.posix.handles.remove(index);
                (Ok(()), Ok(()))
            }
            Operation::FailSync(_) => {
                assert_eq!(self.disk.fail_sync(handle).kind(), ErrorKind::Other);
                (Ok(()), Ok(()))
            }
            _ => {
                // The first sync may tell of an earlier failure; the second has nothing to tell.
                let _ = self.disk.sync_all(handle);
                (kind(self.disk.sync_data(handle)), Ok(()))
            }
        }
    }

    /// Both show the same names, bytes and counts of names, and open files the same bytes.
    pub(crate) fn compare(&mut self) {
        assert_eq!(view(&mut self.disk), self.posix.view());
        for (index, &handle) in self.handles.iter().enumerate() {
            let expected = self.posix.read(index);
            let read = self.disk.read_at(handle, 0, expected.len() + 1).unwrap();
            assert_eq!(read, expected);
        }
    }

    /// Syncs every file that has a name, and every directory.
    pub(crate) fn sync_everything(&mut self) {
        sync_everything(&mut self.disk);
    }
}

pub(crate) fn sync_everything(disk: &mut Disk) {
    let paths: Vec<String> = view(disk).into_keys().collect();
    disk.sync_dir("").unwrap();
    for path in paths {
        if disk.stat(&path).unwrap().is_dir {
            disk.sync_dir(&path).unwrap();
        } else {
            let handle = disk.open(&path, Access::Read).unwrap();
            disk.sync_all(handle).unwrap();
            disk.close(handle);
        }
    }
}

/// Every path with its bytes (none for a directory) and its count of names.
pub(crate) fn view(disk: &mut Disk) -> BTreeMap<String, (Option<Vec<u8>>, u32)> {
    let mut view = BTreeMap::new();
    let mut ahead = vec![String::new()];
    while let Some(dir) = ahead.pop() {
        for name in disk.list(&dir).unwrap() {
            let path = if dir.is_empty() {
                name
            } else {
                format!("{dir}/{name}")
            };
            let stat = disk.stat(&path).unwrap();
            if stat.is_dir {
                view.insert(path.clone(), (None, stat.links));
                ahead.push(path);
            } else {
                let bytes = super::support::contents(disk, &path);
                view.insert(path, (Some(bytes), stat.links));
            }
        }
    }
    view
}
