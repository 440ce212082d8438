//! Contents of `commitlog`: see below.

