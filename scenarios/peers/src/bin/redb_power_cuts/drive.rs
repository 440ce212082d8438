//! Steps of a call: is the power on, does it end with this call, then ask the simulated disk.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cenotaph_sim::disk::{Access, CrashKind, Disk, DiskOptions, DiskResult, Handle, KeyedChance};
use cenotaph_sim::entropy::{RunKey, hash_bytes, mix64};
use redb::StorageBackend;

/// The database's file.
const PATH: &str = "database";

/// A file of a simulated disk, as redb asks for its storage: synchronous, from any thread. Clones are the
/// same drive.
#[derive(Clone, Debug)]
pub(crate) struct Drive(Arc<Mutex<Inside>>);

#[derive(Debug)]
struct Inside {
    disk: Disk,
    handle: Handle,
    key: RunKey,
    /// Calls that change something and come before the one with which the power ends; none when it is off.
    calls_left: Option<u64>,
    calls_count: u64,
    cuts_count: u64,
    fingerprint: u64,
}

impl Drive {
    /// A disk with an empty file whose name is durable; switched off.
    pub(crate) fn new(options: DiskOptions, key: RunKey) -> Drive {
        let mut disk = Disk::new(options);
        let handle = disk
            .open(PATH, Access::CreateNew)
            .expect("the disk is empty");
        // On some file systems a name may be durable and its inode not.
        disk.sync_all(handle).expect("nothing fails by itself");
        disk.sync_dir("").expect("the root is there");
        // Whether the name survives is not redb's business.
        disk.drain_drive();
        Drive(Arc::new(Mutex::new(Inside {
            disk,
            handle,
            key,
            calls_left: None,
            calls_count: 0,
            cuts_count: 0,
            fingerprint: 0,
        })))
    }

    fn inside(&self) -> MutexGuard<'_, Inside> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Switches the power on; it ends in the middle of the call after `calls` that change something.
    pub(crate) fn power_on(&self, calls: u64) {
        let mut inside = self.inside();
        inside.handle = inside
            .disk
            .open(PATH, Access::Write)
            .expect("its name is durable");
        inside.calls_left = Some(calls);
    }

    /// Whether the power is still on.
    pub(crate) fn is_on(&self) -> bool {
        self.inside().calls_left.is_some()
    }

    /// The power ends: whatever is asked from now on fails.
    pub(crate) fn power_off(&self) {
        self.inside().calls_left = None;
    }

    /// The machine is down: whatever the disk does not have to keep is at stake.
    pub(crate) fn cut(&self) {
        let mut inside = self.inside();
        inside.calls_left = None;
        inside.cuts_count += 1;
        let key = inside
            .key
            .stream("cut")
            .child(&inside.cuts_count.to_string());
        inside
            .disk
            .crash(CrashKind::PowerCut, &mut KeyedChance { key });
    }

    /// A hash of every call that changed something, in their order.
    pub(crate) fn fingerprint(&self) -> u64 {
        self.inside().fingerprint
    }

    fn look<T>(&self, ask: impl FnOnce(&Disk, Handle) -> DiskResult<T>) -> io::Result<T> {
        let inside = self.inside();
        if inside.calls_left.is_none() {
            return Err(power_is_off());
        }
        ask(&inside.disk, inside.handle).map_err(io::Error::from)
    }

    fn change(
        &self,
        word: u64,
        ask: impl FnOnce(&mut Disk, Handle) -> DiskResult<()>,
    ) -> io::Result<()> {
        let mut inside = self.inside();
        let inside = &mut *inside;
        let Some(calls_left) = inside.calls_left else {
            return Err(power_is_off());
        };
        inside.calls_count += 1;
        inside.fingerprint = mix64(inside.fingerprint, word);
        let call = inside
            .key
            .stream("calls")
            .child(&inside.calls_count.to_string());
        // The kernel writes back when it likes.
        if call.word(0).is_multiple_of(8) {
            inside.disk.flush_some(&mut KeyedChance { key: call });
        }
        if calls_left == 0 {
            // The call in flight is carried out or not; nobody hears which.
            if call.word(1).is_multiple_of(2) {
                let _unheard = ask(&mut inside.disk, inside.handle);
            }
            inside.calls_left = None;
            return Err(power_is_off());
        }
        inside.calls_left = Some(calls_left - 1);
        ask(&mut inside.disk, inside.handle).map_err(io::Error::from)
    }
}

fn power_is_off() -> io::Error {
    io::Error::other("the power is off")
}

impl StorageBackend for Drive {
    fn len(&self) -> io::Result<u64> {
        self.look(|disk, handle| disk.size(handle))
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let bytes = self.look(|disk, handle| disk.read_at(handle, offset, out.len()))?;
        if bytes.len() < out.len() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        out.copy_from_slice(&bytes);
        Ok(())
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.change(mix64(1, len), |disk, handle| disk.truncate(handle, len))
    }

    fn sync_data(&self) -> io::Result<()> {
        self.change(2, |disk, handle| disk.sync_data(handle))
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.change(mix64(offset, hash_bytes(3, data)), |disk, handle| {
            let mut written = 0;
            while written < data.len() {
                written += disk.write_at(handle, offset + written as u64, &data[written..])?;
            }
            Ok(())
        })
    }
}
