//! Invariants of calls that block: they run beside the event loop, and to their end once begun,
//! whether anyone still waits for their answer or not.

use std::future::pending;
use std::io;
use std::panic::resume_unwind;

use super::machine::Machine;

impl Machine {
    /// Runs `work` on a thread that may block.
    pub(super) async fn beside_loop<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> io::Result<T> + Send + 'static,
    ) -> io::Result<T> {
        self.alive().await;
        match self.runtime.spawn_blocking(work).await {
            Ok(answer) => answer,
            Err(error) => match error.try_into_panic() {
                Ok(payload) => resume_unwind(payload),
                // The event loop is closing: the machine has ended, and answers nothing any more.
                Err(_) => pending().await,
            },
        }
    }
}
