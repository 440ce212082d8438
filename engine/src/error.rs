//! Vocabulary of errors: who must act, and one crate error over the small enum of each room.
//!
//! A room's enum lives in its room and says its [`Class`]; that alone lets `?` turn it into [`Error`].
//! So this room knows no other, and a new one is added nowhere.

use std::error::Error as StdError;
use std::{fmt, io};

/// Who must act before the same request can succeed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Actor {
    /// The client: the request itself is wrong.
    Client,
    /// The operator: the machine, or what is stored on it, is not well.
    Operator,
    /// Nobody: it may be tried again as it is.
    Nobody,
}

/// What kind of failure an error is. Every error of the engine has exactly one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// The request breaks a rule or a limit.
    Refused,
    /// Stored bytes contradict what was once written.
    Corruption,
    /// The disk is full.
    DiskFull,
    /// The machine failed at an operation.
    Io,
    /// The node has stopped for good, and has to be started again.
    Stopped,
    /// Something else was in the way; it passes.
    Busy,
}

impl Class {
    /// Who must act.
    #[must_use]
    pub const fn actor(self) -> Actor {
        match self {
            Class::Refused => Actor::Client,
            Class::Corruption | Class::DiskFull | Class::Io | Class::Stopped => Actor::Operator,
            Class::Busy => Actor::Nobody,
        }
    }
}

/// An error that knows its class.
pub trait Classify {
    /// What kind of failure this is.
    fn class(&self) -> Class;

    /// Who must act.
    fn actor(&self) -> Actor {
        self.class().actor()
    }

    /// Stored bytes contradict what was once written.
    fn is_corruption(&self) -> bool {
        self.class() == Class::Corruption
    }

    /// The same request may be sent again as it is.
    fn is_retryable(&self) -> bool {
        self.actor() == Actor::Nobody
    }

    /// The same request against the same state fails again in the same way.
    fn is_deterministic(&self) -> bool {
        matches!(self.class(), Class::Refused | Class::Corruption)
    }
}

/// What a room's enum is, for [`Error`] to hold it.
trait RoomError: StdError + Classify + Send + Sync {
    fn as_std(&self) -> &(dyn StdError + 'static);
}

impl<E: StdError + Classify + Send + Sync + 'static> RoomError for E {
    fn as_std(&self) -> &(dyn StdError + 'static) {
        self
    }
}

/// Any failure of the engine: the enum of some room.
pub struct Error(Box<dyn RoomError>);

/// Result with the crate error.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// What kind of failure this is.
    #[must_use]
    pub fn class(&self) -> Class {
        self.0.class()
    }

    /// Who must act.
    #[must_use]
    pub fn actor(&self) -> Actor {
        self.0.actor()
    }

    /// Stored bytes contradict what was once written.
    #[must_use]
    pub fn is_corruption(&self) -> bool {
        self.0.is_corruption()
    }

    /// The same request may be sent again as it is.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        self.0.is_retryable()
    }

    /// The same request against the same state fails again in the same way.
    #[must_use]
    pub fn is_deterministic(&self) -> bool {
        self.0.is_deterministic()
    }

    /// The error of the room `E`, when it came from there.
    #[must_use]
    pub fn downcast_ref<E: StdError + 'static>(&self) -> Option<&E> {
        self.0.as_std().downcast_ref::<E>()
    }
}

impl<E: StdError + Classify + Send + Sync + 'static> From<E> for Error {
    fn from(error: E) -> Error {
        Error(Box::new(error))
    }
}

// `Error` is no `std::error::Error`: `From` above would then also be from itself.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// A failed operation of the machine. Unlike [`io::Error`] it can be told to every task that waits.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{operation} {path}: {message}")]
pub struct IoFailure {
    /// What was tried: `sync`, `write`, `create`, ..
    pub operation: &'static str,
    /// The file or directory.
    pub path: String,
    /// The machine's error kind.
    pub kind: io::ErrorKind,
    /// The machine's message.
    pub message: String,
}

impl IoFailure {
    /// `error`, of `operation` on `path`.
    #[must_use]
    pub fn new(operation: &'static str, path: &str, error: &io::Error) -> IoFailure {
        let (path, message) = (path.to_owned(), error.to_string());
        IoFailure {
            operation,
            path,
            kind: error.kind(),
            message,
        }
    }
}

impl Classify for IoFailure {
    fn class(&self) -> Class {
        match self.kind {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Class::DiskFull,
            _ => Class::Io,
        }
    }
}
