//! Contents of `node`: see below.
