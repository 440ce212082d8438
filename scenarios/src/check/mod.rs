//! Contents of `check`: see below.
