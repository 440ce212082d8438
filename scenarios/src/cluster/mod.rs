//! Contents of `cluster`: see below.
