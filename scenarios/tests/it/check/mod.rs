//! Contents of the tests of `check`: for each judge an answer to which it objects, and the honest
//! one to which it does not.

mod answers;
mod collections;
mod cuts;
mod durability;
mod expiry;
mod flushes;
mod forgetting;
mod node;
mod oracle;
mod pairs;
mod resurrection;
mod schema;
mod stones;
mod unknown;
