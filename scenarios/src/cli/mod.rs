//! Contents of `cli`: see below.
