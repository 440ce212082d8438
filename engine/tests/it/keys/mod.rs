//! Contents of the tests of `keys`.

mod collections;
mod laws;
mod layout;
mod partition;
mod slices;
mod values;
