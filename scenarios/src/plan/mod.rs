//! Contents of `plan`: see below.
