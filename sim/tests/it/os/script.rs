//! Vocabulary of scripts: calls on a disk that a host plays, and what it answered to each.

use std::io;

use bytes::Bytes;
use cenotaph_sim::host::{Disk, File, Host, Lock, OpenMode};

/// Bytes that one step reads or writes.
pub(crate) const BLOCK_SIZE: u64 = 4096;

/// Names of files and directories; each may become either. At first `a` and `d/a` are files.
pub(crate) const PATHS: [&str; 5] = ["a", "b", "d", "d/a", "e"];

const MODES: [OpenMode; 4] = [
    OpenMode::Read,
    OpenMode::Write,
    OpenMode::Create,
    OpenMode::CreateNew,
];

/// One call. Paths are numbers in [`PATHS`]; one more is the script's own root.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    Open(usize, usize, OpenMode),
    Close(usize),
    Read(usize, u64),
    Write(usize, u64, u8),
    Truncate(usize, u64),
    Preallocate(usize, u64),
    Len(usize),
    SyncData(usize),
    SyncAll(usize),
    Rename(usize, usize),
    Link(usize, usize),
    Remove(usize),
    CreateDir(usize),
    RemoveDir(usize),
    List(usize),
    SyncDir(usize),
    Lock(usize),
    Unlock,
}

/// Every step on these paths, by number, and so many handles.
pub(crate) fn alphabet(paths: &[usize], handles_count: usize) -> Vec<Step> {
    let own_root = PATHS.len();
    let mut steps = vec![Step::Unlock, Step::List(own_root), Step::SyncDir(own_root)];
    for &path in paths {
        for handle in 0..handles_count {
            steps.extend(MODES.map(|mode| Step::Open(handle, path, mode)));
        }
        for &other in paths {
            steps.extend([Step::Rename(path, other), Step::Link(path, other)]);
        }
        steps.extend([
            Step::Remove(path),
            Step::CreateDir(path),
            Step::RemoveDir(path),
        ]);
        steps.extend([Step::List(path), Step::SyncDir(path), Step::Lock(path)]);
    }
    for handle in 0..handles_count {
        steps.extend(on_handle(handle));
    }
    steps
}

/// Every step on an open file.
pub(crate) fn on_handle(handle: usize) -> Vec<Step> {
    let mut steps = vec![Step::Close(handle), Step::Len(handle)];
    steps.extend([Step::SyncData(handle), Step::SyncAll(handle)]);
    for block in 0..2 {
        steps.extend([Step::Read(handle, block), Step::Preallocate(handle, block)]);
        steps.extend([Step::Truncate(handle, block), Step::Write(handle, block, 7)]);
    }
    steps
}

impl Step {
    /// Whether it changes nothing that a later step could see.
    pub(crate) fn changes_nothing(self) -> bool {
        let looks = matches!(self, Step::Read(..) | Step::Len(_) | Step::List(_));
        let syncs = matches!(
            self,
            Step::SyncData(_) | Step::SyncAll(_) | Step::SyncDir(_)
        );
        looks || syncs
    }
}

/// Plays scripts in a directory of their own.
pub(crate) struct Player {
    disk: Disk,
    root: String,
    files: [Option<File>; 2],
    lock: Option<Lock>,
}

impl Player {
    /// A player in a new directory.
    pub(crate) async fn new(host: &Host, root: &str) -> io::Result<Player> {
        let disk = host.disk();
        disk.create_dir(root).await?;
        Ok(Player {
            disk,
            root: root.to_owned(),
            files: [None, None],
            lock: None,
        })
    }

