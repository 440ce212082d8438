//! Contents of `read`: see below.
