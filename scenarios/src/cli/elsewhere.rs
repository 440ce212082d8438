//! Steps of a run in another process: start this program again with `run .. --json`, read the line.

use std::ops::Range;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::Value;

use super::entry::{HELD, VIOLATED};
use crate::explore::{Elsewhere, Told};

/// This program's own file.
pub(super) struct OtherProcess(pub(super) PathBuf);

impl Elsewhere for OtherProcess {
    fn run(
        &self,
        scenario: &str,
        seed: u64,
        bug: Option<&str>,
        window: Option<Range<u64>>,
    ) -> Result<Told, String> {
        let mut command = Command::new(&self.0);
        command.args(["run", scenario, "--json", "--seed", &seed.to_string()]);
        if let Some(bug) = bug {
            command.args(["--bug", bug]);
        }
        if let Some(window) = window {
            command.args(["--window", &format!("{}..{}", window.start, window.end)]);
        }
        let output = command.stdin(Stdio::null()).output();
        let output = output.map_err(|cause| format!("{}: {cause}", self.0.display()))?;
        let is_verdict = [HELD, VIOLATED]
            .map(|code| Some(i32::from(code)))
            .contains(&output.status.code());
        if !is_verdict {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(format!("{}: {}", output.status, said.trim_end()));
        }
        told(&output.stdout)
    }
}

fn told(line: &[u8]) -> Result<Told, String> {
    let object: Value =
        serde_json::from_slice(line).map_err(|cause| format!("no JSON: {cause}"))?;
    let text = |name: &str| {
        let value = object[name].as_str().map(str::to_owned);
        value.ok_or_else(|| format!("no `{name}` in its answer"))
    };
    let texts = |name: &str| {
        let values = object[name].as_array().into_iter().flatten();
        values
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect::<Vec<String>>()
    };
    let checkpoints = texts("checkpoints");
    let checkpoints = checkpoints.iter().map(|state| {
        u64::from_str_radix(state, 16).map_err(|_| format!("`{state}` is not a checkpoint"))
    });
    Ok(Told {
        fingerprint: text("fingerprint")?,
        verdict: text("verdict")?,
        checkpoints: checkpoints.collect::<Result<_, _>>()?,
        recorded: texts("recorded"),
    })
}
