//! Vocabulary of failures of a node as a whole.

use crate::error::{Class, Classify};

/// A failure of the node, rather than of one of its parts.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NodeError {
    /// A knob outside its bounds.
    #[error("{knob} = {value} is not within {min} and {max}")]
    Knob {
        /// Which.
        knob: &'static str,
        /// What it was set to.
        value: u64,
        /// Its least value.
        min: u64,
        /// Its greatest.
        max: u64,
    },
    /// Another process works on the same files.
    #[error("another node holds the lock")]
    Locked,
}

impl Classify for NodeError {
    fn class(&self) -> Class {
        match self {
            NodeError::Knob { .. } => Class::Refused,
            NodeError::Locked => Class::Busy,
        }
    }
}
