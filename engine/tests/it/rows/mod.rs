//! Contents of the tests of `rows`.
