//! Contents of the tests of `report`.

mod numbers;
mod texts;
