//! Invariants of a history's text: one line an event, time first, the same event the same line.

use std::fmt;

use super::answer::{Answer, Outcome, PartitionSeen, Refusal, RowSeen, TableSeen};
use super::event::{Event, History};

impl fmt::Display for History {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.events()
            .iter()
            .try_for_each(|event| writeln!(f, "{event}"))
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:>12} ", self.at().to_string())?;
        match self {
            Event::Invoked {
                operation, what, ..
            } => write!(f, "{operation} -> {what}"),
            Event::Answered {
                operation,
                incarnation: Some(number),
                outcome,
                ..
            } => {
                write!(f, "{operation} <- n1/{number} {outcome}")
            }
            Event::Answered {
                operation, outcome, ..
            } => write!(f, "{operation} <- {outcome}"),
            Event::Booting { incarnation, .. } => write!(f, "n1/{incarnation} boots"),
            Event::Serving { incarnation, .. } => write!(f, "n1/{incarnation} serves"),
            Event::Crashed {
                incarnation, kind, ..
            } => {
                write!(f, "n1/{incarnation} is crashed: {kind}")
            }
            Event::Exited {
                incarnation,
                error: Some(error),
                ..
            } => {
                write!(f, "n1/{incarnation} stops: {error}")
            }
            Event::Exited { incarnation, .. } => write!(f, "n1/{incarnation} stops"),
            Event::Panicked {
                incarnation,
                task,
                message,
                ..
            } => {
                write!(f, "n1/{incarnation} panics in task {task}: {message}")
            }
            Event::Contradicted {
                incarnation, what, ..
            } => write!(f, "n1/{incarnation} contradicts itself: {what}"),
            Event::DiskFault {
                incarnation, what, ..
            } => {
                write!(f, "n1/{incarnation} meets a disk fault: {what}")
            }
            Event::Blamed {
                operation,
                incarnation,
                blame,
                why,
                ..
            } => {
                write!(f, "{operation} -- n1/{incarnation} blames {blame:?}: {why}")
            }
            Event::Marked {
                incarnation, mark, ..
            } => write!(f, "n1/{incarnation} passes {mark}"),
            Event::Healed { .. } => f.write_str("all faults end"),
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Ok(answer) => write!(f, "ok{answer}"),
            Outcome::Refused(refusal) => write!(f, "refused: {refusal}"),
            Outcome::Unknown { why } => write!(f, "unknown: {why}"),
        }
    }
}

impl fmt::Display for Answer {
    /// Nothing for plain success, else a blank and what was shown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Done => Ok(()),
            Answer::Rows(partition) => write!(f, " {partition}"),
            Answer::Compacted(seen) => write!(f, " {seen}"),
            Answer::Stones(seen) => write!(f, " {seen}"),
            Answer::SystemSchema(seen) => write!(f, " {seen}"),
            Answer::Tables(tables) => {
                let names: Vec<String> = tables.iter().map(TableSeen::to_string).collect();
                write!(f, " tables [{}]", names.join(", "))
            }
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Refusal::NoSuchTable => "no such table",
            Refusal::TableExists => "table exists",
            Refusal::NoSuchColumn => "no such column",
            Refusal::ColumnExists => "column exists",
            Refusal::NotNow(text) | Refusal::Other(text) => text,
        })
    }
}

impl fmt::Display for PartitionSeen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts: Vec<String> = self
            .statics
            .iter()
            .map(|(column, value)| format!("{column}={value}"))
            .collect();
        parts.extend(self.rows.iter().map(RowSeen::to_string));
        if parts.is_empty() {
            return f.write_str("no rows");
        }
        f.write_str(&parts.join(" "))
    }
}

impl fmt::Display for RowSeen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key: Vec<String> = self.clustering.iter().map(ToString::to_string).collect();
        let cells: Vec<String> = self
            .cells
            .iter()
            .map(|(column, value)| format!(" {column}={value}"))
            .collect();
        write!(f, "({}:{})", key.join(","), cells.concat())
    }
}

impl fmt::Display for TableSeen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns: Vec<String> = self.columns.iter().map(ToString::to_string).collect();
        write!(f, "{}({})", self.table, columns.join(" "))
    }
}
