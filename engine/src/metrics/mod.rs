//! Contents of `metrics`: see below.
