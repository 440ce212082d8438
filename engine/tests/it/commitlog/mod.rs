//! Contents of `commitlog`: its tests.

mod acknowledge;
mod discard;
mod failure;
mod interval;
mod replay;
mod rollover;
mod support;

pub(crate) use support::{ALL, Counter, Known, T, U, put, replay, start, texts, tiny};
