//! Vocabulary of wrong calls. They are for whoever typed the command.

use std::io;

use thiserror::Error;

use crate::plan::PlanError;
use crate::shrink::ShrinkError;

/// Why a command did not do its work.
#[derive(Debug, Error)]
pub(super) enum CliError {
    /// Nothing of that kind has that name.
    #[error("{0}")]
    Name(String),
    /// An argument is wrong in itself.
    #[error("{0}")]
    Argument(String),
    /// A plan, or a knob of one, is wrong.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A file cannot be read or written.
    #[error("{path}: {cause}")]
    File { path: String, cause: io::Error },
    /// A plan cannot be shrunk.
    #[error("{file}: {cause}")]
    Shrink { file: String, cause: ShrinkError },
    /// The results cannot be printed.
    #[error("output: {0}")]
    Output(io::Error),
}
