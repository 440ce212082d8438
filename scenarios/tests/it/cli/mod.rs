//! Contents of the tests of `cli`.
