//! Contents of the tests of `explore`.
