//! Steps: hand the arguments to the command line and return its exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    cenotaph::cli::main(std::env::args_os(), env!("CENOTAPH_COMMIT"))
}
