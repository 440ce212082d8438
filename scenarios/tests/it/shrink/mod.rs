//! Contents of the tests of `shrink`.

mod anchors;
mod laws;
mod limits;
mod smallest;
mod timing;
