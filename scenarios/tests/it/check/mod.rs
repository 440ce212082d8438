//! Contents of the tests of `check`: for each judge an answer to which it objects, and the honest
//! one to which it does not.

mod answers;
mod durability;
mod node;
mod resurrection;
mod schema;
mod unknown;
