//! Contents of `explore`: see below.
