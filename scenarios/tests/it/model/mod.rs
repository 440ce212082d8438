//! Contents of the tests of `model`.

mod chance;
mod sets;
mod worked;
