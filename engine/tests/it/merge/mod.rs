//! Contents of `merge`: worked cases of what two writes and more become, each for every order and grouping of
//! its writes and for several places where they may lie.

#[macro_use]
mod case;
mod cells;
mod collections;
mod deletions;
mod dropped;
mod laws;
mod node;
mod notation;
mod orders;
mod places;
#[cfg(feature = "planted")]
mod planted;
mod ranges;
mod rows;
pub(crate) mod statements;
pub(crate) mod tables;
