//! Invariants of printing: results go to `out`, progress and errors to `err`; whoever stops reading
//! the results changes nothing but that nothing more is printed: the work goes on to its verdict.

use std::io::{self, Write};

use super::error::CliError;

/// Where a command prints.
pub struct Console<'a> {
    out: &'a mut dyn Write,
    err: &'a mut dyn Write,
    is_terminal: bool,
    is_closed: bool,
}

impl<'a> Console<'a> {
    /// A console on two writers; `is_terminal` says whether a person watches the second.
    pub fn new(out: &'a mut dyn Write, err: &'a mut dyn Write, is_terminal: bool) -> Console<'a> {
        Console {
            out,
            err,
            is_terminal,
            is_closed: false,
        }
    }

    /// Whether a person watches progress.
    pub(super) const fn is_terminal(&self) -> bool {
        self.is_terminal
    }

    /// Prints a result.
    pub(super) fn print(&mut self, text: &str) -> Result<(), CliError> {
        if self.is_closed {
            return Ok(());
        }
        let printed = self
            .out
            .write_all(text.as_bytes())
            .and_then(|()| self.out.flush());
        match printed {
            Err(cause) if cause.kind() == io::ErrorKind::BrokenPipe => {
                self.is_closed = true;
                Ok(())
            }
            printed => printed.map_err(CliError::Output),
        }
    }

    /// Prints an object on a line of its own.
    pub(super) fn object(&mut self, object: &serde_json::Value) -> Result<(), CliError> {
        self.print(&format!("{object}\n"))
    }

    /// Tells something beside the results. Nobody fails because nobody listens.
    pub(super) fn tell(&mut self, text: &str) {
        let _ = self
            .err
            .write_all(text.as_bytes())
            .and_then(|()| self.err.flush());
    }
}

impl std::fmt::Debug for Console<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Console")
            .field("is_terminal", &self.is_terminal)
            .finish_non_exhaustive()
    }
}
