//! Contents of `message`: see below.
