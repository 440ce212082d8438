//! Steps of a race: poll the first, then the second; whichever ends first decides.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;

/// The answer of whichever future ends first; the other is dropped.
pub(super) async fn race<T>(first: impl Future<Output = T>, second: impl Future<Output = T>) -> T {
    let (mut first, mut second) = (pin!(first), pin!(second));
    poll_fn(|context| match first.as_mut().poll(context) {
        Poll::Ready(answer) => Poll::Ready(answer),
        Poll::Pending => second.as_mut().poll(context),
    })
    .await
}
