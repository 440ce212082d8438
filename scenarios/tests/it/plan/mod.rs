//! Contents of the tests of `plan`.

mod text;
