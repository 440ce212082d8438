//! Fault policy of a record file's writer: short writes are continued; after a failed write or sync the
//! writer refuses all further use, because nothing is known of the file any more.
//!
//! Records are appended to memory at once, in order; one task writes them out, and one syncs.

use std::cell::{Cell, RefCell};
use std::io;

use bytes::Bytes;
use cenotaph_sim::host::{Disk, File, OpenMode};

use super::error::RecordError;
use super::file::FileName;
use super::format::{FileHeader, Previous, encode_record};
use crate::error::IoFailure;
use crate::limits::{FILE_HEADER_SIZE, RECORD_ALIGNMENT};

/// Writes one new record file.
#[derive(Debug)]
pub struct Writer {
    name: FileName,
    previous: Option<Previous>,
    file: RefCell<Option<File>>,
    /// Records appended and not yet handed to the disk.
    buffer: RefCell<Vec<u8>>,
    appended: Cell<u64>,
    written: Cell<u64>,
    synced: Cell<u64>,
    writing: Cell<bool>,
    failure: RefCell<Option<IoFailure>>,
}

impl Writer {
    /// A writer of a file that is not yet there. Records may be appended before it is.
    #[must_use]
    pub fn new(name: FileName, previous: Option<Previous>) -> Writer {
        assert!(name.id > 0, "file ids begin at 1");
        assert!(
            previous.is_none_or(|previous| previous.id < name.id),
            "file ids ascend"
        );
        Writer {
            name,
            previous,
            file: RefCell::new(None),
            buffer: RefCell::default(),
            appended: Cell::new(FILE_HEADER_SIZE as u64),
            written: Cell::new(FILE_HEADER_SIZE as u64),
            synced: Cell::new(0),
            writing: Cell::new(false),
            failure: RefCell::default(),
        }
    }

    /// The file's name.
    #[must_use]
    pub fn name(&self) -> FileName {
        self.name
    }

    /// End of the last record appended.
    #[must_use]
    pub fn appended(&self) -> u64 {
        self.appended.get()
    }

    /// End of the last record written.
    #[must_use]
    pub fn written(&self) -> u64 {
        self.written.get()
    }

    /// Up to where the file is known to be synced.
    #[must_use]
    pub fn synced(&self) -> u64 {
        self.synced.get()
    }

    /// Creates the file with its header, and makes it and its name durable. What was appended already
    /// is not written by this.
    ///
    /// # Errors
    /// The machine's, an existing file among them.
    pub async fn create(&self, disk: &Disk) -> Result<(), RecordError> {
        self.create_file(disk).await?;
        self.finish_header(disk, 0).await
    }

    /// Creates the file with what was appended, and makes it and its name durable. The header comes
    /// last: until it is durable the file counts for nothing.
    ///
    /// # Errors
    /// The machine's, an existing file among them.
    pub async fn create_whole(&self, disk: &Disk) -> Result<(), RecordError> {
        self.create_file(disk).await?;
        let upto = self.write().await?;
        self.sync_file().await?;
        self.finish_header(disk, upto).await?;
        self.synced.set(upto);
        Ok(())
    }

    /// Appends a record to memory; its payload is `parts`, one after the other. Gives its end.
    ///
    /// # Errors
    /// [`RecordError::TooLarge`], [`RecordError::FileFull`], [`RecordError::Poisoned`].
    pub fn append(&self, parts: &[&[u8]]) -> Result<u64, RecordError> {
        self.check()?;
        let (start, synced) = (self.appended.get(), self.synced.get());
        let mut buffer = self.buffer.borrow_mut();
        let end = encode_record(self.name, start, synced, parts, &mut buffer)?;
        self.appended.set(end);
        Ok(end)
    }

    /// Writes what was appended before the call. One task at a time. Gives the end of what is written.
    ///
    /// # Errors
    /// The machine's, or [`RecordError::Poisoned`].
    pub async fn write(&self) -> Result<u64, RecordError> {
        let file = self.open_file()?;
        assert!(!self.writing.replace(true), "one task writes a file");
        let bytes = Bytes::from(std::mem::take(&mut *self.buffer.borrow_mut()));
        let upto = self.written.get() + bytes.len() as u64;
        let result = write_all(&file, self.written.get(), bytes).await;
        self.writing.set(false);
        result.map_err(|error| self.poison("write", &error))?;
        self.written.set(upto);
        Ok(upto)
    }

