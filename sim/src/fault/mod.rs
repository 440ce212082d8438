//! Contents of `fault`: what the world does to us, as values.
