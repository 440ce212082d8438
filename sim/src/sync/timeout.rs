//! Steps of a timeout: poll the future, then the sleep; whichever ends first decides.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;

/// The time ran out first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the time ran out")]
pub struct Elapsed;

/// Awaits `future` unless `sleep` ends before it; `sleep` is one of the clock's.
///
/// # Errors
/// [`Elapsed`] when `sleep` ended first; `future` is dropped then.
pub async fn timeout<T>(
    sleep: impl Future<Output = ()>,
    future: impl Future<Output = T>,
) -> Result<T, Elapsed> {
    let mut sleep = pin!(sleep);
    let mut future = pin!(future);
    poll_fn(|context| {
        if let Poll::Ready(value) = future.as_mut().poll(context) {
            return Poll::Ready(Ok(value));
        }
        sleep.as_mut().poll(context).map(|()| Err(Elapsed))
    })
    .await
}
