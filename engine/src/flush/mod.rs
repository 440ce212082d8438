//! Contents of `flush`: see below.
