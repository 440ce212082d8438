//! Contents of `host`: the whole list of what an engine may ask of its machine.
//!
//! Dropping an I/O future never cancels the operation; dropping a [`JoinHandle`] detaches the task.

use std::future::Future;
use std::io;
use std::time::Duration;

use bytes::Bytes;

use crate::entropy::Stream;
use crate::time::{Instant, WallMicros};

/// One incarnation of a machine, as its own software sees it.
#[derive(Clone, Debug)]
pub struct Host;
impl Host {
    /// The machine's name.
    pub fn name(&self) -> &str { unimplemented!() }
    /// How often the machine was booted before this.
    pub fn incarnation(&self) -> u32 { unimplemented!() }
    /// disk
    pub fn disk(&self) -> Disk { unimplemented!() }
    /// clock
    pub fn clock(&self) -> Clock { unimplemented!() }
    /// network
    pub fn network(&self) -> Network { unimplemented!() }
    /// spawn
    pub fn spawn<F: Future + 'static>(&self, name: &str, future: F) -> JoinHandle<F::Output> { unimplemented!() }
    /// A stream of chance of this machine, by name.
    pub fn entropy(&self, stream: &str) -> Stream { unimplemented!() }
    /// Says that a place some run has to reach was reached.
    pub fn mark(&self, mark: &'static str) { unimplemented!() }
}
/// A spawned task's answer: `await` gives its output, or [`Gone`] when it was killed or panicked.
#[derive(Debug)]
pub struct JoinHandle<T>(std::marker::PhantomData<T>);
/// The task ended without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the task ended without an answer")]
pub struct Gone;
impl<T> Future for JoinHandle<T> {
    type Output = Result<T, Gone>;
    fn poll(self: std::pin::Pin<&mut Self>, _: &mut std::task::Context<'_>) -> std::task::Poll<Self::Output> { unimplemented!() }
}
/// How to open a file. All but `Read` allow reading and writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenMode {
    /// An existing file, to read.
    Read,
    /// An existing file, to read and write.
    Write,
    /// A new or existing file, to read and write.
    Create,
    /// A new file; `AlreadyExists` when there is one.
    CreateNew,
}
/// The machine's disk. Paths are relative, with `/`; the root directory is `""`.
#[derive(Clone, Debug)]
pub struct Disk;
impl Disk {
    /// open
    pub async fn open(&self, path: &str, mode: OpenMode) -> io::Result<File> { unimplemented!() }
    /// rename
    pub async fn rename(&self, from: &str, to: &str) -> io::Result<()> { unimplemented!() }
    /// remove
    pub async fn remove(&self, path: &str) -> io::Result<()> { unimplemented!() }
    /// link
    pub async fn link(&self, existing: &str, new: &str) -> io::Result<()> { unimplemented!() }
    /// Names in a directory, sorted.
    pub async fn list(&self, dir: &str) -> io::Result<Vec<String>> { unimplemented!() }
    /// create_dir; `AlreadyExists` when there is one.
    pub async fn create_dir(&self, path: &str) -> io::Result<()> { unimplemented!() }
    /// remove_dir
    pub async fn remove_dir(&self, path: &str) -> io::Result<()> { unimplemented!() }
    /// Makes the names in a directory durable.
    pub async fn sync_dir(&self, dir: &str) -> io::Result<()> { unimplemented!() }
    /// An advisory lock, held until the guard drops or the process dies; `WouldBlock` when held by another.
    pub async fn lock(&self, path: &str) -> io::Result<Lock> { unimplemented!() }
}
/// Holds an advisory lock.
#[derive(Debug)]
pub struct Lock;
/// An open file; clones share one description; closed when the last is dropped.
#[derive(Clone, Debug)]
pub struct File;
impl File {
    /// Reads at most `size` bytes; fewer at the end of the file (or earlier: a short read).
    pub async fn read_at(&self, offset: u64, size: usize) -> io::Result<Bytes> { unimplemented!() }
    /// Writes a prefix of `bytes` (at least one byte), and says how many.
    pub async fn write_at(&self, offset: u64, bytes: Bytes) -> io::Result<usize> { unimplemented!() }
    /// Makes content (and the length needed to reach it) durable.
    pub async fn sync_data(&self) -> io::Result<()> { unimplemented!() }
    /// Makes content and attributes durable; not the name.
    pub async fn sync_all(&self) -> io::Result<()> { unimplemented!() }
    /// len
    pub async fn len(&self) -> io::Result<u64> { unimplemented!() }
    /// truncate (or extend with zeros)
    pub async fn truncate(&self, size: u64) -> io::Result<()> { unimplemented!() }
    /// Reserves space: later writes there cannot meet a full disk.
    pub async fn preallocate(&self, offset: u64, size: u64) -> io::Result<()> { unimplemented!() }
}
/// The machine's clocks.
#[derive(Clone, Debug)]
pub struct Clock;
impl Clock {
    /// monotonic
    pub fn monotonic(&self) -> Instant { unimplemented!() }
    /// wall
    pub fn wall(&self) -> WallMicros { unimplemented!() }
    /// sleep
    pub async fn sleep(&self, duration: Duration) { unimplemented!() }
    /// sleep_until
    pub async fn sleep_until(&self, deadline: Instant) { unimplemented!() }
    /// Spends virtual time for counted work, by the machine's tariff.
    pub async fn charge(&self, work: u64) { unimplemented!() }
}
/// Who a packet is from or to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address(pub u32);
/// A datagram that arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packet {
    /// Sender.
    pub from: Address,
    /// The sender's incarnation.
    pub incarnation: u32,
    /// Body.
    pub bytes: Bytes,
}
/// Unreliable datagrams.
#[derive(Clone, Debug)]
pub struct Network;
impl Network {
    /// This machine's own address.
    pub fn address(&self) -> Address { unimplemented!() }
    /// Sends one datagram; it may be lost, late, doubled or overtaken.
    pub fn send(&self, to: Address, bytes: Bytes) { unimplemented!() }
    /// The next datagram.
    pub async fn recv(&self) -> Packet { unimplemented!() }
}
