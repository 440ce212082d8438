//! Contents of the tests of `executor`: who runs next, under which schedule, and in what order.

mod bodies;
mod choice;
mod order;
mod pool;
mod schedules;
mod support;
mod waits;
