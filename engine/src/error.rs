//! Vocabulary of errors, sorted by who must act.
