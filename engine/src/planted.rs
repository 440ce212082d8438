//! Vocabulary of planted bugs.
