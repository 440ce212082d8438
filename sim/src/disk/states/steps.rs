//! Vocabulary of short sequences: a few steps on two files in two directories, and every sequence of them.

use crate::disk::options::{Access, DiskOptions, Handle, PAGE_SIZE};
use crate::disk::profile::Profile;
use crate::disk::tear::Tear;
use crate::disk::volume::Disk;

/// One step. Files are 0 for `f`, 1 for `d/g`, 2 for the one that was created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Writes a page of a file, by its number.
    Write(usize, u64),
    /// Cuts a file to nothing.
    Empty(usize),
    /// Creates the file `n`.
    Create,
    /// Renames the first name to the second.
    Rename(&'static str, &'static str),
    /// Gives the first name's file the second name too.
    Link(&'static str, &'static str),
    /// Removes a name.
    Remove(&'static str),
    /// Syncs all of a file.
    Sync(usize),
    /// Syncs a directory.
    SyncDir(&'static str),
}

/// Steps whose short sequences meet what file systems get wrong: renames within and across
/// directories, over another file and of a new one, links, cuts, and syncs of each.
pub const STEPS: [Step; 17] = [
    Step::Write(0, 0),
    Step::Write(0, 1),
    Step::Write(1, 0),
    Step::Empty(0),
    Step::Empty(1),
    Step::Create,
    Step::Write(2, 0),
    Step::Rename("f", "d/g"),
    Step::Rename("d/g", "f"),
    Step::Rename("n", "f"),
    Step::Rename("f", "d/m"),
    Step::Link("f", "d/k"),
    Step::Remove("f"),
    Step::Sync(0),
    Step::Sync(1),
    Step::SyncDir(""),
    Step::SyncDir("d"),
];

/// A disk with the files `f` and `d/g`, one page each, everything durable, after these steps; those
/// that cannot be done are left out. Each step writes a letter of its own.
///
/// # Panics
/// When there are more steps than letters.
#[must_use]
pub fn after(profile: Profile, steps: &[Step]) -> Disk {
    let mut disk = Disk::new(DiskOptions {
        profile,
        tear: Tear::Page4k,
        capacity_bytes: 16 << 20,
    });
    disk.create_dir("d").expect("the disk is empty");
    let mut files = Vec::new();
    for (path, letter) in [("f", b'A'), ("d/g", b'B')] {
        let file = disk
            .open(path, Access::CreateNew)
            .expect("a name of an empty disk is new");
        disk.write_at(file, 0, &[letter; PAGE_SIZE])
            .expect("two pages fit on a disk of 16 MiB");
        disk.sync_all(file)
            .expect("no sync fails unless it is told to");
        files.push(file);
    }
    disk.sync_dir("").expect("the root is there");
    disk.sync_dir("d").expect("it was made just now");
    for (step, letter) in steps.iter().zip(b'P'..) {
        perform(&mut disk, &mut files, *step, letter);
    }
    disk
}

fn perform(disk: &mut Disk, files: &mut Vec<Handle>, step: Step, letter: u8) {
    match step {
        Step::Write(file, page) => {
            if let Some(&handle) = files.get(file) {
                let written = disk.write_at(handle, page * PAGE_SIZE as u64, &[letter; PAGE_SIZE]);
                assert_eq!(written, Ok(PAGE_SIZE), "there is space");
            }
        }
        Step::Empty(file) => disk.truncate(files[file], 0).expect("the file is open"),
        Step::Create => files.extend(disk.open("n", Access::CreateNew)),
        Step::Rename(from, to) => drop(disk.rename(from, to)),
        Step::Link(from, to) => drop(disk.link(from, to)),
        Step::Remove(path) => drop(disk.remove(path)),
        Step::Sync(file) => disk.sync_all(files[file]).expect("the file is open"),
        Step::SyncDir(dir) => disk.sync_dir(dir).expect("nobody removes a directory"),
    }
}

/// Every sequence of this many of these steps.
pub fn sequences(steps: &[Step], length: u32) -> impl Iterator<Item = Vec<Step>> {
    (0..steps.len().pow(length)).map(move |mut number| {
        let next = |_| {
            let step = steps[number % steps.len()];
            number /= steps.len();
            step
        };
        (0..length).map(next).collect()
    })
}
