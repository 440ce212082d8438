//! Contents of `model`: see below.
