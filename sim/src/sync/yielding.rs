//! Steps of a yield: wake oneself, let the scheduler choose, go on.

use std::future::poll_fn;
use std::task::Poll;

/// Lets the scheduler run other ready tasks first, if its policy likes.
pub async fn yield_now() {
    let mut yielded = false;
    poll_fn(|context| {
        if yielded {
            return Poll::Ready(());
        }
        yielded = true;
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}
