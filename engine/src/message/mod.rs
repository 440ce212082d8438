//! Contents of `message`: statements, the packets that carry them, and the sessions that let none of
//! them land twice.
//!
//! `FORMAT.md` describes the bytes.

mod answer;
mod codec;
mod cql;
mod envelope;
mod error;
mod prepare;
mod session;
mod statement;

pub use answer::{Answer, FailureCode, RefusalCode, ResultSet, ResultSetRow};
pub use codec::MESSAGE_VERSION;
pub use envelope::{Envelope, Reply, Request};
pub use error::{MessageError, StatementError};
pub use prepare::{ListIds, partition_of};
pub use session::{Admission, Sessions};
pub use statement::{
    Edge, ElementChange, NamedValue, OrderBy, ReadStatement, WriteStatement, WriteTarget,
};
