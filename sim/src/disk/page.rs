//! Invariants of pages: 4 KiB behind an `Arc`, copied when written while shared; every live one is counted.

use std::cell::Cell;
use std::fmt;
use std::sync::OnceLock;

use super::image_hash::{PAGE_SECTORS, sector_digest};
use super::options::{PAGE_SIZE, SECTOR_SIZE};
use crate::entropy::hash_bytes;

thread_local! {
    static ALIVE: Cell<isize> = const { Cell::new(0) };
}

/// Pages made on this thread and not yet dropped on it: zero again once every disk is gone.
#[must_use]
pub fn pages_alive() -> usize {
    usize::try_from(ALIVE.get()).unwrap_or(0)
}

/// A page's bytes, and their digest once someone asked for it.
pub(super) struct Page {
    bytes: Box<[u8; PAGE_SIZE]>,
    digest: OnceLock<u128>,
    sectors: OnceLock<Box<[u128; PAGE_SECTORS]>>,
}

impl Page {
    /// A page of zeros.
    pub(super) fn zeroed() -> Page {
        Page::counted(&[0; PAGE_SIZE], OnceLock::new())
    }

    /// A page of these bytes.
    pub(super) fn holding(bytes: &[u8; PAGE_SIZE]) -> Page {
        Page::counted(bytes, OnceLock::new())
    }

    fn counted(bytes: &[u8; PAGE_SIZE], digest: OnceLock<u128>) -> Page {
        ALIVE.set(ALIVE.get() + 1);
        // By way of a slice, since a boxed array would first be built on the stack.
        let bytes: Box<[u8]> = Box::from(bytes.as_slice());
        Page {
            bytes: bytes.try_into().expect("a page's slice has a page's size"),
            digest,
            sectors: OnceLock::new(),
        }
    }

    /// The bytes.
    pub(super) fn bytes(&self) -> &[u8; PAGE_SIZE] {
        &self.bytes
    }

    /// The bytes, to change them.
    pub(super) fn bytes_mut(&mut self) -> &mut [u8; PAGE_SIZE] {
        self.digest.take();
        self.sectors.take();
        &mut self.bytes
    }

    /// The digest of the bytes, computed at most once between two changes.
    pub(super) fn digest(&self) -> u128 {
        *self.digest.get_or_init(|| digest_of(self.bytes.as_slice()))
    }

    /// The digests of the sectors, computed at most once between two changes.
    pub(super) fn sectors(&self) -> &[u128; PAGE_SECTORS] {
        self.sectors
            .get_or_init(|| Box::new(self.recomputed_sectors()))
    }

    /// The digests of the sectors as they are, whatever was remembered.
    pub(super) fn recomputed_sectors(&self) -> [u128; PAGE_SECTORS] {
        std::array::from_fn(|index| {
            sector_digest(&self.bytes[index * SECTOR_SIZE..][..SECTOR_SIZE])
        })
    }

    /// The digest of the bytes as they are, whatever was remembered.
    pub(super) fn recomputed_digest(&self) -> u128 {
        digest_of(self.bytes.as_slice())
    }
}

fn digest_of(bytes: &[u8]) -> u128 {
    let high = hash_bytes(0x7061_6765_2068_6967, bytes);
    let low = hash_bytes(0x7061_6765_206c_6f77, bytes);
    (u128::from(high) << 64) | u128::from(low)
}

impl Clone for Page {
    fn clone(&self) -> Page {
        Page::counted(&self.bytes, self.digest.clone())
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        ALIVE.set(ALIVE.get() - 1);
    }
}

impl fmt::Debug for Page {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Page({:032x})", self.digest())
    }
}
