//! Invariants of bodies: a task's future lies in one piece of memory, between two words that can be read
//! without polling it.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use pin_project_lite::pin_project;

pin_project! {
    /// A future between two words.
    #[repr(C)]
    pub(super) struct Body<F> {
        first: u8,
        #[pin]
        future: F,
        last: u8,
    }
}

/// What a task's slot knows of its body.
pub(super) trait Touch: Future<Output = ()> {
    /// Reads the first and the last word: the memory between them is fetched with them, or close by.
    fn touch(&self) -> u8;
}

pub(super) type BoxedBody = Pin<Box<dyn Touch>>;

impl<F: Future<Output = ()> + 'static> Body<F> {
    pub(super) fn boxed(future: F) -> BoxedBody {
        Box::pin(Body {
            first: 0,
            future,
            last: 0,
        })
    }
}

impl<F: Future<Output = ()>> Touch for Body<F> {
    #[inline]
    fn touch(&self) -> u8 {
        self.first ^ self.last
    }
}

impl<F: Future<Output = ()>> Future for Body<F> {
    type Output = ();

    #[inline]
    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        self.project().future.poll(context)
    }
}
