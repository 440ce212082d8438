//! Contents of `shrink`: see below.
