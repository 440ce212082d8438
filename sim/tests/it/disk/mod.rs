//! Contents of the tests of `disk`: cases by kind of register, laws against naive models, goldens.

mod support;
mod names;
mod replaced;
mod data;
mod torn;
mod errors;
mod space;
mod forks;
mod damage;
mod posix;
mod operations;
mod laws;
mod goldens;
