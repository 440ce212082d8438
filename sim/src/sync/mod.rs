//! Contents of `sync`: the only way in which tasks of one node wait for one another.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
/// Wakes waiting tasks.
#[derive(Debug, Default)]
pub struct Notify;
impl Notify {
    /// new
    pub fn new() -> Notify { Notify }
    /// Wakes all that wait now.
    pub fn notify_all(&self) { unimplemented!() }
    /// Wakes one waiter, or the next to come when none waits.
    pub fn notify_one(&self) { unimplemented!() }
    /// Waits for the next notification. Registers when first polled; use `let n = x.notified();` before checking a condition:
    /// a notify_all between the call and the first poll is not missed.
    pub fn notified(&self) -> Notified<'_> { unimplemented!() }
}
/// Future of [`Notify::notified`].
#[derive(Debug)]
pub struct Notified<'a>(std::marker::PhantomData<&'a ()>);
impl Future for Notified<'_> { type Output = (); fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> { unimplemented!() } }
/// oneshot
pub mod oneshot {
    //! One value from one task to another.
    /// Sends.
    #[derive(Debug)]
    pub struct Sender<T>(std::marker::PhantomData<T>);
    impl<T> Sender<T> {
        /// Sends, or gives the value back when nobody listens.
        pub fn send(self, value: T) -> Result<(), T> { unimplemented!() }
    }
    /// `await` gives the value, or [`Closed`] when the sender was dropped.
    #[derive(Debug)]
    pub struct Receiver<T>(std::marker::PhantomData<T>);
    /// The sender was dropped.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
    #[error("the sender was dropped")]
    pub struct Closed;
    /// A pair.
    pub fn channel<T>() -> (Sender<T>, Receiver<T>) { unimplemented!() }
    impl<T> std::future::Future for Receiver<T> { type Output = Result<T, Closed>; fn poll(self: std::pin::Pin<&mut Self>, _: &mut std::task::Context<'_>) -> std::task::Poll<Self::Output> { unimplemented!() } }
}
/// A counted permit gate, first come first served.
#[derive(Debug)]
pub struct Semaphore;
impl Semaphore {
    /// new
    pub fn new(permits: usize) -> Semaphore { unimplemented!() }
    /// acquire
    pub async fn acquire(&self) -> Permit<'_> { unimplemented!() }
}
/// Returned when dropped.
#[derive(Debug)]
pub struct Permit<'a>(std::marker::PhantomData<&'a ()>);
/// Lets every other ready task run first, if the policy likes.
pub async fn yield_now() { unimplemented!() }
/// The time ran out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the time ran out")]
pub struct Elapsed;
/// `future`, unless `sleep` ends first.
pub async fn timeout<T>(sleep: impl Future<Output = ()>, future: impl Future<Output = T>) -> Result<T, Elapsed> { let _ = (sleep, future); unimplemented!() }
