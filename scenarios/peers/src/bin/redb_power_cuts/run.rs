//! Steps of a run: switch the power on, open, compare, commit until the power ends; again some times.

use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};

use cenotaph_sim::disk::DiskOptions;
use cenotaph_sim::entropy::{RunKey, Stream};
use redb::{
    Builder, Database, DatabaseError, Durability, ReadableDatabase, ReadableTable, StorageError,
    TableDefinition, TableError,
};

use crate::drive::Drive;
use crate::model::{Content, Model, Wrong, draw_changes};

const TABLE: TableDefinition<'_, u64, &[u8]> = TableDefinition::new("table");

/// Power cuts of a run.
const CUTS_COUNT: u64 = 8;

/// Commits between two of them.
const COMMITS_COUNT_MAX: u64 = 24;

/// What is wrong after a cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// Its content is not what it may be.
    Content(Wrong),
    /// It calls itself corrupt.
    Corrupt(String),
    /// It does not open, for any other reason.
    Refused(String),
    /// It panicked with the power on.
    Panicked(String),
}

/// What came of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) cuts_in_opening: u64,
    pub(crate) cuts_in_commits: u64,
    pub(crate) cuts_between_commits: u64,
    pub(crate) commits_count: u64,
    /// Whether a commit had promised anything when the run failed.
    pub(crate) had_promised: bool,
    pub(crate) failure: Option<Failure>,
    pub(crate) fingerprint: u64,
}

/// Where a database's life was when the power ended.
enum Life {
    Opening,
    Committing,
    Idle,
}

/// Runs one seed until its last cut or its first failure.
pub(crate) fn run(options: DiskOptions, seed: u64) -> Outcome {
    let key = RunKey(seed);
    let drive = Drive::new(options, key);
    let mut outcome = Outcome::default();
    let mut model = Model::new();
    let mut stream = Stream::open(key.stream("work"));
    for _ in 0..CUTS_COUNT {
        // Some cuts fall into the recovery from the one before.
        let calls = match stream.below(4) {
            0 => stream.below(16),
            _ => stream.below(300),
        };
        drive.power_on(calls);
        let life = quietly(|| live(&drive, &mut model, &mut stream, &mut outcome));
        // A process without power does nothing, nor does its unwinding.
        let was_on = drive.is_on();
        drive.cut();
        match life {
            Ok(Ok(Life::Opening)) => outcome.cuts_in_opening += 1,
            Ok(Ok(Life::Committing)) => outcome.cuts_in_commits += 1,
            Ok(Ok(Life::Idle)) => outcome.cuts_between_commits += 1,
            Ok(Err(failure)) => {
                outcome.failure = Some(failure);
                break;
            }
            Err(_) if !was_on => outcome.cuts_in_commits += 1,
            Err(payload) => {
                let text = payload.downcast_ref::<String>().cloned();
                let text =
                    text.or_else(|| payload.downcast_ref::<&str>().map(|&text| text.to_owned()));
                outcome.failure = Some(Failure::Panicked(text.unwrap_or_default()));
                break;
            }
        }
    }
    outcome.fingerprint = drive.fingerprint();
    outcome
}

/// Runs what may panic, and says nothing of it: the table will.
fn quietly<T>(life: impl FnOnce() -> T) -> std::thread::Result<T> {
    let told = take_hook();
    set_hook(Box::new(|_| {}));
    let ended = catch_unwind(AssertUnwindSafe(life));
    set_hook(told);
    ended
}

/// Opens, compares and commits. An error with the power off is the cut, with the power on a failure.
fn live(
    drive: &Drive,
    model: &mut Model,
    stream: &mut Stream,
    outcome: &mut Outcome,
) -> Result<Life, Failure> {
    let opened = Builder::new()
        .set_cache_size(1 << 20)
        .create_with_backend(drive.clone());
    let found = opened
        .map_err(refusal)
        .and_then(|database| Ok((content(&database)?, database)));
    let database = match found {
        Ok((content, database)) => {
            model.judge(content).map_err(Failure::Content)?;
            database
        }
        Err(_) if !drive.is_on() => return Ok(Life::Opening),
        Err(failure) => return Err(failure),
    };
    for _ in 0..1 + stream.below(COMMITS_COUNT_MAX) {
        let changes = draw_changes(stream, outcome.commits_count);
        let promises = stream.below(4) > 0;
        let durability = if promises {
            Durability::Immediate
        } else {
            Durability::None
        };
        let ways = (stream.below(4) == 0, stream.below(8) == 0);
        model.begin(&changes);
        match commit(&database, &changes, durability, ways) {
            Ok(()) => outcome.commits_count += 1,
            Err(_) if !drive.is_on() => return Ok(Life::Committing),
            Err(error) => return Err(storage_failure(error)),
        }
        if promises {
            model.promise();
            outcome.had_promised = true;
        }
    }
    // Dropped with the power on, it would close in good order: what follows is a cut all the same.
    drive.power_off();
    Ok(Life::Idle)
}

fn commit(
    database: &Database,
    changes: &[(u64, Option<Vec<u8>>)],
    durability: Durability,
    (two_phase, quick_repair): (bool, bool),
) -> Result<(), redb::Error> {
    let mut transaction = database.begin_write()?;
    transaction
        .set_durability(durability)
        .expect("no savepoint was made");
    transaction.set_two_phase_commit(two_phase);
    transaction.set_quick_repair(quick_repair);
    {
        let mut table = transaction.open_table(TABLE)?;
        for (key, value) in changes {
            match value {
                Some(value) => drop(table.insert(key, value.as_slice())?),
                None => drop(table.remove(key)?),
            }
        }
    }
    transaction.commit()?;
    Ok(())
}

/// Everything in the table; nothing before the first commit.
fn content(database: &Database) -> Result<Content, Failure> {
    let read = || -> Result<Content, redb::Error> {
        let transaction = database.begin_read()?;
        let table = match transaction.open_table(TABLE) {
            Err(TableError::TableDoesNotExist(_)) => return Ok(Content::new()),
            table => table?,
        };
        let mut content = Content::new();
        for entry in table.iter()? {
            let (key, value) = entry?;
            content.insert(key.value(), value.value().to_vec());
        }
        Ok(content)
    };
    read().map_err(storage_failure)
}

fn refusal(error: DatabaseError) -> Failure {
    match error {
        DatabaseError::Storage(StorageError::Corrupted(text)) => Failure::Corrupt(text),
        other => Failure::Refused(other.to_string()),
    }
}

fn storage_failure(error: redb::Error) -> Failure {
    match error {
        redb::Error::Corrupted(text) => Failure::Corrupt(text),
        other => Failure::Refused(other.to_string()),
    }
}
