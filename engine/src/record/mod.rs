//! Contents of `record`: see below.
