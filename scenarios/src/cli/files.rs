//! Fault policy of plan files: a wrong one names its place and cause; a written one is whole, since
//! it takes its name only once all of it is there.

use std::path::Path;

use super::error::CliError;
use crate::plan::Plan;

/// Reads a plan.
#[expect(clippy::disallowed_methods, reason = "plans come from the real disk")]
pub(super) fn read(path: &Path) -> Result<Plan, CliError> {
    let name = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|cause| CliError::File {
        path: name.clone(),
        cause,
    })?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        CliError::Argument(format!("{name}: not UTF-8 from byte {at} on"))
    })?;
    Ok(Plan::from_json(&name, &text)?)
}

/// Writes a plan, and returns the name that commands use for it.
#[expect(clippy::disallowed_methods, reason = "plans go to the real disk")]
pub(super) fn write(path: &Path, plan: &Plan) -> Result<String, CliError> {
    let name = path.display().to_string();
    let failed = |cause| CliError::File {
        path: name.clone(),
        cause,
    };
    if let Some(folder) = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
    {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    let mut partial = path.as_os_str().to_owned();
    partial.push(".partial");
    std::fs::write(&partial, plan.to_json()).map_err(failed)?;
    std::fs::rename(&partial, path).map_err(failed)?;
    Ok(name)
}

/// Keeps a plan that fails: `SCENARIO-SEED-HASH.json`, a planted bug's name before it.
pub(super) fn keep(folder: &Path, plan: &Plan, seed: u64) -> Result<String, CliError> {
    let bug = plan.bug.as_ref().map(|bug| format!("{bug}-"));
    let (bug, scenario, hash) = (bug.unwrap_or_default(), &plan.scenario, plan.hash());
    write(
        &folder.join(format!("{bug}{scenario}-{seed}-{hash}.json")),
        plan,
    )
}