    /// Begins a script: a file with a block of content, open, and a directory with an empty file.
    /// A directory that is there already stays, since to remove one is slow.
    pub(crate) async fn begin(&mut self) -> io::Result<()> {
        (self.files, self.lock) = ([None, None], None);
        let kept = format!("{}/d", self.root);
        match self.disk.list(&kept).await {
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                self.disk.create_dir(&kept).await?;
            }
            Err(_) => {
                self.disk.remove(&kept).await?;
                self.disk.create_dir(&kept).await?;
            }
        }
        for directory in [kept.clone(), self.root.clone()] {
            for name in self.disk.list(&directory).await? {
                let path = format!("{directory}/{name}");
                if path != kept {
                    self.clear(path).await?;
                }
            }
        }
        let disk = &self.disk;
        disk.open(&format!("{kept}/a"), OpenMode::CreateNew).await?;
        let path = format!("{}/a", self.root);
        let file = disk.open(&path, OpenMode::CreateNew).await?;
        file.write_at(0, block(1)).await?;
        self.files[0] = Some(file);
        Ok(())
    }

    /// Removes whatever has this name.
    async fn clear(&self, path: String) -> io::Result<()> {
        let mut rest = vec![path];
        while let Some(path) = rest.last().cloned() {
            match self.disk.list(&path).await {
                Ok(names) if names.is_empty() => self.disk.remove_dir(&path).await?,
                Ok(names) => {
                    rest.extend(names.iter().map(|name| format!("{path}/{name}")));
                    continue;
                }
                Err(_) => self.disk.remove(&path).await?,
            }
            rest.pop();
        }
        Ok(())
    }

    fn path(&self, path: usize) -> String {
        match PATHS.get(path) {
            Some(name) => format!("{}/{name}", self.root),
            None => self.root.clone(),
        }
    }

    /// Takes one step; gives back the answer, with an error's kind.
    pub(crate) async fn step(&mut self, step: Step) -> String {
        let answer = match step {
            Step::Open(handle, path, mode) => {
                let answer = self.disk.open(&self.path(path), mode).await;
                answer.map(|file| self.files[handle] = Some(file))
            }
            Step::Close(handle) => {
                self.files[handle] = None;
                Ok(())
            }
            Step::Rename(from, to) => self.disk.rename(&self.path(from), &self.path(to)).await,
            Step::Link(from, to) => self.disk.link(&self.path(from), &self.path(to)).await,
            Step::Remove(path) => self.disk.remove(&self.path(path)).await,
            Step::CreateDir(path) => self.disk.create_dir(&self.path(path)).await,
            Step::RemoveDir(path) => self.disk.remove_dir(&self.path(path)).await,
            Step::SyncDir(path) => self.disk.sync_dir(&self.path(path)).await,
            Step::List(path) => return told(self.disk.list(&self.path(path)).await),
            Step::Lock(path) => {
                let answer = self.disk.lock(&self.path(path)).await;
                answer.map(|lock| self.lock = Some(lock))
            }
            Step::Unlock => {
                self.lock = None;
                Ok(())
            }
            Step::Read(handle, _)
            | Step::Write(handle, ..)
            | Step::Truncate(handle, _)
            | Step::Preallocate(handle, _)
            | Step::Len(handle)
            | Step::SyncData(handle)
            | Step::SyncAll(handle) => match self.files[handle].clone() {
                Some(file) => return on_file(&file, step).await,
                None => return "no file".to_owned(),
            },
        };
        told(answer)
    }

    /// Everything below the root: names, and what is in the files.
    pub(crate) async fn survey(&self) -> String {
        let mut text = String::new();
        let mut open = vec![self.root.clone()];
        while let Some(path) = open.pop() {
            let answer = match self.disk.list(&path).await {
                Ok(names) => {
                    open.extend(names.iter().rev().map(|name| format!("{path}/{name}")));
                    format!("{names:?}")
                }
                Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
                    match self.disk.open(&path, OpenMode::Read).await {
                        Ok(file) => told(file.read_at(0, 1 << 20).await.map(|read| runs(&read))),
                        Err(error) => format!("{:?}", error.kind()),
                    }
                }
                Err(error) => format!("{:?}", error.kind()),
            };
            text.push_str(&format!("{path} {answer}; "));
        }
        text
    }
}

async fn on_file(file: &File, step: Step) -> String {
    let answer = match step {
        Step::Read(_, at) => {
            let size = usize::try_from(BLOCK_SIZE).expect("a block is small");
            let read = file.read_at(at * BLOCK_SIZE, size).await;
            return told(read.map(|bytes| runs(&bytes)));
        }
        Step::Write(_, at, byte) => {
            return told(file.write_at(at * BLOCK_SIZE, block(byte)).await);
        }
        Step::Len(_) => return told(file.len().await),
        Step::Truncate(_, at) => file.truncate(at * BLOCK_SIZE).await,
        Step::Preallocate(_, at) => file.preallocate(at * BLOCK_SIZE, BLOCK_SIZE).await,
        Step::SyncData(_) => file.sync_data().await,
        Step::SyncAll(_) => file.sync_all().await,
        other => unreachable!("{other:?} is not about an open file"),
    };
    told(answer)
}

fn block(byte: u8) -> Bytes {
    Bytes::from(vec![
        byte;
        usize::try_from(BLOCK_SIZE).expect("a block is small")
    ])
}

fn told<T: std::fmt::Debug>(answer: io::Result<T>) -> String {
    match answer {
        Ok(value) => format!("{value:?}"),
        Err(error) => format!("{:?}", error.kind()),
    }
}

/// Bytes as runs: `4096x1 512x0`.
fn runs(bytes: &[u8]) -> String {
    let same = bytes.chunk_by(|left, right| left == right);
    let told: Vec<String> = same
        .map(|run| format!("{}x{}", run.len(), run[0]))
        .collect();
    told.join(" ")
}
