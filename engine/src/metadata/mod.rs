//! Contents of `metadata`: see below.

