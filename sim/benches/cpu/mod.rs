//! Contents of `cpu`: what benches measure by.

mod time;

pub(crate) use time::cpu_nanos;
