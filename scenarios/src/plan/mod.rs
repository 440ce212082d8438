//! Contents of `plan`: the one value that a run is a function of, as plain data and as text.
//!
//! This room does no I/O and draws nothing: text comes from and goes to its callers.

mod bounds;
mod cells;
mod clamp;
mod column_type;
mod cql;
mod disk;
mod document;
mod draw;
mod error;
mod fault;
mod forms;
mod hash;
mod json;
mod knob_table;
mod knobs;
mod operation;
mod operation_kind;
mod page;
mod purge;
mod ratio;
mod scalar;
mod sections;
mod shape;
mod validate;
mod value;
mod value_text;
mod words;

pub use column_type::{CollectionType, ColumnType};
pub use disk::{DiskProfile, DiskTear};
pub use document::{Plan, Session};
pub use draw::Draw;
pub use error::PlanError;
pub use fault::{Anchor, CrashKind, Fault, FaultKind, FileRole, IoKind, Packets, Way};
pub use hash::PlanHash;
pub use knobs::{CommitlogMode, EngineKnobs, Knobs, TaskSchedule, WorldKnobs};
pub use operation::{Edge, Operation, OperationRef, Slice};
pub use page::{knobs as knobs_page, page};
pub use purge::{Overlapping, Purge};
pub use scalar::Scalar;
pub use sections::{
    FAULT_SIZE, FAULT_SLOTS, RECORD_SIZE, RecordBytes, Sections, TABLE_SIZE, TABLE_SLOTS,
};
pub use shape::{ClusteringColumn, Column, Order, ScalarType, Shape, TableNumber};
pub use value::{Change, Collection, Field, Value};
