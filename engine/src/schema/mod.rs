//! Contents of `schema`: see below.
