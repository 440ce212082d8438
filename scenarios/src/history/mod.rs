//! Contents of `history`: what a run's clients and machines saw, in order; the judges' only evidence.

mod answer;
mod clock;
mod event;
mod facts;
mod record;
mod render;
mod stones;

pub use answer::{
    Answer, Blame, CORRUPTION, CompactionSeen, Element, Outcome, PartitionSeen, Refusal, RowSeen,
    StoneEdge, StoneOf, StoneSeen, StonesSeen, SystemSchemaSeen, TableSeen,
};
pub use clock::NodeClock;
pub use event::{Event, History};
pub use facts::RunFacts;
pub use record::{Incarnation, Record, Timeline};
