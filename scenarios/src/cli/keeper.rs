//! Steps of keeping what a sweep finds: a failure's plan as soon as it is met, so that nobody who
//! interrupts the sweep loses it; the smaller plan in its stead as soon as there is one.

use std::collections::BTreeMap;
use std::path::Path;

use super::error::CliError;
use super::files;
use crate::check::Identity;
use crate::explore::{Failure, Group, Step};
use crate::plan::Plan;

/// What is kept of a sweep.
#[derive(Debug)]
pub(super) struct Keeper<'a> {
    folder: &'a Path,
    /// The file of each way to fail.
    files: BTreeMap<(&'static str, Identity), String>,
    /// What could not be kept, and why.
    pub(super) errors: Vec<CliError>,
}

impl<'a> Keeper<'a> {
    /// Keeps plans in a folder, if that is possible at all.
    pub(super) fn new(folder: &'a Path) -> Result<Keeper<'a>, CliError> {
        files::probe_folder(folder)?;
        Ok(Keeper {
            folder,
            files: BTreeMap::new(),
            errors: Vec::new(),
        })
    }

    /// Keeps what a step of the sweep shows.
    pub(super) fn step(&mut self, step: &Step<'_>) {
        match step {
            Step::Fails(group, plan) => self.keep(group, plan),
            Step::Shrunk(failure) => self.keep(&failure.group, smallest(failure)),
            Step::Seeds { .. } | Step::Shrinks(_) => {}
        }
    }

    /// The file of a way to fail; none when it could not be written.
    pub(super) fn file(&self, group: &Group) -> Option<&str> {
        let file = self.files.get(&(group.scenario, group.identity));
        file.map(String::as_str)
    }

    fn keep(&mut self, group: &Group, plan: &Plan) {
        match files::keep(self.folder, plan, group.seed) {
            Ok(file) => {
                let way = (group.scenario, group.identity);
                let before = self.files.insert(way, file.clone());
                // Two ways to fail may share a plan, and each still needs it.
                let before =
                    before.filter(|before| !self.files.values().any(|kept| kept == before));
                if let Some(before) = before {
                    files::forget(&before);
                }
            }
            Err(error) => self.errors.push(error),
        }
    }
}

/// The plan to keep of a failure.
fn smallest(failure: &Failure) -> &Plan {
    let shrunk = failure.shrunk.as_ref();
    shrunk.map_or(&failure.plan, |shrunk| &shrunk.plan)
}
