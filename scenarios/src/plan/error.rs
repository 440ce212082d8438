//! Vocabulary of what can be wrong with a plan; all of it is for whoever wrote the plan.

use thiserror::Error;

/// Why a text is not a plan.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlanError {
    /// The text is not JSON, or not of a plan's form.
    #[error("{file}:{line}:{column}: {cause}")]
    Syntax {
        /// Name of the file, as the caller knows it.
        file: String,
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// What is wrong there.
        cause: String,
    },
    /// A value lies outside its bounds, or two do not fit each other.
    #[error("{file}: {field}: {cause}")]
    Bounds {
        /// Name of the file, as the caller knows it.
        file: String,
        /// Path of what holds it: `clients[1][17]`; the cause names a number of an operation.
        field: String,
        /// What is wrong with it.
        cause: String,
    },
    /// There is no such scenario.
    #[error("there is no scenario `{name}`; there are: {known}")]
    Scenario {
        /// The name that was given.
        name: String,
        /// The names that there are.
        known: String,
    },
    /// There is no such knob, or it cannot have this value.
    #[error("knob `{name}`: {cause}")]
    Knob {
        /// The name that was given.
        name: String,
        /// What is wrong.
        cause: String,
    },
}
