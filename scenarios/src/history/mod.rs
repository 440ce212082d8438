//! Contents of `history`: see below.
