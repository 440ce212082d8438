//! Steps of a real run: count the boot, listen, call the software, wait for the end, drop its tasks,
//! let requests that were begun come to their end.
#![expect(
    clippy::disallowed_types,
    reason = "a real machine's chance is the system's, unless it is told a seed"
)]

use std::fs::File;
use std::future::Future;
use std::io::{self, Read};
use std::rc::Rc;

use tokio::runtime::{Builder, Handle};
use tokio::task::LocalSet;

use super::boots::count_boot;
use super::machine::Machine;
use super::options::OsOptions;

/// Threads that calls on files may block at once.
const BLOCKING_THREADS_MAX: usize = 32;

/// Runs software on a real machine, on this thread, until its main future ends or a task panics.
/// `H` is a host's handle: whatever the machine can be made into.
///
/// # Errors
/// The main future's last word, a panic with its task's name, or why the machine cannot begin.
pub fn run<H, F, R>(options: OsOptions, main: F) -> Result<(), String>
where
    H: From<Rc<Machine>>,
    F: FnOnce(H) -> R + 'static,
    R: Future<Output = Result<(), String>> + 'static,
{
    let runtime = Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .max_blocking_threads(BLOCKING_THREADS_MAX)
        .build()
        .map_err(|error| format!("the event loop: {error}"))?;
    let tasks = LocalSet::new();
    let life = live(options, runtime.handle().clone(), main);
    let result = runtime.block_on(tasks.run_until(life));
    // The order of a crash: tasks first, then what they asked of the disk.
    drop(tasks);
    drop(runtime);
    result
}

async fn live<H, F, R>(options: OsOptions, runtime: Handle, main: F) -> Result<(), String>
where
    H: From<Rc<Machine>>,
    F: FnOnce(H) -> R + 'static,
    R: Future<Output = Result<(), String>> + 'static,
{
    let root = options.root.display().to_string();
    let told = |error: io::Error| format!("{root}: {error}");
    let incarnation = count_boot(&options.root).map_err(told)?;
    let seed = match options.seed {
        Some(seed) => seed,
        None => system_word().map_err(|error| format!("the system's chance: {error}"))?,
    };
    let listen = options.listen;
    let machine = Rc::new(Machine::new(options, seed, incarnation, runtime));
    if let Some(at) = listen {
        let result = machine.listen(at).await;
        result.map_err(|error| format!("listening at {at}: {error}"))?;
    }
    tracing::info!(target: "os", "{} boots, incarnation {incarnation}", machine.name());
    let software = Rc::clone(&machine);
    // The call itself is within the task: what panics there ends the machine as well.
    let task = async move {
        let result = main(H::from(Rc::clone(&software))).await;
        software.end(result);
    };
    machine.spawn("main", Box::pin(task));
    machine.wait_for_end().await
}

/// 64 bits of the system's chance.
fn system_word() -> io::Result<u64> {
    let mut bytes = [0_u8; 8];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}
