//! Contents of `network`: datagrams over TCP.
//!
//! One connection carries both directions between two machines. A packet is lost when there is no way
//! to its receiver, when a queue is full, and with the connection on which it waits; never in the
//! middle of a healthy connection, and never twice or out of order within one.

mod frame;
mod inbox;
mod outgoing;
mod switch;
mod connection;
mod race;

pub(super) use switch::Switch;
