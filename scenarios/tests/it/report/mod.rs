//! Contents of the tests of `report`.
