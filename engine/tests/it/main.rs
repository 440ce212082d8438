//! Contents of the tests: one module a room.

#[cfg(test)]
mod keys;
#[cfg(test)]
mod laws;
#[cfg(test)]
mod rows;
