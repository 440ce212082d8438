//! Vocabulary of the tests of real machines: short runs in temporary directories.

use std::future::Future;
use std::path::Path;

use cenotaph_sim::host::Host;
use cenotaph_sim::os::{self, OsOptions};

/// Runs `main` on a machine whose disk is `root`, and gives back what it returns.
pub(crate) fn run_at<F, R>(root: &Path, main: F) -> Result<(), String>
where
    F: FnOnce(Host) -> R + 'static,
    R: Future<Output = ()> + 'static,
{
    run_with(OsOptions::new(root, "n1"), main)
}

/// As [`run_at`], with all options.
pub(crate) fn run_with<F, R>(options: OsOptions, main: F) -> Result<(), String>
where
    F: FnOnce(Host) -> R + 'static,
    R: Future<Output = ()> + 'static,
{
    os::run(options, |host: Host| async move {
        main(host).await;
        Ok(())
    })
}

/// Runs `main` in a temporary directory to its good end.
pub(crate) fn run<F, R>(main: F)
where
    F: FnOnce(Host) -> R + 'static,
    R: Future<Output = ()> + 'static,
{
    let root = tempfile::tempdir().expect("a temporary directory");
    run_at(root.path(), main).expect("the run ends well");
}
