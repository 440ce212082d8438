//! Steps on madsim: run each workload that is asked for, and print its name and what a CPU-second carries.

#[cfg(madsim)]
mod worlds;

#[cfg(madsim)]
fn main() {
    worlds::print_all();
}

#[cfg(not(madsim))]
fn main() {
    panic!("madsim simulates only under `--cfg madsim`; `cargo run` in the folder above sets it");
}
