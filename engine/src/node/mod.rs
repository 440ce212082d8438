//! Contents of `node`: how a node starts, serves, and ends.

mod boot;
mod config;
mod enact;
mod error;
mod execute;
mod inspector;
mod maintain;
mod reconcile;
mod replay;
mod request;
mod running;
mod serve;

pub use config::Config;
pub use error::NodeError;
pub use inspector::Inspector;
pub use serve::{Started, run, start};
