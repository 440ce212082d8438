//! Contents of `pool`: see below.
