//! Byte layout of a plan's text: JSON, one operation and one fault a line, knobs only where they
//! differ from their defaults, so that a person reads it and a diff shows single operations.

use std::fmt::Write as _;

use serde::Serialize;
use serde_json::{Map, Value};

use super::bounds;
use super::document::Plan;
use super::error::PlanError;
use super::knobs::Knobs;
use super::{validate, words};

impl Plan {
    /// The plan as text. The same plan gives the same bytes, always.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut text = String::from("{\n");
        let _ = writeln!(text, "  \"format\": {},", self.format);
        let _ = writeln!(text, "  \"scenario\": {},", line(&self.scenario));
        let _ = writeln!(text, "  \"run_key\": {},", self.run_key);
        let knobs = sparse(&self.knobs);
        if !knobs.is_empty() {
            let _ = writeln!(text, "  \"knobs\": {},", line(&knobs));
        }
        if let Some(bug) = &self.bug {
            let _ = writeln!(text, "  \"bug\": {},", line(bug));
        }
        let sessions: Vec<String> = self
            .clients
            .iter()
            .map(|session| block(session, "      ", "    "))
            .collect();
        let _ = writeln!(text, "  \"clients\": {},", join(&sessions, "    ", "  "));
        let _ = writeln!(text, "  \"faults\": {}", block(&self.faults, "    ", "  "));
        text.push_str("}\n");
        text
    }

    /// Reads a plan and validates it. `file` is what errors call the text.
    ///
    /// # Errors
    /// [`PlanError`] names the place and the cause.
    pub fn from_json(file: &str, text: &str) -> Result<Plan, PlanError> {
        let plan = Plan::parse(file, text)?;
        refuse_nulls(file, text)?;
        plan.validate(file)?;
        Ok(plan)
    }

    /// Reads a plan and leaves out what does not fit: for a fuzzer's inputs.
    ///
    /// # Errors
    /// [`PlanError::Syntax`] when the text is not of a plan's form.
    pub fn from_json_clamped(text: &str) -> Result<Plan, PlanError> {
        Plan::parse("fuzz input", text).map(Plan::clamped)
    }

    /// Reads a plan without looking at its bounds.
    fn parse(file: &str, text: &str) -> Result<Plan, PlanError> {
        let file = file.to_owned();
        if text.len() > bounds::TEXT_SIZE_MAX {
            let cause = format!(
                "{} bytes, the largest plan has {}",
                text.len(),
                bounds::TEXT_SIZE_MAX
            );
            return Err(PlanError::Bounds {
                file,
                field: "text".to_owned(),
                cause,
            });
        }
        serde_json::from_str(text).map_err(|error| {
            let place = format!(" at line {} column {}", error.line(), error.column());
            let cause = words::plain(error.to_string().trim_end_matches(&place));
            PlanError::Syntax {
                file,
                line: error.line(),
                column: error.column(),
                cause,
            }
        })
    }

    /// Whether all bounds hold.
    ///
    /// # Errors
    /// [`PlanError::Bounds`] names the first field that breaks one.
    pub fn validate(&self, file: &str) -> Result<(), PlanError> {
        validate::plan(self).map_err(|flaw| PlanError::Bounds {
            file: file.to_owned(),
            field: flaw.field,
            cause: flaw.cause,
        })
    }
}

impl Knobs {
    /// Turns one knob, by name: `commitlog_mode=group`, `network_loss=1/100`.
    ///
    /// # Errors
    /// [`PlanError::Knob`] when there is no such knob or it cannot have that value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), PlanError> {
        let wrong = |cause: String| PlanError::Knob {
            name: name.to_owned(),
            cause,
        };
        let mut tree = full(self);
        let slot = tree
            .values_mut()
            .filter_map(Value::as_object_mut)
            .find_map(|section| section.get_mut(name))
            .ok_or_else(|| {
                let known: Vec<String> = Knobs::names();
                wrong(format!("there is none; there are {}", known.join(", ")))
            })?;
        *slot = match value.parse::<i64>() {
            Ok(number) => Value::from(number),
            Err(_) => Value::from(value),
        };
        let turned: Knobs = serde_json::from_value(Value::Object(tree))
            .map_err(|error| wrong(words::plain(&error.to_string())))?;
        validate::knobs(&turned).map_err(|flaw| wrong(flaw.cause))?;
        *self = turned;
        Ok(())
    }

    /// Names of all knobs.
    #[must_use]
    pub fn names() -> Vec<String> {
        let tree = full(&Knobs::default());
        tree.values()
            .filter_map(Value::as_object)
            .flat_map(|section| section.keys().cloned())
            .collect()
    }
}

pub(super) fn full(knobs: &Knobs) -> Map<String, Value> {
    match serde_json::to_value(knobs) {
        Ok(Value::Object(tree)) => tree,
        other => unreachable!("knobs are a JSON object, not {other:?}"),
    }
}

/// Nothing in a plan is null: the reader takes `{"drain":null}` for `"drain"`, and a field that is null
/// for one that is left out; a plan says it in one way only. Fields of a struct may be set to null.
fn refuse_nulls(file: &str, text: &str) -> Result<(), PlanError> {
    let tree: Value = serde_json::from_str(text).expect("the text of a plan is JSON");
    null_in(&tree, String::new()).map_or(Ok(()), |field| {
        Err(PlanError::Bounds {
            file: file.to_owned(),
            field,
            cause: "nothing in a plan is null: leave it out, or write the name alone".to_owned(),
        })
    })
}

/// The path of the first null.
fn null_in(tree: &Value, path: String) -> Option<String> {
    match tree {
        Value::Null => Some(path),
        Value::Array(items) => {
            let mut items = items.iter().enumerate();
            items.find_map(|(index, item)| null_in(item, format!("{path}[{index}]")))
        }
        Value::Object(fields) => fields.iter().find_map(|(name, field)| {
            if let ("fields", Value::Object(set)) = (name.as_str(), field) {
                let mut set = set.iter().filter(|(_, value)| !value.is_null());
                return set.find_map(|(own, value)| null_in(value, format!("{path}.{name}.{own}")));
            }
            let dot = if path.is_empty() { "" } else { "." };
            null_in(field, format!("{path}{dot}{name}"))
        }),
        _ => None,
    }
}

/// The knobs that differ from their defaults.
fn sparse(knobs: &Knobs) -> Map<String, Value> {
    let defaults = full(&Knobs::default());
    let mut tree = full(knobs);
    for (name, section) in &mut tree {
        if let Some(section) = section.as_object_mut() {
            section.retain(|knob, value| *value != defaults[name][knob.as_str()]);
        }
    }
    tree.retain(|_, section| {
        section
            .as_object()
            .is_some_and(|section| !section.is_empty())
    });
    tree
}

fn line<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("a plan's parts have string keys and finite numbers")
}

fn block<T: Serialize>(items: &[T], inner: &str, outer: &str) -> String {
    let lines: Vec<String> = items.iter().map(line).collect();
    join(&lines, inner, outer)
}

fn join(lines: &[String], inner: &str, outer: &str) -> String {
    if lines.is_empty() {
        return "[]".to_owned();
    }
    let mut text = String::from("[\n");
    for (index, line) in lines.iter().enumerate() {
        let comma = if index + 1 < lines.len() { "," } else { "" };
        let _ = writeln!(text, "{inner}{line}{comma}");
    }
    let _ = write!(text, "{outer}]");
    text
}
