//! Contents of `store`: see below.
