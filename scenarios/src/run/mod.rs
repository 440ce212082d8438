//! Contents of `run`: see below.
