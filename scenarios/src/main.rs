//! Steps: hand the arguments to the command line and return its exit code.

use std::process::ExitCode;

use mimalloc::MiMalloc;

// A run is some hundred thousand small allocations.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    cenotaph::cli::main(std::env::args_os(), env!("CENOTAPH_COMMIT"))
}
