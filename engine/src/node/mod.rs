//! Contents of `node`: how a node starts, serves, and ends.

mod boot;
mod config;
mod error;
mod execute;
mod node;
mod replay;
mod serve;

pub use config::Config;
pub use error::NodeError;
pub use serve::{Started, run, start};