    /// Syncs what was written before the call. Gives the end of what is synced.
    ///
    /// # Errors
    /// The machine's, or [`RecordError::Poisoned`].
    pub async fn sync(&self) -> Result<u64, RecordError> {
        let upto = self.written.get();
        self.open_file()?
            .sync_data()
            .await
            .map_err(|error| self.poison("sync", &error))?;
        // Another failure may have come in between: then nothing is known any more.
        self.check()?;
        self.synced.set(upto.max(self.synced.get()));
        Ok(self.synced.get())
    }

    /// Takes a failed sync for a good one. Only for the planted bug that does so.
    pub(crate) fn forget_failure(&self) {
        *self.failure.borrow_mut() = None;
        self.synced.set(self.written.get());
    }

    /// Goes on behind all that a file of the past holds. Only for the planted bug that does so.
    pub(crate) async fn reopen(&self, disk: &Disk) -> Result<(), RecordError> {
        let path = self.name.to_string();
        let file = disk.open(&path, OpenMode::Write).await;
        let file = file.map_err(|error| self.poison("open", &error))?;
        let size = file
            .len()
            .await
            .map_err(|error| self.poison("measure", &error))?;
        let end = size.next_multiple_of(RECORD_ALIGNMENT as u64);
        self.appended.set(end);
        self.written.set(end);
        self.synced.set(FILE_HEADER_SIZE as u64);
        *self.file.borrow_mut() = Some(file);
        Ok(())
    }

    async fn create_file(&self, disk: &Disk) -> Result<(), RecordError> {
        assert!(self.file.borrow().is_none(), "a file is created once");
        let path = self.name.to_string();
        let file = disk.open(&path, OpenMode::CreateNew).await;
        let file = file.map_err(|error| self.poison("create", &error))?;
        *self.file.borrow_mut() = Some(file);
        Ok(())
    }

    async fn finish_header(&self, disk: &Disk, synced_upto: u64) -> Result<(), RecordError> {
        let file = self.open_file()?;
        let header = FileHeader {
            name: self.name,
            previous: self.previous,
            synced_upto,
        };
        let header = Bytes::copy_from_slice(&header.encode());
        write_all(&file, 0, header)
            .await
            .map_err(|error| self.poison("write", &error))?;
        self.sync_file().await?;
        let dir = self.name.kind.dir();
        disk.sync_dir(dir)
            .await
            .map_err(|error| self.poison("sync directory of", &error))?;
        self.synced.set(FILE_HEADER_SIZE as u64);
        Ok(())
    }

    async fn sync_file(&self) -> Result<(), RecordError> {
        self.open_file()?
            .sync_all()
            .await
            .map_err(|error| self.poison("sync", &error))
    }

    fn open_file(&self) -> Result<File, RecordError> {
        self.check()?;
        Ok(self
            .file
            .borrow()
            .clone()
            .expect("the file was created before it is written"))
    }

    fn check(&self) -> Result<(), RecordError> {
        match &*self.failure.borrow() {
            None => Ok(()),
            Some(cause) => {
                let file = self.name.to_string();
                Err(RecordError::Poisoned {
                    file,
                    cause: cause.clone(),
                })
            }
        }
    }

    fn poison(&self, operation: &'static str, error: &io::Error) -> RecordError {
        let failure = IoFailure::new(operation, &self.name.to_string(), error);
        self.failure
            .borrow_mut()
            .get_or_insert_with(|| failure.clone());
        RecordError::Io(failure)
    }
}

/// Writes may be short.
async fn write_all(file: &File, mut offset: u64, mut bytes: Bytes) -> io::Result<()> {
    while !bytes.is_empty() {
        let count = file.write_at(offset, bytes.clone()).await?;
        if count == 0 {
            return Err(io::Error::from(io::ErrorKind::WriteZero));
        }
        assert!(
            count <= bytes.len(),
            "a write takes no more than it is given"
        );
        let _ = bytes.split_to(count);
        offset += count as u64;
    }
    Ok(())
}
