//! Fault policy of tasks: one that panics ends its machine, as it would end a process; no task is
//! polled after the end.

use std::any::Any;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use super::machine::Machine;

struct Task {
    machine: Rc<Machine>,
    name: String,
    future: Pin<Box<dyn Future<Output = ()>>>,
}

impl Machine {
    /// Spawns a task of this incarnation; after its end, drops it.
    pub fn spawn(self: &Rc<Machine>, name: &str, future: Pin<Box<dyn Future<Output = ()>>>) {
        if self.has_ended() {
            return;
        }
        // Detached: who waits for its answer has a channel, and the machine's end takes it along.
        drop(tokio::task::spawn_local(Task {
            machine: Rc::clone(self),
            name: name.to_owned(),
            future,
        }));
    }
}

impl Future for Task {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if self.machine.has_ended() {
            return Poll::Pending;
        }
        let future = self.future.as_mut();
        // Nothing looks at what the panic left half done: the machine ends with it.
        match catch_unwind(AssertUnwindSafe(|| future.poll(context))) {
            Ok(poll) => poll,
            Err(payload) => {
                let text = message(payload.as_ref());
                self.machine
                    .end(Err(format!("task {} panicked: {text}", self.name)));
                Poll::Ready(())
            }
        }
    }
}

fn message(payload: &(dyn Any + Send)) -> &str {
    payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a panic without a message")
}
