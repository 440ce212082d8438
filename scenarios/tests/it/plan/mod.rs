//! Contents of the tests of `plan`.

mod clamp;
mod collections;
mod errors;
mod locality;
mod page;
mod small;
mod text;
