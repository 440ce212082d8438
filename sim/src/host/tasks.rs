//! Invariants of spawned tasks: they end with their incarnation; a handle that is dropped detaches.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use pin_project_lite::pin_project;

use super::machine::{Host, World};
use crate::sync::oneshot;

pin_project! {
    /// A future that sends its answer.
    struct Answering<F: Future> {
        #[pin]
        future: F,
        sender: Option<oneshot::Sender<F::Output>>,
    }
}

impl<F: Future> Future for Answering<F> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let this = self.project();
        let answer = ready!(this.future.poll(context));
        if let Some(sender) = this.sender.take() {
            // Nobody may wait for the answer: then it goes nowhere.
            let _unheard = sender.send(answer);
        }
        Poll::Ready(())
    }
}

/// A spawned task's answer.
#[derive(Debug)]
pub struct JoinHandle<T>(oneshot::Receiver<T>);

/// The task ended without an answer: it was dropped with its incarnation, or it panicked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the task ended without an answer")]
pub struct Gone;

impl Host {
    /// Spawns a task of this incarnation. Tasks may share a name; names appear in timelines.
    pub fn spawn<F>(&self, name: &str, future: F) -> JoinHandle<F::Output>
    where
        F: Future + 'static,
    {
        let (sender, receiver) = oneshot::channel();
        let task = Answering {
            future,
            sender: Some(sender),
        };
        match &self.world {
            World::Simulated(place) => {
                if let Some(ground) = place.ground() {
                    ground.spawn(place, name, task);
                }
            }
            #[cfg(feature = "os")]
            World::Real(machine) => machine.spawn(name, Box::pin(task)),
        }
        JoinHandle(receiver)
    }
}

impl<T> Future for JoinHandle<T> {
    type Output = Result<T, Gone>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.0).poll(context).map_err(|_| Gone)
    }
}
