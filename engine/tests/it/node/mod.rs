//! Contents of the tests of `node`: whole nodes with a client, on a machine that crashes, fails and rots.

pub(crate) mod client;
pub(crate) mod cluster;
mod compactions;
mod crashes;
mod damage;
mod drops;
mod failures;
mod log;
mod real;
mod schema;
mod service;
mod truncations;
