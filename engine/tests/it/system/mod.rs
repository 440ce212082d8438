//! Contents of `system`: its tests.

mod laws;
mod rows;
mod support;
