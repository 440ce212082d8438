//! Contents of the tests of `disk`: cases by kind of register, laws against naive models, goldens.

#![expect(
    clippy::unwrap_used,
    reason = "a helper that fails is a test that fails"
)]

mod support;
mod names;
mod replaced;
mod data;
mod torn;
mod errors;
mod writeback;
mod space;
mod forks;
mod damage;
mod posix;
mod operations;
mod laws;
mod goldens;
mod every;
mod damaged;
mod lying;
mod astray;
mod closure;
mod states;
mod allowed;
mod lazy;
mod neighbours;
mod delayed;
mod troubles;
mod at_rest;
mod atlas;
mod cases;
mod cases_of_names;
mod cases_of_failures;
